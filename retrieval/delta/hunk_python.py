"""Made-up lines around one side of a Python hunk: see ``hunk_text``.

A heading is the last line before the hunk that git thought opens something, cut at some length, its indentation
lost. ``class X`` and plain functions are taken to stand at the margin, methods one level in (``_is_method``).
"""

from __future__ import annotations

import re

from retrieval.delta.brackets import CLOSER, OPENER, PYTHON, Bracket, first_indent, indent, unmatched
from retrieval.models import Language
from retrieval.symbols import parse_source

STEP = 4  # columns of one level of indentation
UNKNOWN = "_unknown"  # name of a made-up function whose own name is out of sight

_HEADING = re.compile(r"(?:(?P<class>class)|(?:async\s+)?def)\s+(?P<name>\w+)\s*(?:\(\s*(?P<first>\w*))?")
_HEADER_END = re.compile(r"[)\]}]\s*(?:->.*)?:\s*(?:#.*)?$")
_RECEIVERS = ("self", "cls")
_QUOTES = ('"""', "'''")

_Frame = tuple[list[str], list[str]]


def surround_python(lines: list[str], section: str) -> _Frame:
    """Lines to put before and after. A string that the hunk cuts in two is completed on the side that parses better."""
    frames = []
    for quote in _QUOTES:
        if sum(line.count(quote) for line in lines) % 2:
            ends, starts = _ends_inside(lines, section, quote), _starts_inside(lines, section, quote)
            frames.extend([ends, starts] if _opens(lines, quote) else [starts, ends])
    if not frames:
        return _frame(lines, section)
    return min(frames, key=lambda frame: _errors("\n".join([*frame[0], *lines, *frame[1], ""])))


def _opens(lines: list[str], quote: str) -> bool:
    """Does the last long quote of the hunk look like one that opens a string?"""
    at = max(index for index, line in enumerate(lines) if quote in line)
    before = lines[at][: lines[at].rfind(quote)].strip().rstrip("rRfFbBuU")
    previous = next((line.rstrip() for line in reversed(lines[:at]) if line.strip()), ":")
    return before.endswith(("(", "=", ",", "[", "{", "return")) or (not before and previous.endswith((":", "(", ",")))


def _starts_inside(lines: list[str], section: str, quote: str) -> _Frame:
    closed = next(index for index, line in enumerate(lines) if quote in line)
    column = indent(lines[closed])
    # What stands before the closing quote is text: only what follows tells the surroundings.
    before, after = _frame([*[""] * (closed + 1), *lines[closed + 1 :]], section, column)
    return [*before, " " * column + quote], after


def _ends_inside(lines: list[str], section: str, quote: str) -> _Frame:
    before, after = _frame([*lines, quote], section)
    return before, [quote, *after]


def _errors(text: str) -> int:
    """Bytes below error nodes."""
    total = 0
    pending = [parse_source(text.encode("utf-8", "replace"), Language.PYTHON).root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            total += max(node.end_byte - node.start_byte, 1)
        elif node.has_error:
            pending.extend(node.children)
    return total


def _frame(lines: list[str], section: str, column: int | None = None) -> _Frame:
    """Blocks, brackets and a body around ``lines``; ``column`` is the indentation of the first statement if known."""
    closing, opening = unmatched(lines, PYTHON)
    start = first_indent(lines) if column is None else column
    if closing:
        start = closing[-1].column
    heading = _HEADING.match(section)
    header = _header_cut(lines, closing, heading)
    before = _blocks(start, None if header and UNKNOWN not in header else heading, lines)
    before.extend(" " * bracket.column + "_" + OPENER[bracket.character] for bracket in reversed(closing))
    if header:
        before[-len(closing)] = " " * closing[-1].column + header
    after = [" " * bracket.column + CLOSER[bracket.character] + _tail(lines, bracket) for bracket in opening[::-1]]
    last = next((line for line in reversed(lines) if line.strip()), "")
    if not opening and last.rstrip().endswith(":"):
        after.append(" " * (indent(last) + STEP) + "pass")
    return before, after


def _header_cut(lines: list[str], closing: list[Bracket], heading: re.Match[str] | None) -> str:
    """The start of a ``def`` or ``class`` line whose end the hunk shows; empty when it shows none."""
    end = _HEADER_END.search(lines[closing[-1].line]) if closing else None
    if end is None:
        return ""
    if heading is None or (heading["class"] and (closing[-1].column > 0 or "->" in end.group())):
        return f"def {UNKNOWN}("  # of the class that the heading names, perhaps
    return f"{'class' if heading['class'] else 'def'} {heading['name']}("


def _tail(lines: list[str], bracket: Bracket) -> str:
    """A ``def`` or ``class`` line that the hunk cuts off needs a body."""
    return ": pass" if bracket.character == "(" and _HEADING.match(lines[bracket.line].strip()) else ""


def _blocks(start: int, heading: re.Match[str] | None, lines: list[str]) -> list[str]:
    """Lines that open one block for every level above column ``start``; one of them is the heading's."""
    if not start:
        return []
    levels = list(range(0, start, STEP)) if start % STEP == 0 else [0]
    blocks = [" " * level + "if 1:" for level in levels]
    if heading is not None:
        at = 1 if _is_method(heading, len(levels), lines) else 0
        if at < len(levels):
            word = "class" if heading["class"] else "def"
            arguments = "" if heading["class"] else f"({heading['first'] or ''})"
            blocks[at] = " " * levels[at] + f"{word} {heading['name']}{arguments}:"
    return blocks


def _is_method(heading: re.Match[str], levels: int, lines: list[str]) -> bool:
    """Does a ``def`` heading stand one level in?

    ``self`` says so, its own or that of a neighbour in the hunk, and so does a decorator one level in: methods have
    them more often than functions inside functions. Where the heading was cut before its first parameter, any ``def``
    one level in is taken to be the next method.
    """
    if heading["class"]:
        return False
    neighbours = [line.strip() for line in lines if indent(line) == STEP]
    headers = [match for line in neighbours if (match := _HEADING.match(line)) is not None]
    if any(line.startswith("@") for line in neighbours):
        return True
    if heading["first"]:
        return any(match["first"] in _RECEIVERS for match in (heading, *headers))
    return levels > 1 or bool(headers)
