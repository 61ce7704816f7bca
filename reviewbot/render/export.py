"""JSON and CSV of an analysis, for programs and spreadsheets.

Contract: ``AnalysisExport`` is the published shape, ``json_schema()`` its JSON Schema. Names and values of ``labels``
are those of the labelled records, every ledger item has ``kind``, ``path``, ``scope`` and ``lines``, and hunks are left
out unless asked for. Strings are cleaned (no secret, nothing invisible); ``record``, ``summary`` and ``analysis`` are
scrubbed as well, since they are what people paste.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from pydantic import Field

from retrieval.models import Delta, FileStatus, Frozen, Hunk, Ledger, UpstreamChange
from reviewbot.models import Analysis, AnalysisState, CheckedDraft, Labels, Prior, Record, Usage
from reviewbot.render.labels import LABEL_ORDER
from reviewbot.render.record import record
from reviewbot.render.scrub import clean
from reviewbot.render.spreadsheet import guard

#: Raised when a name or meaning in the export changes.
EXPORT_VERSION = 1


class FileExport(Frozen):
    """A changed file by its size; ``hunks`` is null unless asked for."""

    path: str
    old_path: str | None
    status: FileStatus
    binary: bool
    added: int
    removed: int
    hunks: tuple[Hunk, ...] | None = None


class ChangeExport(Frozen):
    """The upstream change. ``added`` and ``removed`` are null when the diff is only a part."""

    number: int | None
    title: str
    body: str
    labels: tuple[str, ...]
    merged: bool
    reverted: bool
    date: str | None
    base_sha: str | None
    head_sha: str | None
    source: str
    files: tuple[FileExport, ...]
    other_paths: tuple[str, ...]
    test_names: tuple[str, ...]
    diff_complete: bool
    added: int | None
    removed: int | None


class TimingExport(Frozen):
    """Milliseconds per step, and their sum."""

    change: float
    delta: float
    index: float
    ledger: float
    prior: float
    draft: float
    verify: float
    total: float


class AnalysisExport(Frozen):
    """One analysis. ``analysis`` is the rendered paragraph, ``draft`` the same with its ledger ids.

    ``E3`` is an item of the ledger, ``E3.2`` the first of its ``further`` couplings, ``E3.3`` the next.
    """

    export_version: int = EXPORT_VERSION
    state: AnalysisState
    reason: str
    change: ChangeExport
    delta: Delta
    ledger: Ledger
    prior: Prior
    labels: Labels
    summary: str
    analysis: str
    draft: CheckedDraft
    record: Record
    usage: Usage = Usage()
    versions: dict[str, str] = Field(default_factory=dict)
    timing: TimingExport


def export(analysis: Analysis, *, hunks: bool = False) -> AnalysisExport:
    """The analysis in its published shape, not yet cleaned; ``hunks`` adds the diff."""
    printed = record(analysis)
    timing = TimingExport(**analysis.timing.model_dump(), total=analysis.timing.total)
    return AnalysisExport(
        state=analysis.state,
        reason=analysis.reason,
        change=_change(analysis.change, hunks=hunks),
        delta=analysis.delta,
        ledger=analysis.ledger,
        prior=analysis.prior,
        labels=analysis.draft.labels,
        summary=printed.summary,
        analysis=printed.analysis,
        draft=analysis.draft,
        record=printed,
        usage=analysis.usage,
        versions=analysis.versions,
        timing=timing,
    )


def _change(change: UpstreamChange, *, hunks: bool) -> ChangeExport:
    files = tuple(
        FileExport(
            path=file.path,
            old_path=file.old_path,
            status=file.status,
            binary=file.binary,
            added=file.added,
            removed=file.removed,
            hunks=file.hunks if hunks else None,
        )
        for file in change.files
    )
    same = change.model_dump(include=set(ChangeExport.model_fields) - {"files", "added", "removed"})
    whole = change.diff_complete
    return ChangeExport(
        **same, files=files, added=change.added if whole else None, removed=change.removed if whole else None
    )


def as_json(analysis: Analysis, *, hunks: bool = False) -> dict[str, Any]:
    """A JSON-ready dictionary of the shape ``AnalysisExport``, every string cleaned."""
    cleaned = _cleaned(export(analysis, hunks=hunks).model_dump(mode="json"))
    if not isinstance(cleaned, dict):
        raise TypeError("a model dumps to a dictionary")
    return cleaned


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {key: _cleaned(one) for key, one in value.items()}
    return value


def json_schema() -> dict[str, Any]:
    """JSON Schema of ``as_json``."""
    return AnalysisExport.model_json_schema(mode="serialization")


# --- CSV --------------------------------------------------------------------------------------------------------------

CSV_COLUMNS = (
    "upstream_pr",
    "title",
    "date",
    "state",
    *LABEL_ORDER,
    "summary",
    "analysis",
    "rules",
    "cited",
    "removed",
    "places",
    "misses",
    "base_sha",
    "head_sha",
    "downstream",
    "revision",
    "milliseconds",
)
_BOM = "\ufeff"


def as_csv(analyses: Iterable[Analysis], *, bom: bool = False) -> str:
    """One row per analysis under a header row, CRLF line ends; ``bom`` lets Excel see that it is UTF-8."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for analysis in analyses:
        writer.writerow({column: guard(clean(value)) for column, value in _csv_row(analysis).items()})
    return (_BOM if bom else "") + out.getvalue()


def _csv_row(analysis: Analysis) -> dict[str, str]:
    printed = record(analysis)
    labels = {name: value or "" for name, value in printed.labels.model_dump(mode="json").items()}
    return {
        "upstream_pr": "" if printed.upstream_pr is None else str(printed.upstream_pr),
        "title": printed.title,
        "date": printed.date or "",
        "state": analysis.state,
        **labels,
        "summary": printed.summary,
        "analysis": printed.analysis,
        "rules": " ".join(analysis.prior.rule_ids),
        "cited": " ".join(analysis.draft.cited),
        "removed": str(len(analysis.draft.removed)),
        "places": str(analysis.ledger.totals.found),
        "misses": str(len(analysis.ledger.misses)),
        "base_sha": analysis.change.base_sha or "",
        "head_sha": analysis.change.head_sha or "",
        "downstream": analysis.ledger.downstream,
        "revision": analysis.ledger.revision,
        "milliseconds": f"{analysis.timing.total:.1f}",
    }
