"""TSV and CSV: rows of cells between separators, a cell that holds one of them quoted with its quotes doubled.

Written here rather than left to the ``csv`` module because one quote left open must cost one row, not the rest of the
file: reading takes up again on the line after the row's first.

A cell that a spreadsheet would run as a formula carries an apostrophe (``reviewbot.render.spreadsheet``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from reviewbot.models import Record
from reviewbot.records import words
from reviewbot.records.columns import read_header
from reviewbot.records.decoding import line_end
from reviewbot.records.grid import Cells, read_grid
from reviewbot.records.models import Problem, ReadRow, TeamRecord, team_record
from reviewbot.records.rows import STAGE, cells_of, column_name
from reviewbot.render.spreadsheet import guard, unguard

TAB = "\t"
#: Excel writes the second one where the comma is the decimal point.
_SEPARATORS = (",", ";", TAB)
#: Possessive: a quote that stays open is found out in one pass.
_QUOTED = r'[ ]*"((?:[^"]++|"")*+)"[ ]*'
_OLD_ROW = ("verdict", "summary", "analysis", "risk", "needs_adaptation", "npu_affected")
_NEW_ROW = (*_OLD_ROW[:5], "needs_cann", "npu_affected")


def read_tsv(text: str) -> Iterator[ReadRow | Problem]:
    return read_grid(split(text, TAB))


def read_csv(text: str) -> Iterator[ReadRow | Problem]:
    """Whichever of comma, semicolon and tab the file is written with."""
    return read_grid(split(text, max(_SEPARATORS, key=lambda separator: _fit(text, separator))))


def _fit(text: str, separator: str) -> tuple[int, int]:
    """How well a separator explains the first row: names of columns found, then cells."""
    first = next(split(text, separator), Cells(1, ()))
    header = read_header(first.cells)
    return (sum(column is not None for column in header.columns) if header else 0, len(first.cells))


def split(text: str, separator: str) -> Iterator[Cells]:
    """Rows of ``text``, cells unguarded, blank rows left out; a row with an open quote has a fault and no cells."""
    mark = re.escape(separator)
    cell = re.compile(rf"(?:{_QUOTED}(?={mark}|\n|\Z)|(?!\")([^{mark}\n]*+))({mark})?")
    position, line = 0, 1
    while position < len(text):
        row, end = _row(cell, text, position)
        if end < len(text) and text[end] != "\n":
            yield Cells(line, (), words.OPEN_QUOTE)
            end = line_end(text, position)
        elif any(one.strip() for one in row):
            yield Cells(line, row)
        line += text.count("\n", position, end) + 1
        position = end + 1


def _row(cell: re.Pattern[str], text: str, position: int) -> tuple[tuple[str, ...], int]:
    """The cells from ``position`` on and where they end: before a line end, unless something is wrong there."""
    row: list[str] = []
    while found := cell.match(text, position):
        quoted, plain, separator = found.groups()
        row.append(unguard(plain if quoted is None else quoted.replace('""', '"')))
        position = found.end()
        if separator is None:
            break
    return tuple(row), position


def write_tsv(records: Iterable[TeamRecord]) -> bytes:
    return _write(records, TAB, "\n").encode()


def write_csv(records: Iterable[TeamRecord]) -> bytes:
    """Commas and CRLF, with the mark by which Excel knows UTF-8."""
    return b"\xef\xbb\xbf" + _write(records, ",", "\r\n").encode()


def _write(records: Iterable[TeamRecord], separator: str, line_end: str) -> str:
    header = [column_name(column) for column in words.COLUMN_NAMES]
    rows = chain([header], (cells_of(record).values() for record in records))
    return "".join(separator.join(_quoted(guard(cell), separator) for cell in row) + line_end for row in rows)


def row_old(record: Record) -> str:
    """The row of an analysis as it is pasted into the old table: no header, no number, no needs_cann, no line end."""
    return _pasted(record, _OLD_ROW)


def row_new(record: Record) -> str:
    """As ``row_old``, with needs_cann (an empty cell when absent)."""
    return _pasted(record, _NEW_ROW)


def _pasted(record: Record, columns: tuple[str, ...]) -> str:
    cells = cells_of(team_record(record))
    row = [cells[column] for column in columns]
    if cells[STAGE]:
        row.append(words.stage(cells[STAGE]))
    return TAB.join(_quoted(guard(cell), TAB) for cell in row)


def _quoted(cell: str, separator: str) -> str:
    plain = separator not in cell and '"' not in cell and "\n" not in cell
    return cell if plain else '"' + cell.replace('"', '""') + '"'
