"""A grid of cells read as a table: under a header, or by position when there is none.

What stands above a header (a title, a date) is left out and said so; what stands to its right under unknown names too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from reviewbot.records import words
from reviewbot.records.columns import Header, by_position, read_header
from reviewbot.records.models import Problem, ReadRow, Severity
from reviewbot.records.rows import RowError, TableError, record_of

#: A header that comes later than this is not looked for.
MOST_ABOVE = 10


class Cells(NamedTuple):
    """One row; ``line`` is where it starts. ``fault`` says why it could not be taken apart into cells."""

    line: int
    cells: tuple[str, ...]
    fault: str = ""


def read_grid(grid: Iterable[Cells]) -> Iterator[ReadRow | Problem]:
    """Records, problems and notices in the order of the rows. Raises `TableError` when the header rules out any row."""
    rows = iter(grid)
    first = list(islice(rows, MOST_ABOVE))
    header, above = _find_header(first)
    if header is not None:
        if header.lacking:
            raise TableError(words.header_lacks(header.lacking))
        yield from (
            Problem(line=row.line, severity=Severity.NOTICE, reason=words.ABOVE_HEADER) for row in first[:above]
        )
        if header.unread:
            reason = words.unknown_columns(header.unread)
            yield Problem(line=first[above].line, severity=Severity.NOTICE, reason=reason)
        first = first[above + 1 :]
    yield from (read_row(row, header) for row in chain(first, rows))


def _find_header(rows: list[Cells]) -> tuple[Header | None, int]:
    """The header and its place; a row of two names that lacks what a record needs counts only as the first one."""
    found = [(read_header(row.cells), place) for place, row in enumerate(rows)]
    whole = ((header, place) for header, place in found if header is not None and not header.lacking)
    return next(whole, found[0] if found else (None, 0))


def read_row(row: Cells, header: Header | None) -> ReadRow | Problem:
    try:
        if row.fault:
            raise RowError(row.fault)
        cells = header.cells(row.cells) if header else by_position(row.cells)
        return ReadRow(line=row.line, record=record_of(cells))
    except RowError as error:
        return Problem(line=row.line, severity=Severity.MALFORMED, reason=str(error))
