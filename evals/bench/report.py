"""Topics as tables for people and as one JSON document."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from evals.bench import words
from evals.bench.figures import Figure, Target, Topic, Unit
from evals.bench.subject import Subject

_DIGITS = {Unit.SECONDS: 2, Unit.MILLISECONDS: 1, Unit.MEGABYTES: 0, Unit.TIMES: 1, Unit.COUNT: 0}


def machine() -> dict[str, Any]:
    """What figures depend on. ``load`` is that of the last minute; above 0 at the start others were at work too."""
    return {
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def table(topic: Topic) -> Table:
    drawn = Table(title=topic.title, title_justify="left")
    if topic.growth:
        drawn.add_column(words.COLUMN_SIZE, justify="right")
        for label in topic.columns.values():
            drawn.add_column(label, justify="right")
        first = topic.growth[0]
        for row in topic.growth:
            cells = (_grown(row.costs[key], first.costs[key]) for key in topic.columns)
            drawn.add_row(words.grown_size(row.size, row.factor), *cells)
        return drawn
    drawn.add_column(words.COLUMN_WHAT)
    for label in (words.COLUMN_VALUE, words.COLUMN_TARGET):
        drawn.add_column(label, justify="right")
    drawn.add_column(words.COLUMN_MET)
    drawn.add_column(words.COLUMN_NOTE)
    for figure in topic.figures:
        drawn.add_row(figure.label, _value(figure), _target(figure), _met(figure), figure.note)
    return drawn


def _value(figure: Figure) -> str:
    shown = words.quantity(figure.value, figure.unit, _DIGITS[figure.unit])
    many = len(figure.samples) if 1 < len(figure.samples) <= words.MOST_RUNS else 0
    return words.of_runs(shown, many) if many else shown


def _target(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return words.bound(figure.target.least, words.quantity(figure.target.bound, figure.unit, 0))


def _met(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return words.verdict(figure.target.is_met(figure.value), figure.target.ratio(figure.value))


def _grown(cost: float, first: float) -> str:
    return f"{cost:.2f} ({cost / first:.1f}×)" if first else f"{cost:.2f}"


def document(topics: Sequence[Topic], subject: Subject, before: dict[str, Any], quick: bool) -> dict[str, Any]:
    """Shape of ``--json``. ``value`` is the median of ``samples`` where these are listed."""
    return {
        "machine": before,
        "subject": {"name": subject.name, "real": subject.is_real, "changes": len(subject.changes)},
        "quick": quick,
        "topics": [_topic(topic) for topic in topics],
    }


def _topic(topic: Topic) -> dict[str, Any]:
    shape: dict[str, Any] = {"key": topic.key, "title": topic.title}
    if topic.growth:
        rows = [
            {"factor": row.factor, "size": row.size, **{key: round(cost, 3) for key, cost in row.costs.items()}}
            for row in topic.growth
        ]
        return shape | {"growth": rows}
    return shape | {"figures": [_figure(figure) for figure in topic.figures]}


def _figure(figure: Figure) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "key": figure.key,
        "label": figure.label,
        "value": round(figure.value, 3),
        "unit": figure.unit.value,
        "note": figure.note,
        "samples": [round(sample, 3) for sample in figure.samples],
    }
    return shape | (_judged(figure.value, figure.target) if figure.target is not None else {})


def _judged(value: float, target: Target) -> dict[str, Any]:
    return {
        "target": target.bound,
        "at_least": target.least,
        "met": target.is_met(value),
        "ratio": round(target.ratio(value), 3),
    }
