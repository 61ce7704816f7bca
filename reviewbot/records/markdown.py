"""Markdown tables as GitHub and GitCode read them: ``|`` between cells, a row of dashes under the header.

A cell cannot hold a line end or a bare ``|``: they are written ``<br>`` and ``\\|``. Punctuation that would be markup
is escaped with a backslash, which every reader of Markdown undoes, as this one does. A file may hold prose and several
tables; those with the columns of a record are read, the others are named in a notice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from reviewbot.records import words
from reviewbot.records.columns import read_header
from reviewbot.records.grid import Cells, read_row
from reviewbot.records.models import Problem, ReadRow, Severity, TeamRecord
from reviewbot.records.rows import TableError, cells_of, column_name

_DASHES = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_SPLIT = re.compile(r"(?<!\\)(?:\\\\)*+\|")
_MARKUP = re.compile(r"[\\|`*<>\[\]~&]|(?<![^\W_])_|_(?![^\W_])")
_WRITTEN = re.compile(r"\\([!-/:-@\[-`{-~])|<br\s*/?>|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,31});")


def read_markdown(text: str) -> Iterator[ReadRow | Problem]:
    """Raises `TableError` when there is no table of records at all."""
    lines = text.split("\n")
    position, seen = 0, False
    while position < len(lines):
        if not _starts_table(lines, position):
            position += 1
            continue
        end = next((at for at in range(position + 2, len(lines)) if "|" not in lines[at]), len(lines))
        header = read_header(_cells(lines[position]))
        if header is None or header.lacking:
            lacking = header.lacking if header else [column_name("verdict")]
            yield Problem(line=position + 1, severity=Severity.NOTICE, reason=words.table_unread(lacking))
        else:
            seen = True
            if header.unread:
                reason = words.unknown_columns(header.unread)
                yield Problem(line=position + 1, severity=Severity.NOTICE, reason=reason)
            for at in range(position + 2, end):
                yield read_row(Cells(at + 1, _cells(lines[at])), header)
        position = end
    if not seen:
        raise TableError(words.NO_TABLE)


def _starts_table(lines: list[str], position: int) -> bool:
    return (
        "|" in lines[position]
        and position + 1 < len(lines)
        and "|" in lines[position + 1]
        and _DASHES.fullmatch(lines[position + 1]) is not None
    )


def _cells(line: str) -> tuple[str, ...]:
    """Cells between bars that no backslash escapes; the bars at both ends belong to no cell."""
    line = line.strip().removeprefix("|")
    cells: list[str] = []
    start = 0
    for bar in _SPLIT.finditer(line):
        cells.append(line[start : bar.end() - 1])
        start = bar.end()
    if line[start:].strip() or not cells:
        cells.append(line[start:])
    return tuple(_WRITTEN.sub(_read, cell.strip()) for cell in cells)


def _read(written: re.Match[str]) -> str:
    if written[1]:
        return written[1]
    return "\n" if written[0].startswith("<") else html.unescape(written[0])


def write_markdown(records: Iterable[TeamRecord]) -> bytes:
    header = [column_name(column) for column in words.COLUMN_NAMES]
    lines = [_line(header), _line(["---"] * len(header))]
    lines += [_line([_escaped(cell) for cell in cells_of(record).values()]) for record in records]
    return "".join(lines).encode()


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _escaped(cell: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", cell).replace("\n", "<br>")
