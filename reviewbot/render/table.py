"""The team's table: one record, one row, in the old and in the new column layout.

Old: ``verdict summary analysis risk needs_adaptation npu_affected [stage]``; new: ``needs_cann`` between the two flags.
Rows are tab separated, as a spreadsheet copies and pastes them; a cell that holds a tab, a line end or a quote is
quoted, with its quotes doubled (the team's own export does the same). The stage is a last cell ``compile_stage：X``,
left out when there is none, so a row has 6 or 7 cells in the old layout and 7 or 8 in the new one.

The trap: 7 cells are an old row with a stage or a new row without; the last cell tells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from enum import StrEnum

from pydantic import ValidationError

from reviewbot.models import Labels, Record
from reviewbot.render import words
from reviewbot.render.spreadsheet import guard, unguard

_LINE_ENDS = ("\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


class Layout(StrEnum):
    OLD = "old"
    NEW = "new"


class TableError(ValueError):
    """A row that can't be read; ``line`` is where it starts, 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(words.table_bad_row(line, reason))
        self.line = line
        self.reason = reason


def row_old(record: Record) -> str:
    """One row without ``needs_cann``, no line end."""
    return _row(record, Layout.OLD)


def row_new(record: Record) -> str:
    """One row with ``needs_cann`` (an empty cell when absent), no line end."""
    return _row(record, Layout.NEW)


def rows(records: Iterable[Record], layout: Layout) -> str:
    """All rows, each ended by a newline."""
    return "".join(f"{_row(record, layout)}\n" for record in records)


def _row(record: Record, layout: Layout) -> str:
    labels = record.labels
    cells: list[str] = [labels.verdict, record.summary, record.analysis, labels.risk, labels.needs_adaptation]
    if layout is Layout.NEW:
        cells.append(labels.needs_cann or "")
    cells.append(labels.npu_affected)
    if labels.compile_stage is not None:
        cells.append(f"{words.TABLE_STAGE}{labels.compile_stage}")
    return "\t".join(_quoted(guard(cell)) for cell in cells)


def _quoted(cell: str) -> str:
    """Quoted when it holds a tab, a quote or anything that some reader takes for a line end (csv forgets ``\\r``)."""
    if "\t" not in cell and '"' not in cell and len(cell.splitlines()) < 2 and not cell.endswith(_LINE_ENDS):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def read_rows(text: str) -> tuple[Record, ...]:
    """Rows of either layout back into records (number, title and date are not in the table).

    Raises `TableError` naming the line of the first row that does not fit.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    records: list[Record] = []
    line = 1
    try:
        for cells in reader:
            if cells:
                records.append(_record([unguard(cell) for cell in cells], line))
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError(line, words.TABLE_OPEN_QUOTE) from error
    return tuple(records)


def _record(cells: list[str], line: int) -> Record:
    stage = cells.pop().removeprefix(words.TABLE_STAGE) if cells[-1].startswith(words.TABLE_STAGE) else None
    if len(cells) not in (6, 7):
        raise TableError(line, words.table_wrong_cells(len(cells) + (stage is not None)))
    verdict, summary, analysis, risk, needs_adaptation, *cann, npu_affected = cells
    values = {
        "verdict": verdict,
        "risk": risk,
        "needs_adaptation": needs_adaptation,
        "needs_cann": (cann[0] or None) if cann else None,
        "npu_affected": npu_affected,
        "compile_stage": stage,
    }
    try:
        labels = Labels.model_validate(values)
    except ValidationError as error:
        column = str(error.errors()[0]["loc"][0])
        raise TableError(line, words.table_wrong_value(column, values[column] or "")) from error
    return Record(upstream_pr=None, title="", date=None, labels=labels, summary=summary, analysis=analysis)
