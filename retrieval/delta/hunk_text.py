"""One side of one hunk as text that a parser understands.

A hunk starts and ends anywhere: inside a method of a class whose header is out of sight, inside a bracket, inside a
docstring. What its surroundings must have been is put around it in made-up lines: blocks that give the indentation a
meaning, the class or function that the ``@@`` heading names, openers for brackets that the hunk closes, closers for
those it leaves open. Made-up blocks are plain ``if 1:`` or ``{``, so that they define nothing: a name that neither
the hunk nor its heading shows is never invented.

A heading is the last line before the hunk that git thought opens something, cut at some length, its indentation
lost. ``class X`` and plain functions are taken to stand at the margin, functions with ``self`` or ``cls`` one level in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.models import Hunk, Language
from retrieval.symbols import parse_source

STEP = 4  # columns of one level of Python indentation

_PY_LEXEME = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*|(?P<bracket>[()\[\]{}])'
)
_CPP_LEXEME = re.compile(
    r'R"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*[\s\S]*?\*/|(?P<bracket>[()\[\]{}])'
)
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_OPENER = {closer: opener for opener, closer in _CLOSER.items()}
_PY_HEADING = re.compile(r"(?:(?P<class>class)|(?:async\s+)?def)\s+(?P<name>\w+)\s*(?:\(\s*(?P<first>\w*))?")
_CPP_CLASS = re.compile(
    r"(?:template\s*<[^{]*>\s*)?(?P<word>class|struct|namespace)\s+(?:[A-Z_0-9]+\s+)?(?P<name>\w[\w:]*)"
)
_CPP_FUNCTION = re.compile(r"(?P<name>[A-Za-z_~][\w:~]*)\s*\((?!\s*\*)")
_HEADER_END = re.compile(r"[)\]}]\s*(?:->.*)?:\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class HunkText:
    """``data`` is the text, its first ``hidden`` lines and all beyond ``hidden + shown`` are made up."""

    data: bytes
    hidden: int
    shown: int


@dataclass(frozen=True, slots=True)
class _Bracket:
    """An unmatched bracket: character, line in the hunk (0-based), column where the text of that line starts."""

    character: str
    line: int
    column: int


def hunk_text(hunk: Hunk, language: Language) -> tuple[HunkText, HunkText]:
    """The old and the new side of a hunk."""
    old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-", "")]
    new = [line[1:] for line in hunk.lines if line[:1] in (" ", "+", "")]
    surround = _surround_cpp if language is Language.CPP else _surround_python
    return surround(old, hunk.section), surround(new, hunk.section)


def _surround_python(lines: list[str], section: str) -> HunkText:
    candidates = [_python_text(lines, section, quote, inside) for quote, inside in _string_guesses(lines)]
    if len(candidates) == 1:
        return candidates[0]
    return min(candidates, key=lambda text: _errors(text.data))  # the first of equals: no string cut in two


def _string_guesses(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Does the hunk start inside a long string (``True``), or end inside one?"""
    yield "", False
    text = "\n".join(lines)
    for quote in ('"""', "'''"):
        if text.count(quote) % 2:
            yield quote, True
            yield quote, False


def _errors(data: bytes) -> int:
    """Bytes below error nodes."""
    total = 0
    pending = [parse_source(data, Language.PYTHON).root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            total += max(node.end_byte - node.start_byte, 1)
        elif node.has_error:
            pending.extend(node.children)
    return total


def _python_text(lines: list[str], section: str, quote: str, starts_inside: bool) -> HunkText:
    body = list(lines)
    prefix: list[str] = []
    suffix: list[str] = []
    start = _indent(next((line for line in lines if line.strip()), ""))
    if quote and starts_inside:
        start = _indent(next(line for line in lines if quote in line))
    whole = "\n".join([quote, *body] if quote and starts_inside else [*body, quote] if quote else body)
    closing, opening = _unmatched(whole, _PY_LEXEME)
    first = 1 if quote and starts_inside else 0
    if closing:
        start = closing[-1].column
    prefix.extend(_python_scopes(start, section, _header_in_sight(body, closing, first)))
    prefix.extend(" " * bracket.column + "_" + _OPENER[bracket.character] for bracket in reversed(closing))
    _name_cut_header(prefix, body, section, closing, first)
    if quote:
        (prefix if starts_inside else suffix).append(" " * start + quote)
    suffix.extend(
        " " * bracket.column + _CLOSER[bracket.character] + _colon(whole, bracket) for bracket in opening[::-1]
    )
    last = next((line for line in reversed([*body, *suffix]) if line.strip()), "")
    if last.rstrip().endswith(":") and not quote:
        suffix.append(" " * (_indent(last) + STEP) + "pass")
    text = "\n".join([*prefix, *body, *suffix, ""])
    return HunkText(text.encode("utf-8", "replace"), len(prefix), len(body))


def _header_in_sight(body: list[str], closing: list[_Bracket], first: int) -> bool:
    """Does the hunk start inside the brackets of a ``def`` or ``class`` line?"""
    return bool(closing) and _HEADER_END.search(body[closing[-1].line - first]) is not None


def _name_cut_header(prefix: list[str], body: list[str], section: str, closing: list[_Bracket], first: int) -> None:
    """A header whose beginning the heading shows gets its name back."""
    heading = _PY_HEADING.match(section)
    if heading is None or not _header_in_sight(body, closing, first):
        return
    word = "class" if heading["class"] else "def"
    prefix[-len(closing)] = " " * closing[-1].column + f"{word} {heading['name']}("


def _colon(whole: str, bracket: _Bracket) -> str:
    line = whole.split("\n")[bracket.line]
    return ": pass" if _PY_HEADING.match(line.strip()) and bracket.character == "(" else ""


def _python_scopes(start: int, section: str, header_in_sight: bool) -> list[str]:
    """Lines that open one block for every level above column ``start``."""
    if not start:
        return []
    levels = list(range(0, start, STEP)) if start % STEP == 0 else [0]
    lines = [" " * level + "if 1:" for level in levels]
    heading = None if header_in_sight else _PY_HEADING.match(section)
    if heading is not None:
        at = 1 if not heading["class"] and heading["first"] in ("self", "cls") else 0
        if at < len(levels):
            word = "class" if heading["class"] else "def"
            arguments = "" if heading["class"] else f"({heading['first'] or ''})"
            lines[at] = " " * levels[at] + f"{word} {heading['name']}{arguments}:"
    return lines


def _surround_cpp(lines: list[str], section: str) -> HunkText:
    closing, _ = _unmatched("\n".join(lines), _CPP_LEXEME)
    indented = _indent(next((line for line in lines if line.strip()), "")) > 0
    prefix: list[str] = []
    heading = _cpp_heading(section) if indented or closing else None
    inner = list(closing)
    if heading is not None:
        prefix.append(heading)
        at_margin = next((index for index, bracket in enumerate(inner) if bracket.column == 0), None)
        if at_margin is not None:
            inner = inner[:at_margin]
    elif indented and not closing:
        prefix.append("{")
    prefix.extend({"}": "{", ")": "_(", "]": "_["}[bracket.character] for bracket in reversed(inner))
    _, opening = _unmatched("\n".join([*prefix, *lines]), _CPP_LEXEME)
    suffix = [_CLOSER[bracket.character] + (";" if bracket.character == "(" else "") for bracket in reversed(opening)]
    text = "\n".join([*prefix, *lines, *suffix, ""])
    return HunkText(text.encode("utf-8", "replace"), len(prefix), len(lines))


def _cpp_heading(section: str) -> str | None:
    opened = _CPP_CLASS.match(section)
    if opened is not None and not section.rstrip().endswith(";"):
        return f"{opened['word']} {opened['name']} {{"
    function = _CPP_FUNCTION.search(section)
    return f"void {function['name']}() {{" if function is not None and not section.rstrip().endswith(";") else None


def _unmatched(text: str, lexeme: re.Pattern[str]) -> tuple[list[_Bracket], list[_Bracket]]:
    """Closing brackets without an opener, and openers without a closer, in order; strings and comments left out."""
    closing: list[_Bracket] = []
    opening: list[_Bracket] = []
    rows = text.split("\n")
    row, counted = 0, 0
    for match in lexeme.finditer(text):
        character = match["bracket"]
        if character is None:
            continue
        row += text.count("\n", counted, match.start())
        counted = match.start()
        if character in _CLOSER:
            opening.append(_Bracket(character, row, _indent(rows[row])))
        elif opening and _CLOSER[opening[-1].character] == character:
            opening.pop()
        elif not opening:
            closing.append(_Bracket(character, row, _indent(rows[row])))
    return closing, opening


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip(" "))
