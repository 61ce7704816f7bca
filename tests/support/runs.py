"""Stored runs over invented records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from evals.records import LabelledRecord
from evals.run.models import Answer, CaseError, Engine, ErrorKind, Manifest, Outcome, Revisions, Run
from reviewbot.models import AnalysisState, Decision, Labels, Usage, needs_work


def answer(labels: Labels, score: float | None = None, **fields: Any) -> Answer:
    """An answer of the rules: labels and a score, nothing written. Keywords replace fields."""
    content: dict[str, Any] = {
        "state": AnalysisState.DONE,
        "labels": labels,
        "needs_work_score": (0.8 if needs_work(labels) else 0.2) if score is None else score,
        "proposed": labels,
        "prior": labels,
        "decision": Decision.OPEN,
        "rules": ("check-hooked",),
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
        "seconds": 0.1,
    }
    return Answer(**content | fields)


def failed(record: str) -> Outcome:
    return Outcome(record=record, error=CaseError(kind=ErrorKind.ANALYSIS, message="ValueError: torn"))


def run_of(name: str, outcomes: Sequence[Outcome], **manifest: Any) -> Run:
    content: dict[str, Any] = {
        "name": name,
        "engine": Engine.RULES,
        "created": datetime(2026, 1, 2, tzinfo=UTC),
        "records": tuple(outcome.record for outcome in outcomes),
        "split": None,
        "sample": None,
        "seed": 0,
        "data": "d" * 64,
        "inputs": "i" * 64,
        "revisions": Revisions(upstream_base="2.13.0", downstream="2.13.0"),
        "versions": {},
        "parameters": {},
        "commit": None,
        "dirty": False,
    }
    return Run(manifest=Manifest(**content | manifest), outcomes=tuple(outcomes))


def agreeing(records: Sequence[LabelledRecord]) -> list[Outcome]:
    """A run that says what people said of every record."""
    return [Outcome(record=record.id, answer=answer(record.labels)) for record in records]
