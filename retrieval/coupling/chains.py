"""Dotted chains in code: ``ir.View.create``, and ``.layout`` behind something that is not a name.

A regular expression over the bytes of code alone: on a whole tree several times faster than asking the syntax tree for
each identifier. Comments, strings, import statements and the formats of f-strings are blanked first; expressions inside
f-strings are code. Keywords, numbers, string prefixes and the names of keyword arguments are no chains.

The trap: Python's identifiers are Unicode, so ``创建View`` is one name and none of ``View``.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import accumulate

from tree_sitter import Node

from retrieval.coupling.python_source import PythonSource

_NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_MORE = rb"(?:[\s\\]*+\.[\s\\]*+" + _NAME + rb")*+"
# A chain starts after anything but a word or a dot, so `1.e5` and `0x1F` hold none. A name right before a quote is a
# string prefix. A chain on an expression starts with its dot, after a closing bracket, a quote or white space.
_ROOTED = re.compile(rb"(\b(?<![.\x80-\xff])[A-Za-z_][\w\x80-\xff]*+" + _MORE + rb")(?![\"'])")
_UNROOTED = re.compile(rb"\.(?<=[\])}'\"\s\\]\.)[\s\\]*+(" + _NAME + _MORE + rb")")
_KEYWORDS = frozenset(name.encode() for name in keyword.kwlist) | {b"_"}
_BLANK = b" \t\r\n\f\v\\"
_CLOSING = frozenset(b"])}'\"")
_RESERVED = frozenset(keyword.kwlist)
_DOTTED = re.compile(r"\s*[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*\s*")
_REMEMBERED = 10_000  # chains whose names are not split again: a file uses few, and often

Chain = tuple[int, bytes]
"""Start and text as written. A dot before the text tells that the first name is an attribute of some expression."""


def chains(source: PythonSource, passed_over: Collection[int] = ()) -> Sequence[Chain]:
    """Every maximal chain of ``source`` in order, but for those that start with a name ``passed_over``."""
    code = code_of(source)
    unrooted = [
        (match.start(1), b"." + match[1]) for match in _UNROOTED.finditer(code) if _on_expression(code, match.start())
    ]
    taken = {node.start_byte for node in source.each("label")}
    taken.update((start for start, _ in unrooted), passed_over)
    parts = _ROOTED.split(code)  # what lies between and chains, in turn: no object is made for each match
    starts = list(accumulate(map(len, parts)))[::2]
    found = [
        (start, text)
        for start, text in zip(starts, parts[1::2], strict=False)  # nothing starts where the file ends
        if text not in _KEYWORDS and start not in taken
    ]
    found += [chain for chain in unrooted if chain[0] not in passed_over]
    return sorted(found)


def _on_expression(code: bytes, dot: int) -> bool:
    """Does the dot follow an expression, and not a name of its own chain with white space between?"""
    at = dot - 1
    while at >= 0 and code[at] in _BLANK:
        at -= 1
    return at >= 0 and code[at] in _CLOSING


@lru_cache(_REMEMBERED)
def names_of(text: bytes) -> tuple[str, ...]:
    """The names of a chain's text, which may have white space and line ends around its dots."""
    return tuple(text.translate(None, _BLANK).decode("utf-8").split("."))


@lru_cache(_REMEMBERED)
def dotted(text: str) -> tuple[str, ...] | None:
    """``a.b . c`` as names when ``text`` is nothing but a dotted chain, else null."""
    if _DOTTED.fullmatch(text) is None:
        return None
    names = tuple(map(str.strip, text.split(".")))
    return None if any(name in _RESERVED for name in names) else names


def code_of(source: PythonSource) -> bytes:
    """The bytes of ``source`` with everything that is no code blanked, every byte at its place.

    A comment becomes blanks, so that a chain can go on behind it; the rest becomes NULs, which join nothing.
    """
    code = bytearray(source.data)
    for node in source.each("comment"):
        start, end = node.byte_range
        code[start:end] = b" " * (end - start)
    for name in ("opaque", "text"):
        for node in source.each(name):
            start, end = node.byte_range
            code[start:end] = bytes(end - start)
    for node in source.each("format"):
        _blank_format(code, node)
    return bytes(code)


def _blank_format(code: bytearray, specifier: Node) -> None:
    """Blank the parts of ``:>{width}.2f`` outside its nested expressions."""
    at = specifier.start_byte
    for expression in specifier.named_children:
        code[at : expression.start_byte] = bytes(expression.start_byte - at)
        at = expression.end_byte
    code[at : specifier.end_byte] = bytes(specifier.end_byte - at)
