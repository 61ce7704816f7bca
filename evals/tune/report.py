"""What tuning shows: recall of records that the weights did not see, and how far each weight moved. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from evals.recall import RankedRecord, Ratio, Recall, recall_at
from evals.scores.agreement import divided
from evals.scores.intervals import bootstrap_interval, draw_weights
from evals.tune import words
from evals.tune.fitting import Tuned
from evals.tune.folds import Movement

DEPTHS = (5, 10, 20, 50)


def recall_table(tuned: Tuned) -> Table:
    table = Table(title=words.recall_title(len(tuned.held_out), len(tuned.folds)))
    names = (words.COLUMN_FITTED_SCOPE, words.COLUMN_FITTED_FILE, words.COLUMN_HAND_SCOPE, words.COLUMN_HAND_FILE)
    for name in (words.COLUMN_DEPTH, *names):
        table.add_column(name, justify="right")
    for k in DEPTHS:
        cells = [_shown(_level(rows, k, of)) for rows in (tuned.held_out, tuned.by_hand) for of in (_scope, _file)]
        table.add_row(str(k), *cells)
    return table


def weights_table(tuned: Tuned) -> Table:
    """Numbers that moved in the fit on everything or in any fold."""
    table = Table(title=words.weights_title(len(tuned.folds)))
    table.add_column(words.COLUMN_WEIGHT)
    numbers = (words.COLUMN_BY_HAND, words.COLUMN_FITTED, words.COLUMN_RATIO, words.COLUMN_GREW, words.COLUMN_SHRANK)
    for name in numbers:
        table.add_column(name, justify="right")
    for one in moved(tuned):
        ratio = f"{one.fitted / one.by_hand:.2f}"
        table.add_row(one.name, str(one.by_hand), str(one.fitted), ratio, str(one.grew), str(one.shrank))
    return table


def moved(tuned: Tuned) -> list[Movement]:
    return [one for one in tuned.movements if one.fitted != one.by_hand or one.grew or one.shrank]


def document(tuned: Tuned) -> dict[str, Any]:
    """Shape of ``--json``."""
    return {
        "records": len(tuned.held_out),
        "leave_one_batch_out": [_recall_row(tuned.held_out, k) for k in DEPTHS],
        "by_hand": [_recall_row(tuned.by_hand, k) for k in DEPTHS],
        "weights": [
            {
                "name": one.name,
                "by_hand": one.by_hand,
                "fitted_on_all": one.fitted,
                "folds_grew": one.grew,
                "folds_shrank": one.shrank,
            }
            for one in tuned.movements
        ],
        "folds": [
            {"batch": fold.batch, "records": [one.id for one in fold.held_out], "weights": fold.values}
            for fold in tuned.folds
        ],
    }


def _recall_row(rows: Sequence[RankedRecord], k: int) -> dict[str, Any]:
    found: dict[str, Any] = {"k": k}
    for name, of in (("scope", _scope), ("file", _file)):
        ratio, between = _level(rows, k, of)
        found[name] = {"value": ratio.value, "hits": ratio.hits, "total": ratio.total, "interval": between}
    return found


def _level(
    rows: Sequence[RankedRecord], k: int, of: Callable[[Recall], Ratio]
) -> tuple[Ratio, tuple[float, float] | None]:
    each = [of(recall_at(k, [row])) for row in rows]
    return of(recall_at(k, rows)), interval(each)


def interval(rows: Sequence[Ratio]) -> tuple[float, float] | None:
    """Of hits over total, one ratio a record: records are drawn, not places. None where draws cannot tell."""
    told = [row for row in rows if row.total]
    hits, totals = (np.array([getattr(row, name) for row in told], dtype=np.float64) for name in ("hits", "total"))
    weights = draw_weights(np.arange(len(told)))
    between = bootstrap_interval(divided(weights @ hits, weights @ totals), len(told)) if told else None
    return None if between is None else (between.low, between.high)


def _scope(recall: Recall) -> Ratio:
    return recall.scope


def _file(recall: Recall) -> Ratio:
    return recall.file


def _shown(level: tuple[Ratio, tuple[float, float] | None]) -> str:
    ratio, between = level
    if ratio.value is None:
        return "—"
    shown = f"{ratio.value:.3f} ({ratio.hits}/{ratio.total})"
    return shown if between is None else f"{shown} [{between[0]:.2f}, {between[1]:.2f}]"
