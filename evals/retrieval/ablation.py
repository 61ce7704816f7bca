"""Ablation: what recall loses when one kind of evidence, one relation or the affinity is taken out before ranking.

The index is asked once per record; a row ranks what it answered without one part. The loss is what nothing else makes
up for: a place that two kinds feel is lost with neither alone. Rows ask the ranking alone, before any token budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evals.measuring import SHORT, Measured
from evals.ranking import Found, Scoring, order
from evals.recall import RankedRecord, Recall, recall_at
from retrieval.models import EvidenceKind, Relation

#: The words that a scope shares with the change, which are no coupling.
AFFINITY: Final = "affinity"
Part = EvidenceKind | Relation | Literal["affinity"]


@dataclass(frozen=True, slots=True)
class Ablation:
    """``part`` is what was taken out, None for the whole; ``taken`` is how many couplings or affinities those were."""

    part: Part | None
    taken: int
    recall: Recall


def parts_of(measured: Sequence[Measured]) -> list[Part]:
    """Every kind and relation that occurs, each in the order of its enumeration, then affinity."""
    kinds = {coupling.kind for one in measured for coupling in one.found.couplings}
    relations = {coupling.relation for one in measured for coupling in one.found.couplings}
    parts: list[Part] = [
        *(kind for kind in EvidenceKind if kind in kinds),
        *(one for one in Relation if one in relations),
    ]
    if any(one.found.shares for one in measured):
        parts.append(AFFINITY)
    return parts


def ablations(measured: Sequence[Measured], scoring: Scoring) -> Iterator[Ablation]:
    """The whole first, then one row per part."""
    asked = [one for one in measured if one.ranked.expected]
    for part in (None, *parts_of(asked)):
        ranked, taken = [], 0
        for one in asked:
            kept = without(part, one.found)
            taken += _size(one.found) - _size(kept)
            first = tuple(order(kept, scoring)[:SHORT])
            ranked.append(RankedRecord(one.ranked.id, one.ranked.expected, first))
        yield Ablation(part, taken, recall_at(SHORT, ranked))


def without(part: Part | None, found: Found) -> Found:
    if part is None:
        return found
    if part == AFFINITY:
        return Found(found.couplings)
    kept = (one for one in found.couplings if one.kind is not part and one.relation is not part)
    return Found(tuple(kept), found.shares, found.alone, found.sizes)


def _size(found: Found) -> int:
    return len(found.couplings) + len(found.shares)
