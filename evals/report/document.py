"""The report as JSON for programs: manifest, scoring, and a row per record. Texts are cleaned, none is cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.report.building import Report
from evals.report.explaining import explain
from evals.report.rows import RecordRow
from reviewbot.models import Labels, needs_work
from reviewbot.render.scrub import clean

#: Raised when a name or meaning in the document changes.
DOCUMENT_VERSION = 1


def as_document(report: Report) -> dict[str, Any]:
    """``records`` come in the order of the report. What a record has no answer for is null."""
    document: dict[str, Any] = {
        "report_version": DOCUMENT_VERSION,
        "headline": list(report.headline),
        "manifest": report.manifest.model_dump(mode="json"),
        "scoring": report.scoring.model_dump(mode="json"),
        "comparisons": [
            {"baseline": one.baseline, "contest": one.contest, "certain": one.certain} for one in report.comparisons
        ],
        "judge": report.judge.summary.model_dump(mode="json") if report.judge.summary else None,
        "records": [_record(row) for row in report.rows],
    }
    return {key: _cleaned(value) for key, value in document.items()}


def _record(row: RecordRow) -> dict[str, Any]:
    record, answer = row.record, row.answer
    return {
        "id": record.id,
        "upstream_pr": record.upstream_pr,
        "title": record.title,
        "batch": record.batch,
        "standing": row.standing,
        "state": answer.state if answer else None,
        "needs_work_score": row.score,
        "needs_work": {
            "team": needs_work(record.labels),
            "draft": needs_work(answer.labels) if answer else None,
            "prior": needs_work(answer.prior) if answer else None,
        },
        "labels": {
            "team": _labels(record.labels),
            "draft": _labels(answer.labels if answer else None),
            "proposed": _labels(answer.proposed if answer else None),
            "prior": _labels(answer.prior if answer else None),
        },
        "differing": list(row.differing),
        "why": list(explain(row)),
        "rules": list(answer.rules) if answer else [],
        "places": [
            {"path": one.place.path, "scope": one.place.scope, "standing": one.standing, "rank": one.rank}
            for one in row.places
        ],
        "removed": [{"sentence": one.sentence, "messages": list(one.messages)} for one in row.removed],
        "usage": answer.usage.model_dump(mode="json") if answer else None,
        "seconds": answer.seconds if answer else None,
        "error": row.error.model_dump(mode="json") if row.error else None,
    }


def _labels(labels: Labels | None) -> Mapping[str, Any] | None:
    return labels.model_dump(mode="json") if labels else None


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {key: _cleaned(one) for key, one in value.items()}
    return value
