"""``write_table``: records to any form; every form but the old text gives back the same records when it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewbot.records.delimited import write_csv, write_tsv
from reviewbot.records.forms import Form
from reviewbot.records.jsonl import write_jsonl
from reviewbot.records.legacy import write_legacy
from reviewbot.records.markdown import write_markdown
from reviewbot.records.models import TeamRecord
from reviewbot.records.workbook import write_workbook

_WRITERS: dict[Form, Callable[[Sequence[TeamRecord]], bytes]] = {
    Form.LEGACY: write_legacy,
    Form.TSV: write_tsv,
    Form.CSV: write_csv,
    Form.MARKDOWN: write_markdown,
    Form.XLSX: write_workbook,
    Form.JSONL: write_jsonl,
}
#: What the old text has no place for.
_NOT_IN_LEGACY = ("upstream_pr", "title", "date", "analyst", "batch")


def write_table(records: Sequence[TeamRecord], form: Form) -> bytes:
    """The file. Raises `TableError` for a cell that a workbook cannot hold, or when openpyxl is not installed."""
    return _WRITERS[form](records)


def lost_in(records: Sequence[TeamRecord], form: Form) -> tuple[str, ...]:
    """Columns that some record fills and the form has no place for."""
    if form is not Form.LEGACY:
        return ()
    return tuple(column for column in _NOT_IN_LEGACY if any(getattr(record, column) for record in records))
