"""Labelled records beside invented answers, for scores."""

from __future__ import annotations

from typing import Any

from evals.recall import Place
from evals.run.models import Answer, CaseError, ErrorKind, Outcome
from evals.scores.models import Judged
from reviewbot.models import AnalysisState, Decision, Labels, Usage
from tests.support.labelled import LABELS, labelled

Given = dict[str, Any]

#: Short for what most tests say of a record: does it need work?
WORK: Given = {"risk": "medium"}
IDLE: Given = {}
UNPAID = Usage()


def answer(score: float = 0.5, *, prior: Given | None = None, **given: Any) -> Answer:
    """Keywords that are labels replace those of `LABELS`, the others fields of the answer."""
    labels = Labels.model_validate(LABELS | {key: value for key, value in given.items() if key in LABELS})
    content: Given = {
        "state": AnalysisState.DONE,
        "labels": labels,
        "needs_work_score": score,
        "proposed": labels,
        "prior": Labels.model_validate(LABELS | prior) if prior is not None else labels,
        "decision": Decision.DECIDED,
        "rules": (),
        "summary": "",
        "analysis": "",
        "draft": "",
        "cited": (),
        "shown": (),
        "citations": 0,
        "resolved": 0,
        "removed": (),
        "findings": {},
        "usage": Usage(),
        "seconds": 0.0,
    }
    return Answer.model_validate(content | {key: value for key, value in given.items() if key not in LABELS})


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
