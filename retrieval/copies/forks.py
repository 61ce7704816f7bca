"""The forks of one downstream file: which of its functions and classes are copies, of what, and how alike.

A function has one original, the most alike; an akin name and a near path decide between equals. Of nested functions
that are copies of one original the most alike counts, and what lies inside a copy is not told of again. A class is a
copy when most of its code lies in copies of members of one upstream class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from retrieval.copies.alignment import Piece, align
from retrieval.copies.candidates import of_like_size, worth_aligning
from retrieval.copies.definitions import Copyable
from retrieval.copies.names import AKIN_BAR, bar, gave_its_name
from retrieval.copies.originals import Original, Originals
from retrieval.copies.sketch import ASKED, sketch
from retrieval.symbols import language_of

_AKIN_BONUS = 0.1
_HALF = 0.5

PieceOf = Callable[[Original], Piece]


class Fork(NamedTuple):
    """``tokens`` are those of the copy, ``original_tokens`` those of the original, ``matched`` those that agree.
    ``copied`` of ``members`` are the copies among the functions of a class; a function has none.
    """

    path: str
    scope: str
    lines: tuple[int, int]
    line: int
    original_path: str
    original_scope: str
    original_lines: tuple[int, int]
    similarity: float
    tokens: int
    original_tokens: int
    matched: int
    is_class: bool = False
    copied: int = 0
    members: int = 0

    @property
    def name(self) -> str:
        return self.scope.rpartition(".")[2]

    @property
    def renamed(self) -> bool:
        return self.name != self.original_scope.rpartition(".")[2]


class _File:
    """One downstream file, its definitions tokenised when asked for."""

    def __init__(self, path: str, text: str, definitions: Sequence[Copyable]) -> None:
        self.path = path
        self.language = language_of(path)
        self.definitions = definitions
        self._lines = text.split("\n")
        self._pieces: dict[Copyable, Piece] = {}

    def text(self, one: Copyable) -> str:
        return "\n".join(self._lines[one.first - 1 : one.last])

    def piece(self, one: Copyable) -> Piece:
        found = self._pieces.get(one)
        if found is None:
            found = self._pieces[one] = Piece(self.text(one), self.language)
        return found


def forks_in(
    path: str, text: str, definitions: Sequence[Copyable], originals: Originals, piece_of: PieceOf
) -> Sequence[Fork]:
    """Forks of one file by place, a class before its members. ``text`` has LF line ends."""
    file = _File(path, text, definitions)
    found: dict[str, Fork] = {}
    for one in definitions:
        best = None if one.is_class else _best(file, one, originals, piece_of)
        if best is not None:
            found[one.scope] = best
    kept = _outermost(found)
    classes = [_class_fork(file, one, kept, originals, piece_of) for one in definitions if one.is_class]
    return sorted((*kept.values(), *filter(None, classes)), key=lambda fork: (fork.lines[0], -fork.lines[1]))


def _best(file: _File, one: Copyable, originals: Originals, piece_of: PieceOf) -> Fork | None:
    found: list[tuple[float, int, Fork]] = []
    grams = sketch(file.text(one).encode(), file.language, ASKED)
    for original in originals.candidates(one.scope, grams, file.language):
        other = original.definition
        if not of_like_size(one.lines, other.lines):
            continue
        piece, source = file.piece(one), piece_of(original)
        if not worth_aligning(source, piece):
            continue
        alignment = align(source, piece)
        telling = len(piece.telling & source.telling)
        if alignment.similarity >= bar(other.scope, one.scope, min(len(piece), len(source)), telling):
            sizes = len(piece), len(source), alignment.matched
            fork = Fork(file.path, *_place(one), one.line, original.path, *_place(other), alignment.similarity, *sizes)
            score = alignment.similarity + _AKIN_BONUS * gave_its_name(other.scope, one.scope)
            found.append((score, _shared_parts(file.path, original.path), fork))
    return max(found, key=lambda entry: entry[:2])[2] if found else None


def _place(one: Copyable) -> tuple[str, tuple[int, int]]:
    return one.scope, (one.first, one.last)


def _shared_parts(path: str, other: str) -> int:
    return len(set(path.split("/")) & set(other.split("/")))


def _outermost(found: Mapping[str, Fork]) -> dict[str, Fork]:
    """Without what is inside a copy anyway, and without wrappers that are alike only for the copy inside them."""
    kept = dict(found)
    for scope, fork in found.items():
        around = [found[outer] for outer in enclosing(scope) if outer in found]
        for outer in around:
            if outer.original_path != fork.original_path:
                continue
            if outer.original_scope == fork.original_scope:
                kept.pop(outer.scope if fork.similarity > outer.similarity else scope, None)
            elif fork.original_scope.startswith(f"{outer.original_scope}.") and outer.scope in kept:
                kept.pop(scope, None)
    return kept


def enclosing(scope: str) -> Iterable[str]:
    """Scopes around one, outermost first."""
    names = scope.split(".")
    return (".".join(names[:at]) for at in range(1, len(names)))


def _class_fork(
    file: _File, one: Copyable, forks: Mapping[str, Fork], originals: Originals, piece_of: PieceOf
) -> Fork | None:
    """The class as a copy of the upstream class that most of its copied code comes from."""
    members = _members(one, file.definitions)
    by_class: dict[tuple[str, str], list[Fork]] = {}
    for fork in (forks[member.scope] for member in members if member.scope in forks):
        by_class.setdefault((fork.original_path, fork.original_scope.rpartition(".")[0]), []).append(fork)
    place = max(by_class, key=lambda place: sum(fork.matched for fork in by_class[place]), default=None)
    upstream = originals.classes.get(place) if place is not None else None
    if place is None or upstream is None:
        return None
    copies, path = by_class[place], place[0]
    size = sum(len(file.piece(member)) for member in members)
    if sum(fork.tokens for fork in copies) < _HALF * size or len(copies) < _HALF * len(members):
        return None
    others = _members(upstream, originals.files[path])
    original_size = sum(len(piece_of(Original(path, other))) for other in others)
    matched = sum(fork.matched for fork in copies)
    alike = 2 * matched / (size + original_size)
    if alike < AKIN_BAR:
        return None
    sizes = size, original_size, matched
    counts = len(copies), len(members)
    return Fork(file.path, *_place(one), one.line, path, *_place(upstream), alike, *sizes, True, *counts)


def _members(one: Copyable, definitions: Sequence[Copyable]) -> Sequence[Copyable]:
    prefix = f"{one.scope}."
    return [
        other
        for other in definitions
        if not other.is_class and other.scope.startswith(prefix) and "." not in other.scope[len(prefix) :]
    ]
