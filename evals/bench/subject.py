"""What is measured: two trees and the changes asked about, real ones where they lie on disk, else synthetic ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.bench import synthetic, words
from evals.real_data import RealData
from evals.records import LabelledRecord, usable_records
from evals.workbench import change_of
from retrieval.change import parse_patch, sides
from retrieval.coupling.question import Question, question_of
from retrieval.delta import compute_delta
from retrieval.delta.texts import ChangedText, changed_texts
from retrieval.models import Delta, UpstreamChange
from retrieval.source_tree import SourceTree

_SYNTHETIC_SYMBOLS = (1, 2, 3, 5, 8)


@dataclass(frozen=True, slots=True)
class Subject:
    """``base`` is the upstream tree before the changes; all are folders."""

    name: str
    base: Path
    downstream: Path
    changes: Sequence[UpstreamChange]
    is_real: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A change as it is asked about."""

    change: UpstreamChange
    delta: Delta
    texts: Mapping[str, ChangedText]

    @property
    def question(self) -> Question:
        return question_of(self.delta, self.texts, self.change.other_paths)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the changed definitions: what a person would search for."""
        return tuple(dict.fromkeys(name for target in self.question.targets for name in target.own_names))


def ask(change: UpstreamChange, base: SourceTree) -> Asked:
    both_sides = sides(change, base, None)
    delta = compute_delta(change, both_sides)
    return Asked(change, delta, changed_texts(delta, both_sides))


def real_subject(real: RealData, records: Sequence[LabelledRecord]) -> Subject | None:
    """The real trees and the usable labelled diffs; null when they do not lie complete on disk."""
    if not real.is_complete(records):
        return None
    changes = [change_of(record, real.diff(record)) for record in usable_records(records)]
    return Subject(words.REAL_SUBJECT, real.base, real.downstream, changes, True)


def synthetic_subject(folder: Path, files: int) -> Subject:
    """Trees of ``files`` files each, written below ``folder``."""
    base = synthetic.write(folder / "upstream", synthetic.upstream(files))
    downstream = synthetic.write(folder / "downstream", synthetic.downstream(files))
    changes = [parse_patch(synthetic.patch(count, files), f"{count}.diff") for count in _SYNTHETIC_SYMBOLS]
    return Subject(words.synthetic_subject(files), base, downstream, changes, False)


def spread(asked: Sequence[Asked], count: int) -> Iterator[Asked]:
    """``count`` of those that name a definition, evenly spread over all."""
    named = [one for one in asked if one.names]
    step = max(1.0, len(named) / count)
    return (named[int(at * step)] for at in range(min(count, len(named))))
