"""Dotted chains in code: ``ir.View.create``, and ``.layout`` behind something that is not a name.

A regular expression over the bytes of code alone: on a whole tree several times faster than asking the syntax tree for
each identifier. Comments, strings, import statements and the formats of f-strings are blanked first; expressions inside
f-strings are code. Keywords, numbers, string prefixes and the names of keyword arguments are no chains.

The trap: Python's identifiers are Unicode, so ``创建View`` is one name and none of ``View``.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.python_source import PythonSource

_NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_SPACE = rb"[\s\\]*+"
# A bare chain starts after anything but a word or a dot. A chain on an expression starts with its dot, after a closing
# bracket, a quote or white space. `1.e5` and `0x1F` match neither. A name right before a quote is a string prefix.
_CHAIN = re.compile(
    rb"(?:(?<![\w.\x80-\xff])|(?<=[\])}'\"\s\\])(\.)" + _SPACE + rb")"
    rb"(" + _NAME + rb"(?:" + _SPACE + rb"\." + _SPACE + _NAME + rb")*+)(?![\"'])"
)
_KEYWORDS = frozenset(name.encode() for name in keyword.kwlist) | {b"_"}
_BETWEEN = re.compile(rb"[\s\\]+")
_VISIBLE = re.compile(rb"[^\n]")


class Chain(NamedTuple):
    """``text`` as written; ``rooted`` is false when its first name is an attribute of an unnamed expression."""

    start: int
    text: bytes
    rooted: bool


def chains(source: PythonSource) -> Iterator[Chain]:
    """Every maximal chain of ``source`` in order."""
    labels = {node.start_byte for node in source.nodes("label")}
    for match in _CHAIN.finditer(code_of(source)):
        text, start, rooted = match[2], match.start(2), match[1] is None
        if start not in labels and not (rooted and text in _KEYWORDS):
            yield Chain(start, text, rooted)


def names_of(text: bytes) -> tuple[str, ...]:
    """The names of a chain's text, which may have white space and line ends around its dots."""
    return tuple(_BETWEEN.sub(b"", text).decode("utf-8").split("."))


def dotted(text: str) -> tuple[str, ...] | None:
    """``a.b . c`` as names when ``text`` is nothing but a dotted chain, else null."""
    names = tuple(part.strip() for part in text.split("."))
    return names if all(name.isidentifier() and not keyword.iskeyword(name) for name in names) else None


def code_of(source: PythonSource) -> bytes:
    """The bytes of ``source`` with everything that is no code blanked, every byte at its place.

    A comment becomes blanks, so that a chain can go on behind it; the rest becomes NULs, which join nothing.
    """
    blanks = [(node.start_byte, node.end_byte, b" ") for node in source.nodes("comment")]
    for name in ("opaque", "text"):
        blanks += [(node.start_byte, node.end_byte, b"\0") for node in source.nodes(name)]
    for node in source.nodes("format"):
        blanks += [(start, end, b"\0") for start, end in _format_text(node)]
    blanks.sort()
    pieces: list[bytes] = []
    at = 0
    for start, end, blank in blanks:
        if start < at:
            continue  # a comment inside an import statement
        pieces.append(source.data[at:start])
        pieces.append(_blanked(source.data[start:end], blank))
        at = end
    pieces.append(source.data[at:])
    return b"".join(pieces)


def _blanked(piece: bytes, blank: bytes) -> bytes:
    return _VISIBLE.sub(blank, piece) if b"\n" in piece else blank * len(piece)


def _format_text(specifier: Node) -> Iterator[tuple[int, int]]:
    """The parts of ``:>{width}.2f`` outside its nested expressions."""
    at = specifier.start_byte
    for expression in specifier.named_children:
        yield at, expression.start_byte
        at = expression.end_byte
    yield at, specifier.end_byte
