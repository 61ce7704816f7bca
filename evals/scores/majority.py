"""What the majority of some records says, label by label: the habit that a draft has to beat.

Ties go to the value that is more common among all records at hand, then to the first of the enumeration. A record never
votes on itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from evals.records import LabelledRecord, batch_order
from evals.scores.label_values import value_of
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo, needs_work

#: Where nothing is known: the rubric's answer to a change without coupling.
WITHOUT_RECORDS = Labels(
    verdict=Verdict.CHECK, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.NO
)


@dataclass(frozen=True, slots=True)
class Guess:
    """An answer without looking at the change. ``score`` is its needs-work score; ``fell_back``: its rule had nothing
    to go by, and a wider majority answered.
    """

    labels: Labels
    score: float
    fell_back: bool = False


def majority(records: Sequence[LabelledRecord], wider: Sequence[LabelledRecord] = ()) -> Guess:
    """The most common value of every label, and the share of the records that need work as score."""
    if not records:
        return Guess(WITHOUT_RECORDS, 0.0, fell_back=True)
    chosen = {field: _most_common(field, records, wider) for field in Labels.model_fields}
    return Guess(Labels.model_validate(chosen), share_that_needs_work(records))


def batch_majority(record: LabelledRecord, pool: Sequence[LabelledRecord]) -> Guess:
    """Of the other records of its batch; alone in its batch, of all others."""
    siblings, others = _others(record, pool)
    guess = majority(siblings or others, others)
    return Guess(guess.labels, guess.score, fell_back=not siblings)


def batch_verdict(record: LabelledRecord, pool: Sequence[LabelledRecord]) -> StrEnum | None:
    """The verdict of `batch_majority`, without the rest of it."""
    siblings, others = _others(record, pool)
    return _most_common("verdict", siblings or others, others) if others else WITHOUT_RECORDS.verdict


def _others(
    record: LabelledRecord, pool: Sequence[LabelledRecord]
) -> tuple[list[LabelledRecord], list[LabelledRecord]]:
    """Those of its batch, and all; the record itself is in neither."""
    others = [one for one in pool if one.id != record.id]
    return [one for one in others if one.batch == record.batch], others


def earlier(record: LabelledRecord, pool: Sequence[LabelledRecord]) -> list[LabelledRecord]:
    """Records of the batches that come before the record's batch in ``pool``, which is in the order of labelling."""
    order = batch_order(pool)
    return [one for one in pool if order[one.batch] < order.get(record.batch, len(order))]


def share_that_needs_work(records: Iterable[LabelledRecord]) -> float:
    """0 for no records."""
    needing = [needs_work(one.labels) for one in records]
    return fmean(needing) if needing else 0.0


def _most_common(field: str, records: Sequence[LabelledRecord], wider: Sequence[LabelledRecord]) -> StrEnum | None:
    here, around = (Counter(value_of(one.labels, field) for one in some) for some in (records, wider))
    return max(sorted(here, key=_position), key=lambda value: (here[value], around[value]))


def _position(value: StrEnum | None) -> int:
    """Absent first, then in the order of the enumeration."""
    return -1 if value is None else list(type(value)).index(value)
