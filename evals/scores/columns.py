"""What each record adds to a score, and how scores without such parts are computed. Pure.

`PARTS` gives (amount, units) of one answered record: a share or mean is the sum of amounts over the sum of units, and a
record with 0 units takes no part. Errors never come here. A text is scored where one was written: rules alone write
none, while a paragraph from which verification removed every sentence was written and has nothing left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evals.run.models import Answer
from evals.scores import evidence
from evals.scores.calibration import brier
from evals.scores.label_values import VALUES, value_of
from evals.scores.models import Judged
from evals.scores.paragraph import PARTS as PARAGRAPH_PARTS
from evals.scores.paragraph import parts_of
from evals.scores.similarity import chrf
from reviewbot.models import needs_work

Part = tuple[float, float]
PartOf = Callable[[Judged, Answer], Part]

NOTHING: Part = (0.0, 0.0)


def _agrees(field: str) -> PartOf:
    return lambda one, answer: (value_of(one.record.labels, field) is value_of(answer.labels, field), 1)


def _missed(one: Judged, answer: Answer) -> Part:
    return (not needs_work(answer.labels), 1) if needs_work(one.record.labels) else NOTHING


def _false_alarm(one: Judged, answer: Answer) -> Part:
    return NOTHING if needs_work(one.record.labels) else (needs_work(answer.labels), 1)


def _brier(one: Judged, answer: Answer) -> Part:
    return brier(answer.needs_work_score, needs_work(one.record.labels)), 1


def _cited(measure: Callable[..., evidence.Counts], by_file: bool) -> PartOf:
    return lambda one, answer: measure(one.existing, answer.cited, by_file) if _wrote(answer) else NOTHING


def _shown(measure: Callable[..., evidence.Counts], by_file: bool) -> PartOf:
    return lambda one, answer: measure(one.existing, answer.shown, by_file)


def _has(part: str) -> PartOf:
    return lambda _, answer: (parts_of(answer.analysis)[part], 1) if _wrote(answer) else NOTHING


def _coverage(_: Judged, answer: Answer) -> Part:
    return (sum(parts_of(answer.analysis).values()), len(PARAGRAPH_PARTS)) if _wrote(answer) else NOTHING


def _chrf(one: Judged, answer: Answer) -> Part:
    score = chrf(answer.analysis, one.text) if one.text and _wrote(answer) else None
    return NOTHING if score is None else (score, 1)


def _wrote(answer: Answer) -> bool:
    return bool(answer.analysis or answer.removed or answer.citations)


def _evidence() -> Iterator[tuple[str, PartOf]]:
    for measure in (evidence.recall, evidence.precision):
        for ending, by_file in (("", False), ("_file", True)):
            yield f"cited_{measure.__name__}{ending}", _cited(measure, by_file)
            yield f"shown_{measure.__name__}{ending}", _shown(measure, by_file)


PARTS: Mapping[str, PartOf] = {
    "miss_rate": _missed,
    "false_alarm_rate": _false_alarm,
    "brier": _brier,
    **{f"{field}_accuracy": _agrees(field) for field in VALUES},
    **dict(_evidence()),
    "citations_resolved": lambda _, answer: (answer.resolved, answer.citations),
    **{f"part_{part}": _has(part) for part in PARAGRAPH_PARTS},
    "paragraph_coverage": _coverage,
    "chrf": _chrf,
}
