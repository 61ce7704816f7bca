"""The two sides of a changed file as parsed text with the places where they differ.

A ``Fragment`` is one stretch of a file seen on both sides: the whole file when its full text is at hand, one hunk
when only the diff is. Line numbers inside a fragment are its own; ``Side.file_line`` gives those of the file. The
rest of the package never needs to know which of the two it looks at, except that in a hunk a definition whose header
is out of sight (``Side.shows``) says nothing about its signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from retrieval.change.sides import FileSides
from retrieval.definitions import Definition
from retrieval.delta.hunk_python import STEP, UNKNOWN
from retrieval.delta.hunk_text import HunkText, hunk_text
from retrieval.models import ChangedFile, DefinitionKind, FileStatus, Hunk, Language
from retrieval.symbols import Source, definitions_of, language_of, module_of, parse_source
from retrieval.syntax import LineEdit, line_span, parse_edited

#: A run of changed lines: old ``[old_start, old_end)`` became new ``[new_start, new_end)``, 1-based and half-open.
Block = LineEdit


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side of a fragment. The first ``hidden`` lines and those after the next ``shown`` were made up."""

    path: str
    module: str
    source: Source
    definitions: tuple[Definition, ...]
    lines: tuple[bytes, ...]
    shown: int
    offset: int = 0
    hidden: int = 0

    def file_line(self, line: int) -> int:
        return min(max(line, self.hidden + 1), self.hidden + self.shown) + self.offset

    def file_lines(self, definition: Definition) -> tuple[int, int]:
        """Its line range in the file, cut to what the fragment shows."""
        return self.file_line(definition.start_line), self.file_line(definition.end_line)

    def shows(self, definition: Definition) -> bool:
        """Is the definition's own header in sight, from its name to the end of its parameters or bases?"""
        header = definition.node.child_by_field_name("parameters") or definition.node.child_by_field_name(
            "superclasses"
        )
        end = header.end_point[0] + 1 if header is not None else definition.name_line
        return definition.name_line > self.hidden and end <= self.hidden + self.shown

    def line(self, number: int) -> bytes:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else b""


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """``old`` is null for an added file and a copy, ``new`` for a deleted one."""

    file: ChangedFile
    language: Language
    old: Side | None
    new: Side | None
    blocks: tuple[Block, ...]
    complete: bool

    @property
    def removed_lines(self) -> Iterator[int]:
        return (line for block in self.blocks for line in range(block.old_start, block.old_end))

    @property
    def added_lines(self) -> Iterator[int]:
        return (line for block in self.blocks for line in range(block.new_start, block.new_end))


def fragments_of(file_sides: FileSides) -> tuple[Fragment, ...]:
    """Fragments of one changed file; none for a language without a grammar, binary files and mode changes."""
    file = file_sides.file
    language = language_of(file.path)
    if language is Language.OTHER or file.binary or file.status is FileStatus.MODE:
        return ()
    if file_sides.complete:
        return (_whole(file_sides, language),)
    return tuple(_from_hunk(file, hunk, language) for hunk in file.hunks)


def _whole(file_sides: FileSides, language: Language) -> Fragment:
    file = file_sides.file
    old = None if file_sides.old is None or file.status in (FileStatus.ADDED, FileStatus.COPIED) else file_sides.old
    new = None if file.status is FileStatus.DELETED else file_sides.new
    blocks = tuple(blocks_of(file.hunks))
    before = None if old is None else parse_source(old, language)
    after = None
    if new is not None:
        after = parse_source(new, language) if before is None else parse_edited(new, before, blocks)
    return Fragment(
        file=file,
        language=language,
        old=None if before is None else _side(file.base_path, before),
        new=None if after is None else _side(file.path, after),
        blocks=blocks,
        complete=True,
    )


def _side(path: str, source: Source) -> Side:
    lines = tuple(source.text.split(b"\n"))
    return Side(path, module_of(path), source, definitions_of(source), lines, shown=len(lines))


def _from_hunk(file: ChangedFile, hunk: Hunk, language: Language) -> Fragment:
    old_text, new_text = hunk_text(hunk, language)
    old = None if file.status in (FileStatus.ADDED, FileStatus.COPIED) else old_text
    new = None if file.status is FileStatus.DELETED else new_text
    # The line that a side's text starts with; an empty side is counted from the line before it (git).
    old_first = hunk.old_start + (not hunk.old_count)
    new_first = hunk.new_start + (not hunk.new_count)
    moved = _shifted(blocks_of((hunk,)), old_text.hidden + 1 - old_first, new_text.hidden + 1 - new_first)
    return Fragment(
        file=file,
        language=language,
        old=None if old is None else _hunk_side(file.base_path, old, old_first, language),
        new=None if new is None else _hunk_side(file.path, new, new_first, language),
        blocks=tuple(moved),
        complete=False,
    )


def _hunk_side(path: str, text: HunkText, first_line: int, language: Language) -> Side:
    source = parse_source(text.data, language)
    return Side(
        path=path,
        module=module_of(path),
        source=source,
        definitions=tuple(known_definitions(source, text.hidden)),
        lines=tuple(source.text.split(b"\n")),
        shown=text.shown,
        offset=first_line - 1 - text.hidden,
        hidden=text.hidden,
    )


def known_definitions(source: Source, hidden: int) -> Iterator[Definition]:
    """Definitions of a hunk whose qualname is known, as far as it goes.

    In Python that takes an unbroken chain of blocks: a name that stands deeper than right inside its class, or deep
    with nothing known around it, is local to something out of sight. A method without its class keeps its bare name.
    """
    dropped: set[int] = set()
    for definition in definitions_of(source):
        if source.language is Language.PYTHON and not _is_known(definition, hidden, dropped):
            dropped.add(id(definition))
        else:
            yield definition


def _is_known(definition: Definition, hidden: int, dropped: set[int]) -> bool:
    outer, column = definition.outer, definition.whole.start_point[1]
    if definition.name_line <= hidden:
        return definition.name != UNKNOWN
    if outer is None:
        return column == 0 or (definition.kind is not DefinitionKind.VARIABLE and is_method(definition))
    if id(outer) in dropped:
        return False
    return outer.kind is not DefinitionKind.CLASS or column <= outer.whole.start_point[1] + STEP


def is_method(definition: Definition) -> bool:
    """Does a function say itself that it belongs to a class?"""
    header = definition.header()
    first = header.parameters[0].name if header.parameters else ""
    return first in ("self", "cls") or not {"staticmethod", "classmethod", "property"}.isdisjoint(header.decorators)


def _shifted(blocks: Iterable[Block], old: int, new: int) -> Iterator[Block]:
    for block in blocks:
        yield Block(block.old_start + old, block.old_end + old, block.new_start + new, block.new_end + new)


def blocks_of(hunks: Sequence[Hunk]) -> Iterator[Block]:
    """Runs of ``-`` and ``+`` lines."""
    for hunk in hunks:
        old = hunk.old_start + (not hunk.old_count)
        new = hunk.new_start + (not hunk.new_count)
        first_old, first_new = old, new
        for line in (*hunk.lines, " "):
            mark = line[:1]
            if mark == "-":
                old += 1
            elif mark == "+":
                new += 1
            elif mark in (" ", ""):
                if (old, new) != (first_old, first_new):
                    yield Block(first_old, old, first_new, new)
                old, new = old + 1, new + 1
                first_old, first_new = old, new


def touches(first: int, last: int, start: int, end: int) -> bool:
    """Does the half-open range ``[start, end)`` of changed lines touch the lines ``first`` to ``last``?

    An empty range is the gap before line ``start``; it touches only what it lies inside of.
    """
    return first < start <= last if start == end else first < end and last >= start


def statements_touching(side: Side, ranges: Iterable[tuple[int, int]]) -> Iterator[Node]:
    """Top-level statements that ranges of changed lines touch, in order; ``ranges`` ascend."""
    pending = list(ranges)
    index = 0
    for node in side.source.root.children:
        first, last = line_span(node)
        while index < len(pending) and pending[index][1] < first:
            index += 1
        if any(touches(first, last, *changed) for changed in pending[index : index + 2]):
            yield node
