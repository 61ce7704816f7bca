"""Which of the ranked places a ledger shows: the best, and with them every sort of evidence that may decide.

A rule sees only what is shown. So a copy, patch, override, registration or subclass of the very thing that changed must
not fall below the limit unseen because other places share more words with the change. For each such kind and symbol
that the best places lack, the best place below them takes a seat: that of the last place that decides nothing. The
order of what is shown stays that of the ranking. A second override of the same method gets no seat by itself: one
operator may be registered in twenty files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from retrieval.closeness import DIRECT
from retrieval.delta.path_kinds import is_test_path
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

#: What a place is evidence of: the kind of coupling, and the symbol.
Proof = tuple[EvidenceKind, str]


def proofs(place: Place) -> frozenset[Proof]:
    """What may decide a verdict: direct couplings that replace or continue upstream code, tests aside."""
    found = frozenset(
        (one.kind, one.symbol) for one in place.couplings if one.kind in _DECIDING and one.relation in DIRECT
    )
    return frozenset() if found and is_test_path(place.path) else found


def reserve(best: Sequence[Place], ranked: Iterable[Place]) -> tuple[Place, ...]:
    """As many places as ``best`` has, in the order of the ranking. ``best`` are the first of the ``ranked`` places."""
    free = [at for at, place in enumerate(best) if not proofs(place)]
    shown = {proof for place in best for proof in proofs(place)}
    late: list[Place] = []
    for place in ranked:
        if len(late) == len(free):
            break
        if not proofs(place) <= shown:
            late.append(place)
            shown |= proofs(place)
    given = set(free[len(free) - len(late) :])
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
