"""Which of the ranked places a ledger shows: the best, and among them every place that may decide the verdict.

A rule sees only what is shown, so a copy, patch, override, registration or subclass of the very thing that changed must
not fall below the limit because others share more words with the change. Such a place takes the seat of the last hook,
or where there is none of the last place that decides nothing. The order of what is shown stays that of the ranking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from retrieval.closeness import DIRECT
from retrieval.models import EvidenceKind
from retrieval.rank import Place

SHOWN = 20
_DECIDING = frozenset(
    {
        EvidenceKind.FORK,
        EvidenceKind.PATCH,
        EvidenceKind.OVERRIDE,
        EvidenceKind.REGISTRATION,
        EvidenceKind.SUBCLASS,
    }
)


def decides(place: Place) -> bool:
    """Is one of its couplings of a kind that replaces or continues upstream code, and direct?"""
    return any(one.kind in _DECIDING and one.relation in DIRECT for one in place.couplings)


def reserve(best: Sequence[Place], deciding: Iterable[Place]) -> tuple[Place, ...]:
    """As many places as ``best`` has, in the order of the ranking, among them as many of the ``deciding`` as can be.

    ``best`` are the first of the ranked places, ``deciding`` all of them that `decides` holds for, best first.
    """
    seats, there = _free_seats(best), {place[:2] for place in best}
    late = list(islice((place for place in deciding if place[:2] not in there), len(seats)))
    given = set(seats[: len(late)])
    return (*(place for at, place in enumerate(best) if at not in given), *late)


def affordable(costs: Sequence[int], first: Collection[int], budget: int) -> tuple[int, ...]:
    """Positions, in order, that the budget pays for: those of ``first``, then the others, up to one it cannot pay."""
    paid: list[int] = []
    for at in (*sorted(first), *(at for at in range(len(costs)) if at not in first)):
        budget -= costs[at]
        if budget < 0:
            break
        paid.append(at)
    return tuple(sorted(paid))


def _free_seats(kept: Sequence[Place]) -> list[int]:
    """Positions of the places that decide nothing, in the order in which they give way: hooks, the last ones first."""
    others = [at for at, place in enumerate(kept) if not decides(place)]
    return sorted(others, key=lambda at: (kept[at].best.kind is not EvidenceKind.HOOK, -at))
