"""Evidence recall: how many of the places people cited stand among the first k items of a ledger. Pure arithmetic.

A place is (path, scope), compared exactly. A record expects the cited places that exist in the tree at hand, each
once; a record that expects nothing takes no part. *Micro* averages over all distinct (record, path, scope), *macro*
over records. Beside them stand the file level (record, path) and the scopes other than ``<module>``, which are the
harder ones: a file's top level is found with the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from retrieval.models import MODULE_SCOPE


class Place(NamedTuple):
    path: str
    scope: str


@dataclass(frozen=True, slots=True)
class RankedRecord:
    """``expected`` are distinct; ``found`` are the ledger's places, best first, as long as the ledger was."""

    id: str
    expected: frozenset[Place]
    found: tuple[Place, ...]

    def missed(self, k: int) -> list[Place]:
        return sorted(self.expected - set(self.found[:k]))


@dataclass(frozen=True, slots=True)
class Ratio:
    """``hits`` of ``total``; its value is None when there was nothing to find, which is not zero."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        return self.hits / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Recall:
    """Recall in the first ``k`` items. ``macro`` is the mean over ``records`` records, None when there are none."""

    k: int
    scope: Ratio
    named_scope: Ratio
    file: Ratio
    macro: float | None
    records: int


def recall_at(k: int, ranked: Sequence[RankedRecord]) -> Recall:
    taking_part = [record for record in ranked if record.expected]
    scopes, named, files = [], [], []
    for record in taking_part:
        first = set(record.found[:k])
        scopes.append(_ratio(record.expected, first))
        named.append(_ratio({place for place in record.expected if place.scope != MODULE_SCOPE}, first))
        files.append(_ratio({place.path for place in record.expected}, {place.path for place in first}))
    return Recall(
        k=k,
        scope=_sum(scopes),
        named_scope=_sum(named),
        file=_sum(files),
        macro=fmean(ratio.hits / ratio.total for ratio in scopes) if scopes else None,
        records=len(taking_part),
    )


def _ratio(expected: frozenset[Place] | set[Place] | set[str], found: set[Place] | set[str]) -> Ratio:
    return Ratio(len(expected & found), len(expected))


def _sum(ratios: Iterable[Ratio]) -> Ratio:
    counted = list(ratios)
    return Ratio(sum(ratio.hits for ratio in counted), sum(ratio.total for ratio in counted))
