"""How alike two labelled records' changes are, by what their records say: hunks, files, titles.

Near-identical changes with different labels cannot both be right, or the labels hang on something that the records do
not hold. Hunk ranges are compared where both are ranges of one release diff; a reconstruction of quality ``noisy`` may
hold a neighbour's hunks, so two such records can look alike although their pull requests were not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from evals.records import LabelledRecord
from evals.records.models import LineRange
from retrieval.pieces import pieces_of
from reviewbot.precedents.kinship import title_core

#: Shares from which two changes count as near-identical: of hunks, of title words, or of both files and title words.
ALIKE_HUNKS = 0.3
ALIKE_TITLES = 0.6
ALIKE_FILES_AND_TITLES = (0.5, 0.3)

_WORD = re.compile(r"\w+")
_PART = re.compile(r"\(?\[?\b\d+/\w+\b\]?\)?")

Hunk = tuple[str, LineRange]


class Likeness(NamedTuple):
    """Shares from 0 to 1: hunks that overlap one of the other record, files in common, title words in common."""

    hunks: float
    files: float
    titles: float

    @property
    def near_identical(self) -> bool:
        files, titles = ALIKE_FILES_AND_TITLES
        return (
            self.hunks >= ALIKE_HUNKS or self.titles >= ALIKE_TITLES or (self.files >= files and self.titles >= titles)
        )


class LikePair(NamedTuple):
    first: LabelledRecord
    second: LabelledRecord
    likeness: Likeness


def near_identical_pairs(records: Iterable[LabelledRecord]) -> list[LikePair]:
    """Pairs in file order, those most alike first."""
    traits = [_Traits(record) for record in records]
    pairs = [LikePair(first.record, second.record, first.likeness(second)) for first, second in combinations(traits, 2)]
    return sorted((pair for pair in pairs if pair.likeness.near_identical), key=lambda pair: -max(pair.likeness))


class _Traits:
    def __init__(self, record: LabelledRecord) -> None:
        self.record = record
        self.files = {file.path for file in record.change.files} | set(record.change.other_paths)
        self.hunks = [(file.path, hunk.old) for file in record.change.files for hunk in file.hunks]
        core = title_core(record.title)
        self.title = {piece for word in _WORD.findall(_PART.sub(" ", core)) for piece in pieces_of(word)}
        revisions = record.revisions
        self.release = (revisions.upstream_base, revisions.upstream_head)

    def likeness(self, other: _Traits) -> Likeness:
        comparable = self.release == other.release
        return Likeness(
            hunks=_overlapping(self.hunks, other.hunks) if comparable else 0.0,
            files=_common(self.files, other.files),
            titles=_common(self.title, other.title),
        )


def _common(left: Set[str], right: Set[str]) -> float:
    return len(left & right) / len(left | right) if left and right else 0.0


def _overlapping(left: Sequence[Hunk], right: Sequence[Hunk]) -> float:
    if not left or not right:
        return 0.0
    return (sum(_met(left, right)) + sum(_met(right, left))) / (len(left) + len(right))


def _met(hunks: Sequence[Hunk], others: Sequence[Hunk]) -> Iterator[bool]:
    for path, lines in hunks:
        yield any(path == other and _overlap(lines, theirs) for other, theirs in others)


def _overlap(left: LineRange, right: LineRange) -> bool:
    """An empty range (an insertion) lies in the gap before its first line."""
    return left[0] <= max(right) and right[0] <= max(left)
