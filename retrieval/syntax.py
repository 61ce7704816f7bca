"""Bytes of a source file to a tree-sitter tree, tolerant of everything that real files do.

Contract: line numbers of a ``Source`` are those of the file, counted in line feeds, 1-based once they leave this
module. The trap: a tree's byte offsets refer to ``Source.data``, which is the file without its byte-order mark, with
CRLF folded to LF, undecodable bytes replaced and, for C++, with macros blanked that would break the tree. Text is
therefore always cut from ``Source.text``, which has the same length and the macros still in it. tree-sitter counts
rows from 0 and columns in bytes, and returns ``bytes``.

Never split such text with ``str.splitlines``: form feeds and U+2028 are not line ends to git.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import tree_sitter_cpp
import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Point, Query, QueryCursor, Tree

from retrieval.models import Language

_SPACE = re.compile(r"\s+")
_AFTER_OPENER = re.compile(r"([(\[{])\s*\n\s*")
_BEFORE_CLOSER = re.compile(r"(?:,(?=\s*\n\s*[\]}]))?\s*\n\s*([)\]}])")  # a tuple keeps its comma
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Macros that stand where the C++ grammar expects nothing: export and attribute macros before a type or a class name,
# CUDA function attributes, launch bounds. Blanking keeps every offset and line.
_CPP_MACRO = re.compile(
    rb"\b(?:class|struct|union)\s+(?P<attribute>[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]*\))?)(?=\s+[A-Za-z_])"
    rb"|\b(?P<api>[A-Z][A-Z0-9_]*_(?:API|EXPORT|EXPORTS|HIDDEN|LOCAL|INLINE|NOINLINE|UNUSED|NODISCARD|DEVICE|HOST_DEVICE"
    rb"|HOST|DEVICE_INLINE|ALWAYS_INLINE))\b(?!\s*\()"
    rb"|\b(?P<cuda>__(?:global|host|device|forceinline|noinline|shared|constant|restrict|inline)__)"
    rb"|\b(?P<bounds>(?:__launch_bounds__|C10_LAUNCH_BOUNDS_[012]|__attribute__)\s*\((?:[^()\n]|\([^()\n]*\))*\))"
)


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Changed lines, 1-based and half-open: old ``[old_start, old_end)`` became new ``[new_start, new_end)``."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file. ``text`` and ``data`` have the same length; see the module docstring."""

    language: Language
    text: bytes
    data: bytes
    tree: Tree

    @property
    def root(self) -> Node:
        return self.tree.root_node

    def cut(self, node: Node) -> str:
        """The source text of a node, as written."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def folded(self, node: Node) -> str:
        """The text of a node on one line, without comments.

        Line breaks next to brackets vanish, other white space is one blank.
        """
        text = self._without_comments(node)
        if "\n" in text:
            text = _BEFORE_CLOSER.sub(r"\1", _AFTER_OPENER.sub(r"\1", text))
        return _SPACE.sub(" ", text).strip()

    def _without_comments(self, node: Node) -> str:
        raw = self.text[node.start_byte : node.end_byte]
        mark = b"#" if self.language is Language.PYTHON else b"/"
        if mark not in raw or node.type == "comment":
            return raw.decode("utf-8", "replace")
        parts, at = [], node.start_byte
        for comment in captures(self, "(comment) @comment", node).get("comment", ()):
            parts.append(self.text[at : comment.start_byte])
            at = comment.end_byte
        return b"".join([*parts, self.text[at : node.end_byte]]).decode("utf-8", "replace")


def parse_source(data: bytes, language: Language) -> Source:
    """Parse a whole file. ``language`` must be one that has a grammar (``ValueError`` otherwise)."""
    text = normalise(data)
    parsed = _blank_macros(text) if language is Language.CPP else text
    return Source(language, text, parsed, Parser(grammar_of(language)).parse(parsed))


def parse_edited(data: bytes, old: Source, edits: Sequence[LineEdit]) -> Source:
    """Parse a later version of ``old``, taking over what lies outside ``edits`` (ascending, in lines of both texts).

    The result is that of ``parse_source``, sooner. Taking over is sound for trees without errors and edits that tell
    the whole difference; otherwise the file is parsed afresh.
    """
    text = normalise(data)
    parsed = _blank_macros(text) if old.language is Language.CPP else text
    parser = Parser(grammar_of(old.language))
    known = None if old.tree.root_node.has_error else _edited(old, parsed, edits)
    tree = parser.parse(parsed, known) if known is not None else parser.parse(parsed)
    if known is not None and tree.root_node.has_error:
        tree = parser.parse(parsed)
    return Source(old.language, text, parsed, tree)


def _edited(old: Source, new: bytes, edits: Sequence[LineEdit]) -> Tree | None:
    """The old tree with its nodes where the new text has them; null when the edits do not lead from old to new."""
    before, after = _LineStarts(old.data), _LineStarts(new)
    spans = [
        (before.at(edit.old_start), before.at(edit.old_end), after.at(edit.new_start), after.at(edit.new_end))
        for edit in edits
    ]
    kept_old = kept_new = 0
    for start, end, new_start, new_end in [*spans, (len(old.data), 0, len(new), 0)]:
        if old.data[kept_old:start] != new[kept_new:new_start]:
            return None
        kept_old, kept_new = end, new_end
    tree = old.tree.copy()
    for edit, (start, end, new_start, new_end) in zip(reversed(edits), reversed(spans), strict=True):
        # From the end, so that the places of the edits still to come stay true.
        row = edit.old_start - 1
        rows = (row, row + edit.old_end - edit.old_start, row + edit.new_end - edit.new_start)
        first, last, new_last = (Point(number, 0) for number in rows)
        tree.edit(start, end, start + new_end - new_start, first, last, new_last)
    return tree


class _LineStarts:
    """Byte offsets of the lines of a text, 1-based; lines beyond the last start where the text ends."""

    def __init__(self, data: bytes) -> None:
        self._size = len(data)
        self._lengths = [0, *accumulate(map(len, data.split(b"\n")))]  # of all lines before, line feeds left out

    def at(self, line: int) -> int:
        if line >= len(self._lengths):
            return self._size
        return self._lengths[line - 1] + line - 1


def normalise(data: bytes) -> bytes:
    """UTF-8 without a byte-order mark and with LF line ends; the number of line feeds does not change."""
    if data.startswith(_UTF16) and not data.startswith(codecs.BOM_UTF32_LE):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode("utf-8")
    return data


def line_span(node: Node) -> tuple[int, int]:
    """First and last line of a node, 1-based and inclusive."""
    first = node.start_point[0]
    last, column = node.end_point
    # A node that swallowed its line end stops in column 0 of the line after its own last one.
    return first + 1, (last if column == 0 and last > first else last + 1)


@cache
def grammar_of(language: Language) -> Grammar:
    """The tree-sitter grammar of a language; ``ValueError`` for a language without one."""
    if language is Language.PYTHON:
        return Grammar(tree_sitter_python.language())
    if language is Language.CPP:
        return Grammar(tree_sitter_cpp.language())
    raise ValueError(f"no grammar for {language!r}")


@cache
def _query(language: Language, pattern: str) -> Query:
    return Query(grammar_of(language), pattern)


def captures(source: Source, pattern: str, node: Node | None = None) -> dict[str, list[Node]]:
    """Nodes below ``node`` (the whole tree by default) by the capture names of a query, in the order of the file.

    tree-sitter gives them in an order that can differ from one run to the next.
    """
    found = QueryCursor(_query(source.language, pattern)).captures(node or source.root)
    return {name: sorted(nodes, key=_place) for name, nodes in found.items()}


def _place(node: Node) -> tuple[int, int]:
    """Outer nodes before those that begin with them."""
    return node.start_byte, -node.end_byte


def _blank_macros(text: bytes) -> bytes:
    def blank(match: re.Match[bytes]) -> bytes:
        whole, base = match.group(), match.start()
        if text[text.rfind(b"\n", 0, base) + 1 : base].lstrip().startswith(b"#"):
            return whole  # the macro's own definition, or a test for it
        start, end = match.span(match.lastgroup or 0)
        hole = re.sub(rb"[^\n]", b" ", whole[start - base : end - base])
        return whole[: start - base] + hole + whole[end - base :]

    return _CPP_MACRO.sub(blank, text)
