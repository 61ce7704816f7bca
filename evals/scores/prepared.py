"""Judged records as arrays, so that a figure can be computed again thousands of times: for intervals, for comparisons.

    one, other = Prepared(ours), Prepared(theirs)              # the same records in the same order
    weights = draw_weights(one.clusters)
    change = one.values("risk_kappa", weights) - other.values("risk_kappa", weights)
    bootstrap_interval(change, one.batches("risk_kappa"))

A row of ``weights`` says how often each record counts. Records that ended in an error keep their column, so that two
runs stay aligned, and never count. Arrays are made on first use and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from evals.run.models import Answer
from evals.scores import agreement, cost, work
from evals.scores.columns import NOTHING, PARTS
from evals.scores.intervals import Floats, Ints
from evals.scores.keys import FALSE_ALARM_RATES, Kind, definition, miss_at
from evals.scores.label_values import VALUES, code_of
from evals.scores.models import Judged
from reviewbot.models import NeedsAdaptation, YesNo, needs_work

_NO_ADAPTATION = VALUES["needs_adaptation"].index(NeedsAdaptation.NO)
_NOT_AFFECTED = VALUES["npu_affected"].index(YesNo.NO)


class Prepared:
    """Figures of one set of records. A key that is none raises ``KeyError``."""

    def __init__(self, judged: Sequence[Judged]) -> None:
        self.judged = tuple(judged)
        self.ids = tuple(one.record.id for one in self.judged)
        numbers = {batch: at for at, batch in enumerate(dict.fromkeys(one.record.batch for one in self.judged))}
        #: The number of each record's batch, from 0.
        self.clusters: Ints = np.array([numbers[one.record.batch] for one in self.judged], dtype=np.int64)
        self._columns: dict[str, tuple[Floats, Floats]] = {}

    @cached_property
    def answers(self) -> tuple[tuple[int, Judged, Answer], ...]:
        """The answered records with their positions."""
        return tuple((at, one, one.outcome.answer) for at, one in enumerate(self.judged) if one.outcome.answer)

    @cached_property
    def positions(self) -> Ints:
        return np.array([at for at, _, _ in self.answers], dtype=np.int64)

    def batches(self, key: str) -> int:
        """How many batches have a record that takes part."""
        whole = definition(key).kind is Kind.WHOLE
        taking_part = self.positions if whole else np.flatnonzero(self.column(key)[1])
        return len(np.unique(self.clusters[taking_part]))

    def value(self, key: str) -> float | None:
        """The figure over all records; None when there is nothing to measure."""
        value = float(self.values(key, np.ones((1, len(self.judged))))[0])
        return None if np.isnan(value) else value

    def values(self, key: str, weights: Floats) -> Floats:
        """One figure per row of ``weights`` (draws x records, whole numbers); NaN where there is nothing to measure."""
        kind = definition(key).kind
        if kind is Kind.WHOLE:
            return _WHOLE[key](self, weights[:, self.positions])
        amounts, units = self.column(key)
        if kind is Kind.COST:
            figure = cost.FIGURES[key.partition("_")[2]]
            drawn = (np.repeat(amounts, (row * units).astype(np.int64)) for row in weights)
            return np.array([figure(one) if len(one) else np.nan for one in drawn])
        return agreement.divided(weights @ amounts, weights @ units)

    def column(self, key: str) -> tuple[Floats, Floats]:
        """Amount and units of every record, 0 and 0 where it takes no part. ``KeyError`` for a key of kind `WHOLE`."""
        if key not in self._columns:
            parts = np.zeros((len(self.judged), 2))
            if part_of := PARTS.get(key):
                for at, one, answer in self.answers:
                    parts[at] = part_of(one, answer)
            else:
                amount_of = cost.AMOUNTS[key.partition("_")[0]]
                for at, one in enumerate(self.judged):
                    amount = amount_of(one.outcome)
                    parts[at] = NOTHING if amount is None else (amount, 1)
            self._columns[key] = parts[:, 0], parts[:, 1]
        return self._columns[key]

    def per_record(self, key: str) -> dict[str, float | None]:
        """Each record's own share or amount, None where it takes no part. ``KeyError`` for a key of kind `WHOLE`.

        For a key of kind `RATE` that is 0 or 1: of ``miss_rate``, 1 is a miss.
        """
        amounts, units = self.column(key)
        shares = agreement.divided(amounts, units)
        return {id_: None if np.isnan(share) else float(share) for id_, share in zip(self.ids, shares, strict=True)}

    def table(self, field: str, weights: Floats, among: Callable[[int], int] | None = None) -> Floats:
        """What people said against what the drafts said, over answered records; ``among`` puts codes into two."""
        truth = [code_of(one.record.labels, field) for _, one, _ in self.answers]
        given = [code_of(answer.labels, field) for _, _, answer in self.answers]
        classes = len(VALUES[field])
        if among:
            truth, given, classes = [among(code) for code in truth], [among(code) for code in given], 2
        return agreement.tables(np.array(truth, dtype=np.int64), np.array(given, dtype=np.int64), classes, weights)

    @cached_property
    def scores(self) -> Floats:
        """Needs-work scores of answered records."""
        return np.array([answer.needs_work_score for _, _, answer in self.answers], dtype=np.float64)

    @cached_property
    def needs(self) -> work.Flags:
        """Whether people say that the answered record needs work."""
        return np.array([needs_work(one.record.labels) for _, one, _ in self.answers], dtype=np.bool_)


def per_record(key: str, judged: Sequence[Judged]) -> Mapping[str, float | None]:
    """`Prepared.per_record` in one call."""
    return Prepared(judged).per_record(key)


def statistic(key: str) -> Callable[[Sequence[Judged]], float | None]:
    """The figure as a function of records; to compute it often, prepare once and draw weights."""
    definition(key)
    return lambda judged: Prepared(judged).value(key)


def _rare(field: str, rare: Callable[[int], int]) -> Callable[[Prepared, Floats], Floats]:
    return lambda prepared, weights: agreement.f1(prepared.table(field, weights, rare))[..., 1]


def _miss_at(rate: float) -> Callable[[Prepared, Floats], Floats]:
    return lambda prepared, weights: work.miss_at(rate, prepared.scores, prepared.needs, weights)


_WHOLE: Mapping[str, Callable[[Prepared, Floats], Floats]] = {
    "verdict_macro_f1": lambda prepared, weights: agreement.macro_f1(prepared.table("verdict", weights)),
    "verdict_kappa": lambda prepared, weights: agreement.kappa(prepared.table("verdict", weights)),
    "risk_kappa": lambda prepared, weights: agreement.kappa(prepared.table("risk", weights), quadratic=True),
    # Rare among people's records are 是 and 待确认, which both ask for somebody, and 否.
    "needs_adaptation_f1": _rare("needs_adaptation", lambda code: code != _NO_ADAPTATION),
    "npu_affected_f1": _rare("npu_affected", lambda code: code == _NOT_AFFECTED),
    "work_auc": lambda prepared, weights: work.auc(prepared.scores, prepared.needs, weights),
    **{miss_at(rate): _miss_at(rate) for rate in FALSE_ALARM_RATES},
}
