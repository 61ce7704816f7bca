"""Labelled records beside invented answers, for scores."""

from __future__ import annotations

from typing import Any

from evals.recall import Place
from evals.run.models import Answer, CaseError, ErrorKind, Outcome
from evals.scores.models import Judged
from reviewbot.models import Labels, Usage
from tests.support import runs
from tests.support.labelled import LABELS, labelled

Given = dict[str, Any]

#: Short for what most tests say of a record: does it need work?
WORK: Given = {"risk": "medium"}
IDLE: Given = {}
UNPAID = Usage()


def answer(score: float = 0.5, *, prior: Given | None = None, **given: Any) -> Answer:
    """Keywords that are labels replace those of `LABELS`, the others fields of the answer."""
    labels = Labels.model_validate(LABELS | {key: value for key, value in given.items() if key in LABELS})
    fields = {key: value for key, value in given.items() if key not in LABELS}
    if prior is not None:
        fields["prior"] = Labels.model_validate(LABELS | prior)
    return runs.answer(labels, score, **({"rules": (), "seconds": 0.0} | fields))


def judged(
    name: str,
    truth: Given,
    given: Answer,
    *,
    batch: str = "b00",
    existing: tuple[tuple[str, str], ...] = (),
    text: str = "",
) -> Judged:
    return Judged(
        record=labelled(name, batch=batch, **truth),
        outcome=Outcome(record=name, answer=given),
        existing=frozenset(Place(*place) for place in existing),
        text=text,
    )


def failed(
    name: str, truth: Given, *, batch: str = "b00", kind: ErrorKind = ErrorKind.WRITER, usage: Usage = UNPAID
) -> Judged:
    error = CaseError(kind=kind, message="no draft", usage=usage)
    return Judged(record=labelled(name, batch=batch, **truth), outcome=Outcome(record=name, error=error))
