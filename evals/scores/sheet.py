"""Puts all figures of one set of records together.

Errors are counted and kept apart: they are no wrong answers, and every share says what it rests on. All other states
are answers, whose labels are scored as printed; ``states`` counts each answer once, ``unclear`` standing for a finished
draft that says 待确认. Giving up is thus never free: it says that the record needs work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from evals.records import LabelledRecord
from evals.run.models import Answer
from evals.scores.calibration import reliability
from evals.scores.intervals import Floats, bootstrap_interval, clustered_wilson, draw_weights
from evals.scores.keys import KEYS, Kind, definition
from evals.scores.label_values import VALUES, value_of, written
from evals.scores.majority import batch_verdict
from evals.scores.models import BatchRow, Confusion, Interval, Judged, RareCase, Score, ScoreSheet
from evals.scores.prepared import Prepared
from reviewbot.models import AnalysisState, NeedsAdaptation, needs_work

#: The row of finished drafts that leave needs_adaptation open.
UNCLEAR = "unclear"
#: A class with fewer cases is listed, since no average of so few says anything.
FEW = 10


def score_sheet(
    name: str,
    judged: Sequence[Judged],
    *,
    pool: Sequence[LabelledRecord] | None = None,
    keys: Sequence[str] = KEYS,
    fallbacks: int = 0,
) -> ScoreSheet:
    """``pool`` are the records whose batches vote in `BatchRow.majority_hits`: all at hand, else those judged.

    A subset (a half, a split) is scored by handing in the subset. ``fallbacks`` is kept as given.
    """
    prepared = Prepared(judged)
    weights = draw_weights(prepared.clusters)
    errors = Counter(str(one.outcome.error.kind) for one in judged if one.outcome.error)
    voters = [one.record for one in judged] if pool is None else pool
    return ScoreSheet(
        name=name,
        records=len(judged),
        answered=len(prepared.answers),
        errors=dict(sorted(errors.items())),
        states=_states([answer for _, _, answer in prepared.answers]),
        scores=tuple(_score(key, prepared, weights) for key in keys),
        confusions={field: _confusion(field, prepared) for field in VALUES},
        reliability=reliability(zip(prepared.scores.tolist(), prepared.needs.tolist(), strict=True)),
        batches=_batches(prepared, voters),
        rare=_rare(judged),
        fallbacks=fallbacks,
    )


def _score(key: str, prepared: Prepared, weights: Floats) -> Score:
    kind, value = definition(key).kind, prepared.value(key)
    if kind is Kind.WHOLE:
        return Score(key=key, value=value, n=len(prepared.answers), interval=_drawn(key, value, prepared, weights))
    amounts, units = prepared.column(key)
    n = int(units.sum())
    if kind is Kind.COST:
        return Score(key=key, value=value, n=n)
    if kind is Kind.MEAN:
        return Score(key=key, value=value, n=n, interval=_drawn(key, value, prepared, weights))
    interval = clustered_wilson(amounts, units, prepared.clusters)
    return Score(key=key, value=value, n=n, hits=int(amounts.sum()), interval=interval)


def _drawn(key: str, value: float | None, prepared: Prepared, weights: Floats) -> Interval | None:
    return None if value is None else bootstrap_interval(prepared.values(key, weights), prepared.batches(key))


def _states(answers: Sequence[Answer]) -> dict[str, int]:
    """Every row that occurs, in the order of the enumeration with `UNCLEAR` behind ``done``; sums to the answers."""
    counted = Counter(
        UNCLEAR
        if answer.state is AnalysisState.DONE and answer.labels.needs_adaptation is NeedsAdaptation.UNCLEAR
        else str(answer.state)
        for answer in answers
    )
    rows = [str(state) for state in AnalysisState]
    rows.insert(1 + rows.index(AnalysisState.DONE), UNCLEAR)
    return {row: counted[row] for row in rows if counted[row]}


def _confusion(field: str, prepared: Prepared) -> Confusion:
    (table,) = prepared.table(field, np.ones((1, len(prepared.answers))))
    return Confusion(
        values=tuple(written(value) for value in VALUES[field]),
        counts=tuple(tuple(int(count) for count in row) for row in table),
    )


def _batches(prepared: Prepared, pool: Sequence[LabelledRecord]) -> tuple[BatchRow, ...]:
    """One row per batch that has an answer, in the order they come."""
    grouped: dict[str, list[tuple[LabelledRecord, Answer]]] = {}
    for _, one, answer in prepared.answers:
        grouped.setdefault(one.record.batch, []).append((one.record, answer))
    return tuple(_batch(batch, members, pool) for batch, members in grouped.items())


def _batch(batch: str, members: Sequence[tuple[LabelledRecord, Answer]], pool: Sequence[LabelledRecord]) -> BatchRow:
    said = [(needs_work(record.labels), needs_work(answer.labels)) for record, answer in members]
    return BatchRow(
        batch=batch,
        n=len(members),
        verdict_hits=sum(record.labels.verdict is answer.labels.verdict for record, answer in members),
        majority_hits=sum(record.labels.verdict is batch_verdict(record, pool) for record, _ in members),
        needs_work=sum(needed for needed, _ in said),
        missed=sum(needed and not flagged for needed, flagged in said),
        false_alarms=sum(flagged and not needed for needed, flagged in said),
    )


def _rare(judged: Sequence[Judged]) -> tuple[RareCase, ...]:
    """Every record of a class that people gave fewer than `FEW` times; an error answered nothing."""
    counts = Counter((field, value_of(one.record.labels, field)) for one in judged for field in VALUES)
    return tuple(
        RareCase(
            label=field,
            value=written(value),
            record=one.record.id,
            answered=written(value_of(one.outcome.answer.labels, field)) if one.outcome.answer else None,
        )
        for field in VALUES
        for value in VALUES[field]
        if counts[field, value] < FEW
        for one in judged
        if value_of(one.record.labels, field) is value
    )
