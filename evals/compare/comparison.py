"""Compares two stored runs on the records that both answered. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from evals.compare.models import DECISIVE, Comparison, Conclusion, Difference, Flip, Note
from evals.compare.paired import difference, discordance
from evals.records import LabelledRecord
from evals.run.judging import judged
from evals.run.models import Run
from evals.scores.intervals import LEVEL, draw_weights
from evals.scores.keys import KEYS
from evals.scores.label_values import VALUES, value_of, written
from evals.scores.models import Judged
from evals.scores.prepared import Prepared
from reviewbot.models import Labels, needs_work


class WorkFlip(StrEnum):
    """How the one question that counts is written in a flip."""

    FIELD = "needs_work"
    YES = "yes"
    NO = "no"


def compare(
    first: Run, second: Run, records: Sequence[LabelledRecord], *, keys: Sequence[str] = KEYS, level: float = LEVEL
) -> Comparison:
    """Raises `SelectionError` when ``records`` lack one of a run's."""
    before = {one.record.id: one for one in judged(first, records)}
    after = {one.record.id: one for one in judged(second, records)}
    shared = [name for name in before if name in after]
    answered = [name for name in shared if before[name].outcome.answer and after[name].outcome.answer]
    one, other = (Prepared([side[name] for name in answered]) for side in (before, after))
    weights = draw_weights(one.clusters)
    rows = tuple(
        difference(key, one, other, weights, level).model_copy(update={"discordance": discordance(key, one, other)})
        for key in keys
    )
    return Comparison(
        first=first.manifest.name,
        second=second.manifest.name,
        records=len(answered),
        only_first=tuple(name for name in before if name not in after),
        only_second=tuple(name for name in after if name not in before),
        unanswered=tuple(name for name in shared if name not in set(answered)),
        notes=tuple(_notes(first, second)),
        conclusion=_conclusion(rows, len(answered)),
        rows=rows,
        flips=tuple(flip for name in answered for flip in _flips(before[name], after[name])),
    )


def _notes(first: Run, second: Run) -> Iterator[Note]:
    one, other = first.manifest, second.manifest
    if one.data != other.data:
        yield Note.DATA
    if one.inputs != other.inputs:
        yield Note.INPUTS
    if one.revisions != other.revisions:
        yield Note.REVISIONS
    if set(one.records) != set(other.records):
        yield Note.RECORDS


def _conclusion(rows: Sequence[Difference], records: int) -> Conclusion:
    if not records:
        return Conclusion.NOTHING
    decisive = [row for row in rows if row.key in DECISIVE and row.is_beyond_noise and row.gain is not None]
    gained = {row.gain > 0 for row in decisive if row.gain is not None}
    if not gained:
        return Conclusion.SAME
    return Conclusion.MIXED if len(gained) > 1 else Conclusion.BETTER if gained == {True} else Conclusion.WORSE


def _flips(before: Judged, after: Judged) -> Iterator[Flip]:
    """Answers that turned right or wrong; one that changed from wrong to wrong is no flip."""
    assert before.outcome.answer is not None
    assert after.outcome.answer is not None
    first, second = before.outcome.answer.labels, after.outcome.answer.labels
    for field in (WorkFlip.FIELD, *VALUES):
        truth, one, other = (_said(labels, field) for labels in (before.record.labels, first, second))
        if (one == truth) != (other == truth):
            yield Flip(
                record=before.record.id,
                batch=before.record.batch,
                title=before.record.title,
                field=field,
                truth=truth,
                first=one,
                second=other,
                gained=other == truth,
            )


def _said(labels: Labels, field: str) -> str:
    if field == WorkFlip.FIELD:
        return WorkFlip.YES if needs_work(labels) else WorkFlip.NO
    return written(value_of(labels, field))
