"""Markdown that text from outside can't break: prose, code spans, table rows, fences, folds.

Contract: every function takes raw text and scrubs it itself. In prose, paths and symbols become code spans, because
``__init__`` would print bold and ``_a_`` slanted; everything else that Markdown acts on is escaped. The trap is tables:
a pipe ends a cell even inside a code span, and so does a newline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reviewbot.render.scrub import scrub, scrub_line

_SPAN = re.compile(r"`([^`\n]+)`")
#: Code-like: starts with a letter, underscore, dot or slash-joined path; has an underscore, dot, slash, colon or hump.
#: So does what a forge would link: an issue or pull request of whatever repository the comment stands in.
_TOKEN = re.compile(
    r"(?:[#!]|GH-)\d+"
    r"|[.\uff20]?[A-Za-z_][\w.]*(?:(?:/|::)[\w.+-]+)*(?::\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*|[#!]\d+)?",
    re.ASCII,
)
_CODE_SHAPE = re.compile(r"[_/]|::|\w\.\w|^\.\w|^\uff20|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[#!]\d|^GH-\d")
_ESCAPED = re.compile(r"([\\`*_\[\]~|])")
_LINE_START = re.compile(r"^(\s*)([#>+=-]|\d+[.)])(?=\s|$|#)", re.MULTILINE)


def prose(text: str) -> str:
    """Running text: scrubbed, code as code, the rest literal. Line breaks stay."""
    out: list[str] = []
    at = 0
    text = scrub(text)
    for span in _SPAN.finditer(text):
        out += [_prose_piece(text[at : span.start()]), code(span.group(1))]
        at = span.end()
    out.append(_prose_piece(text[at:]))
    return _LINE_START.sub(_escape_line_start, "".join(out))


def _escape_line_start(match: re.Match[str]) -> str:
    marker = match[2]
    return f"{match[1]}{marker[:-1]}\\{marker[-1]}"


def _prose_piece(text: str) -> str:
    out: list[str] = []
    at = 0
    for token in _TOKEN.finditer(text):
        word = token.group().rstrip(".:/+-")
        if _CODE_SHAPE.search(word):
            out += [_ESCAPED.sub(r"\\\1", text[at : token.start()]), code(word)]
            at = token.start() + len(word)
    out.append(_ESCAPED.sub(r"\\\1", text[at:]))
    return "".join(out)


def prose_line(text: str) -> str:
    """``prose`` on one line."""
    return prose(scrub_line(text))


def code(text: str) -> str:
    """A code span on one line, whatever backticks ``text`` has; empty text is an empty string."""
    inside = scrub_line(text)
    if not inside:
        return ""
    fence = "`" * (_longest_run(inside) + 1)
    pad = " " if inside[0] == "`" or inside[-1] == "`" else ""
    return f"{fence}{pad}{inside}{pad}{fence}"


def fenced(text: str, language: str = "") -> str:
    """A code block that its content can't close."""
    inside = scrub(text).strip("\n")
    fence = "`" * max(3, _longest_run(inside) + 1)
    return f"{fence}{language}\n{inside}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of ready Markdown cells; pipes and line ends in them are made harmless here."""
    lines = [_row(columns), "|" + "---|" * len(columns)]
    lines += [_row(row) for row in rows]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell(one) for one in cells) + " |"


def cell(markdown: str) -> str:
    """Ready Markdown as the content of one table cell. A pipe that prose has escaped stays escaped once."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(markdown.split("\n")))


def fold(summary: str, body: str) -> str:
    """A folded block; the blank lines make GitHub read the body as Markdown."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def clip(text: str, limit: int, mark: str) -> str:
    return text if len(text) <= limit else text[:limit].rstrip() + mark
