"""Which cell of a row belongs to which column: by a header in Chinese or English, or by position when there is none.

Without a header a row is what the team copies out of its spreadsheet: ``[PR] verdict summary analysis risk
needs_adaptation [needs_cann] npu_affected [stage]``. Old tables lack needs_cann, and the stage may be left out, so 7
cells are an old row with a stage or a new row without one: the last cell tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reviewbot.models import CompileStage
from reviewbot.records import words
from reviewbot.records.rows import (
    LABELS,
    OPTIONAL_LABELS,
    STAGE,
    RowError,
    TableError,
    clipped,
    column_name,
    is_verdict,
)

_REQUIRED = (*(name for name in LABELS if name not in OPTIONAL_LABELS), "analysis")
_OLD = ("verdict", "summary", "analysis", "risk", "needs_adaptation", "npu_affected")
_NEW = (*_OLD[:5], "needs_cann", "npu_affected")
#: Fewer names than this, and a row of data that happens to hold one would pass for a header.
_LEAST_NAMES = 2


def _plain(name: str) -> str:
    return re.sub(r"[\s_*`：:]+", "", name).casefold()


_BY_NAME = {
    _plain(name): (column, place)
    for column, names in words.COLUMN_NAMES.items()
    for place, name in enumerate((*names, column))
}


def column_of(name: str) -> str | None:
    return _BY_NAME.get(_plain(name), (None, 0))[0]


@dataclass(frozen=True, slots=True)
class Header:
    """``columns`` has one entry per cell, None where the cell is not read."""

    columns: tuple[str | None, ...]
    unread: tuple[str, ...]

    @property
    def lacking(self) -> list[str]:
        """Names of the columns without which no row is a record."""
        return [column_name(column) for column in _REQUIRED if column not in self.columns]

    def cells(self, row: Sequence[str]) -> dict[str, str]:
        """Raises `RowError` for cells beyond the header; those missing at the end are absent."""
        if any(cell.strip() for cell in row[len(self.columns) :]):
            raise RowError(words.too_many_cells(len(row), len(self.columns)))
        return {column: cell for column, cell in zip(self.columns, row, strict=False) if column is not None}


def read_header(row: Sequence[str]) -> Header | None:
    """None when the row is no header. Raises `TableError` when one column stands there twice under the same name."""
    chosen: dict[str, tuple[int, int]] = {}  # column → how good its name is, and where it stands
    for place, cell in enumerate(row):
        column, rank = _BY_NAME.get(_plain(cell), (None, 0))
        if column is None:
            continue
        if column in chosen and chosen[column][0] == rank:
            raise TableError(words.column_twice(clipped(cell)))
        chosen[column] = min(chosen.get(column, (rank, place)), (rank, place))
    if len(chosen) < _LEAST_NAMES:
        return None
    at = {place: column for column, (_, place) in chosen.items()}
    unread = tuple(clipped(cell) for place, cell in enumerate(row) if place not in at and cell.strip())
    return Header(tuple(at.get(place) for place in range(len(row))), unread)


def by_position(row: Sequence[str]) -> dict[str, str]:
    """Raises `RowError` when the number of cells fits neither layout."""
    cells = list(row)
    named: dict[str, str] = {}
    if len(cells) > 1 and not is_verdict(cells[0]) and is_verdict(cells[1]):
        named["upstream_pr"] = cells.pop(0)
    if len(cells) > len(_OLD) and _is_stage(cells[-1]):
        named[STAGE] = cells.pop()
    layout = {len(_OLD): _OLD, len(_NEW): _NEW}.get(len(cells))
    if layout is None:
        raise RowError(words.wrong_cell_count(len(cells) + (STAGE in named)))
    return named | dict(zip(layout, cells, strict=True))


def _is_stage(cell: str) -> bool:
    text = cell.strip().casefold()
    return not text or text.startswith(STAGE) or text in {stage.casefold() for stage in CompileStage}
