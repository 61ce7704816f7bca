"""Near-duplicates: one source kept in two folders of the tree would fill a ledger twice with the same words.

Two places are near-duplicates when their paths differ in one folder alone, the same coupling is the strongest in the
same scope, and that scope is made of about as many words in both. The better ranked one stands for the others, which it
lists by path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from retrieval.rank import Place

_ALIKE = 0.9  # least share of words that the shorter of two copies has


class Folded(NamedTuple):
    """``kept`` in their order, each with the paths of its near-duplicates; ``folded`` are these."""

    kept: tuple[Place, ...]
    folded: tuple[Place, ...]


def fold(places: Iterable[Place], size_of: Callable[[str, str], int], limit: int | None = None) -> Folded:
    """Up to ``limit`` places, all by default; reads no further than it must. One without coupling is like no other.

    ``size_of`` is asked with path and scope.
    """
    kept: list[Place] = []
    folded: list[Place] = []
    alike: dict[tuple[object, ...], list[int]] = {}
    for place in places if limit is None or limit > 0 else ():
        peers = alike.setdefault(_likeness(place), []) if place.couplings else []
        twin = next((at for at in peers if _is_copy(kept[at], place, size_of)), None)
        if twin is not None:
            kept[twin] = kept[twin]._replace(also_at=(*kept[twin].also_at, place.path))
            folded.append(place)
            continue
        peers.append(len(kept))
        kept.append(place)
        if len(kept) == limit:
            break
    return Folded(tuple(kept), tuple(folded))


def _likeness(place: Place) -> tuple[object, ...]:
    best = place.best
    return place.scope, place.path.rpartition("/")[2], best.kind, best.relation, best.symbol, best.token


def _is_copy(one: Place, other: Place, size_of: Callable[[str, str], int]) -> bool:
    if not _one_folder_apart(one.path, other.path):
        return False
    less, more = sorted((size_of(one.path, one.scope), size_of(other.path, other.scope)))
    return less >= _ALIKE * more


def _one_folder_apart(one: str, other: str) -> bool:
    first, second = one.split("/"), other.split("/")
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1
