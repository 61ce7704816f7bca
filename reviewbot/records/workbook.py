"""XLSX: the first sheet with a table of records. openpyxl comes with the extra ``xlsx`` and is imported here only.

Formulas are never evaluated: a formula reads as its own text, which is a fault in a label and a link in the PR column;
what we write is guarded so that no program runs it. A workbook is a zip archive from outside: its size unpacked is
checked before it is opened, and rows and columns are bounded whatever its dimensions claim. Entities of XML are left to
expat, which stops them.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from reviewbot.records import words
from reviewbot.records.columns import read_header
from reviewbot.records.grid import MOST_ABOVE, Cells, read_grid
from reviewbot.records.models import Problem, ReadRow, Severity, TeamRecord
from reviewbot.records.rows import TableError, cells_of, clipped, column_name, is_verdict
from reviewbot.render.spreadsheet import guard, unguard

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MOST_UNPACKED = 100_000_000  # bytes
MOST_PARTS = 1_000
MOST_ROWS = 20_000
MOST_COLUMNS = 64
#: Excel's own bound; openpyxl would cut what is longer without a word.
MOST_CELL = 32_767
_WIDTHS = {"summary": 40, "analysis": 80, "title": 30, "cann_note": 40}


class _Sheet(NamedTuple):
    """``rows`` without the blank ones; ``whole`` when nothing can stand below the last row that was looked at."""

    title: str
    rows: list[Cells]
    whole: bool

    @property
    def is_table(self) -> bool:
        first = self.rows[:MOST_ABOVE]
        return any(read_header(row.cells) is not None or any(map(is_verdict, row.cells[:2])) for row in first)


def read_workbook(content: bytes) -> Iterator[ReadRow | Problem]:
    """Raises `TableError` for a file that is no workbook, is damaged or too large, or without openpyxl."""
    _check_archive(content)
    sheets = [sheet for sheet in _sheets(content) if sheet.rows]
    chosen = next((sheet for sheet in sheets if sheet.is_table), sheets[0] if sheets else _Sheet("", [], True))
    yield from read_grid(chosen.rows)
    if not chosen.whole:
        yield Problem(line=MOST_ROWS + 1, severity=Severity.NOTICE, reason=words.rows_unread(MOST_ROWS))
    if others := tuple(clipped(sheet.title) for sheet in sheets if sheet is not chosen):
        yield Problem(line=1, severity=Severity.NOTICE, reason=words.sheets_unread(others))


def _check_archive(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise TableError(words.NOT_XLSX) from error
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise TableError(words.WORKBOOK_BOMB)
    if "[Content_Types].xml" not in {part.filename for part in parts}:
        raise TableError(words.NOT_XLSX)


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError as error:
        raise TableError(words.NO_OPENPYXL) from error
    return openpyxl


def _sheets(content: bytes) -> list[_Sheet]:
    openpyxl = _openpyxl()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what openpyxl does not keep, such as drop-down lists
        try:
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
            return [_sheet(sheet) for sheet in book.worksheets]
        except Exception as error:  # whatever a damaged part makes of the parsers of others
            raise TableError(words.workbook_damaged(type(error).__name__)) from error


def _sheet(sheet: Any) -> _Sheet:
    """openpyxl stops at the last row of the sheet, or fills up to the bound when rows go on beyond it."""
    rows: list[Cells] = []
    line = 0
    found = sheet.iter_rows(min_row=1, max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
    for line, row in enumerate(found, start=1):
        cells = tuple(unguard(_text(value)) for value in row)
        if line <= MOST_ROWS and any(cell.strip() for cell in cells):
            rows.append(Cells(line, _without_blank_end(cells)))
    return _Sheet(sheet.title, rows, line <= MOST_ROWS)


def _without_blank_end(cells: tuple[str, ...]) -> tuple[str, ...]:
    return cells[: max(place for place, cell in enumerate(cells, start=1) if cell.strip())]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def write_workbook(records: Iterable[TeamRecord]) -> bytes:
    """One sheet, its header frozen and filtered. Raises `TableError` for a cell that Excel cannot hold."""
    openpyxl = _openpyxl()
    # Checked before anything is begun: a workbook left half written complains when it is collected.
    rows = [list(_checked(number, cells_of(record))) for number, record in enumerate(records, start=1)]
    book: Workbook = openpyxl.Workbook(write_only=True)
    sheet: Any = book.create_sheet(words.SHEET)
    sheet.freeze_panes = "A2"
    for place, column in enumerate(words.COLUMN_NAMES):
        sheet.column_dimensions[openpyxl.utils.get_column_letter(place + 1)].width = _WIDTHS.get(column, 12)
    sheet.append([column_name(column) for column in words.COLUMN_NAMES])
    wrapped = openpyxl.styles.Alignment(wrap_text=True, vertical="top")
    for row in rows:
        sheet.append([_cell(openpyxl, sheet, text, wrapped) for text in row])
    sheet.auto_filter.ref = f"A1:{openpyxl.utils.get_column_letter(len(words.COLUMN_NAMES))}{len(rows) + 1}"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _checked(row: int, cells: dict[str, str]) -> Iterator[str]:
    for column, text in cells.items():
        safe = guard(text)
        if len(safe) > MOST_CELL:
            raise TableError(words.cell_too_long_for_workbook(row, column_name(column), len(safe), MOST_CELL))
        yield safe


def _cell(openpyxl: Any, sheet: Any, text: str, alignment: Any) -> Any:
    cell = openpyxl.cell.WriteOnlyCell(sheet, text or None)
    cell.alignment = alignment
    return cell
