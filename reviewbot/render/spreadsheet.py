"""Cells that a spreadsheet shows and never runs.

A cell that begins like a formula gets one apostrophe in front; cells that already begin with apostrophes before such a
character get one more, so that ``unguard`` gives back exactly what was there. Full-width twins count: Excel reads ＝1+1
as a formula in East Asian locales.
"""

from __future__ import annotations

import re

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20|%]")


def guard(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell
