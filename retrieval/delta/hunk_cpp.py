"""Made-up lines around one side of a C++ hunk: see ``hunk_text``."""

from __future__ import annotations

import re

from retrieval.delta.brackets import CLOSER, CPP, first_indent, unmatched

_CLASS = re.compile(
    r"(?:template\s*<[^{]*>\s*)?(?P<word>class|struct|namespace)\s+(?:[A-Z_0-9]+\s+)?(?P<name>\w[\w:]*)"
)
_FUNCTION = re.compile(r"(?P<name>[A-Za-z_~][\w:~]*)\s*\((?!\s*\*)")
_OPENERS = {"}": "{", ")": "_(", "]": "_["}


def surround_cpp(lines: list[str], section: str) -> tuple[list[str], list[str]]:
    """Lines to put before and after. A brace closed at the margin closes what the heading opened."""
    closing, _ = unmatched(lines, CPP)
    indented = first_indent(lines) > 0
    before: list[str] = []
    heading = _heading(section) if indented or closing else None
    if heading is not None:
        before.append(heading)
        at_margin = next((index for index, bracket in enumerate(closing) if bracket.column == 0), len(closing))
        closing = closing[:at_margin]
    elif indented and not closing:
        before.append("{")
    before.extend(_OPENERS[bracket.character] for bracket in reversed(closing))
    _, opening = unmatched([*before, *lines], CPP)
    return before, [CLOSER[bracket.character] + (";" if bracket.character == "(" else "") for bracket in opening[::-1]]


def _heading(section: str) -> str | None:
    if section.rstrip().endswith(";"):
        return None
    opened = _CLASS.match(section)
    if opened is not None:
        return f"{opened['word']} {opened['name']} {{"
    function = _FUNCTION.search(section)
    return f"void {function['name']}() {{" if function is not None else None
