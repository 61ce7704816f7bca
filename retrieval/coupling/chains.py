"""Dotted chains in code: ``ir.View.create``, and ``.layout`` behind something that is not a name.

Import statements are left out: they bind names and are read by `bindings`.

A regular expression over the bytes outside comments and string contents: on a whole tree several times faster than
asking the syntax tree for each identifier. Names of keyword arguments are no chains; keywords and numbers neither.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import NamedTuple

from retrieval.coupling.python_source import PythonSource

_NAME = rb"[A-Za-z_]\w*"
# A bare chain starts after anything but a word or a dot. A chain on an expression starts with its dot, after a closing
# bracket, a quote or white space. `1.e5` and `0x1F` match neither.
_CHAIN = re.compile(
    rb"(?:(?<![\w.])|(?<=[\])}'\"\s])(?P<dot>\.)\s*)(?P<names>" + _NAME + rb"(?:\s*\.\s*" + _NAME + rb")*)"
)
_KEYWORDS = frozenset(keyword.kwlist) | {"_"}
_SPACE = re.compile(rb"\s+")


class Chain(NamedTuple):
    """``names`` as written; ``rooted`` is false when the first name is an attribute of an unnamed expression."""

    start: int
    end: int
    names: tuple[str, ...]
    rooted: bool


def chains(source: PythonSource) -> Iterator[Chain]:
    """Every maximal chain of ``source`` in order."""
    code = _without_text(source)
    skipped = {node.start_byte for node in source.nodes("keyword")}
    for match in _CHAIN.finditer(code):
        start = match.start("names")
        if start in skipped:
            continue
        raw = match.group("names")
        if b" " in raw or b"\n" in raw or b"\t" in raw or b"\r" in raw:
            raw = _SPACE.sub(b"", raw)
        names = tuple(raw.decode("ascii").split("."))
        rooted = match.group("dot") is None
        if rooted and len(names) == 1 and names[0] in _KEYWORDS:
            continue
        yield Chain(start, match.end(), names, rooted)


def dotted(text: str) -> tuple[str, ...] | None:
    """``a.b . c`` as names when ``text`` is nothing but a dotted chain, else null."""
    names = tuple(part.strip() for part in text.split("."))
    return names if all(name.isidentifier() and not keyword.iskeyword(name) for name in names) else None


def _without_text(source: PythonSource) -> bytes:
    """The file with comments and string contents blanked, every byte at its place."""
    opaque = source.nodes("opaque")
    if not opaque:
        return source.data
    pieces: list[bytes] = []
    at = 0
    for node in opaque:
        if node.start_byte < at:
            continue
        pieces.append(source.data[at : node.start_byte])
        blank = source.data[node.start_byte : node.end_byte]
        pieces.append(b"\n".join(b"\x00" * len(line) for line in blank.split(b"\n")))
        at = node.end_byte
    pieces.append(source.data[at:])
    return b"".join(pieces)
