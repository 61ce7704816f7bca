"""Two diffs of one file, one after the other, as one diff.

``A`` leads from old to middle, ``B`` from middle to new. Both are walked along the middle file. What neither shows is
an unknown stretch that both leave alone; every other middle line is known to one of them, and then

========================  ====================  ===================
the middle line is        kept by B             removed by B
========================  ====================  ===================
taken over by A           context               removed
added by A                added                 never existed
========================  ====================  ===================

Lines that A removed or B added belong to no middle line and pass through. The result is exact without any tree. When
both know a middle line and disagree, the two are no sequence: ``ComposeError``.

A line is handled with its line end (``\\n``, or none for an open last line), so a changed line end is a change.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from retrieval.change.hunks import open_lines
from retrieval.models import Hunk

_CONTEXT = 3


class ComposeError(Exception):
    """The second diff does not start from where the first ended."""


class _Step(Enum):
    """What one diff does along the middle file."""

    SKIPS = "skips"  # ``count`` middle lines that the diff does not show
    KEEPS = "keeps"  # a middle line that the other side of the diff has too
    OWNS = "owns"  # a middle line that the other side does not have: added by A, removed by B
    BESIDE = "beside"  # no middle line: removed by A, added by B


@dataclass(frozen=True, slots=True)
class _Move:
    step: _Step
    count: int = 1
    text: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the result; ``mark`` is empty for an unknown stretch of ``count`` lines."""

    mark: str
    text: str = ""
    section: str = ""
    count: int = 1


def compose(
    first: Sequence[Hunk], second: Sequence[Hunk], *, first_is_whole: bool = False, second_is_whole: bool = False
) -> tuple[Hunk, ...]:
    """The hunks from the old side of ``first`` to the new side of ``second``.

    ``first_is_whole``: the first adds the file, so it shows all of the middle. ``second_is_whole``: the second deletes
    it, likewise.
    """
    walk = _walk(_moves(first, middle="+"), _moves(second, middle="-"), first_is_whole, second_is_whole)
    return tuple(_hunks(_settled(list(walk))))


def _moves(hunks: Sequence[Hunk], *, middle: str) -> Iterator[_Move]:
    """One diff as moves along its new side (A, ``+``) or its old side (B, ``-``); nothing for the rest of the file."""
    at = 1
    for hunk in hunks:
        start, count = (hunk.new_start, hunk.new_count) if middle == "+" else (hunk.old_start, hunk.old_count)
        skipped = (start if count else start + 1) - at
        if skipped < 0:
            raise ComposeError
        if skipped:
            yield _Move(_Step.SKIPS, skipped)
        at += skipped + count
        opens = open_lines(hunk)
        for index, line in enumerate(hunk.lines):
            step = _Step.KEEPS if line[0] == " " else _Step.OWNS if line[0] == middle else _Step.BESIDE
            yield _Move(step, 1, line[1:] if index in opens else f"{line[1:]}\n", hunk.section)


def _walk(
    first: Iterator[_Move], second: Iterator[_Move], first_is_whole: bool, second_is_whole: bool
) -> Iterator[_Row]:
    a, b = next(first, None), next(second, None)
    while a is not None or b is not None:
        if a is not None and a.step is _Step.BESIDE:
            yield _Row("-", a.text, a.section)
            a = next(first, None)
        elif b is not None and b.step is _Step.BESIDE:
            yield _Row("+", b.text, b.section)
            b = next(second, None)
        else:
            if (a is None and first_is_whole) or (b is None and second_is_whole):
                raise ComposeError
            row = _meet(a, b)
            if row is not None:
                yield row
            count = row.count if row is not None else 1
            a = _advanced(a, count, first)
            b = _advanced(b, count, second)


def _meet(a: _Move | None, b: _Move | None) -> _Row | None:
    """The fate of the next middle line, or of a stretch that neither shows; None for a line that was never there."""
    shown = [move for move in (a, b) if move is not None and move.step is not _Step.SKIPS]
    if not shown:
        return _Row("", count=min(move.count for move in (a, b) if move is not None))
    if shown[0].text != shown[-1].text:
        raise ComposeError
    added = a is not None and a.step is _Step.OWNS
    removed = b is not None and b.step is _Step.OWNS
    if added and removed:
        return None
    return _Row("+" if added else "-" if removed else " ", shown[0].text, shown[0].section)


def _advanced(move: _Move | None, count: int, rest: Iterator[_Move]) -> _Move | None:
    if move is not None and move.count > count:
        return replace(move, count=move.count - count)
    return next(rest, None) if move is not None else None


def _settled(rows: list[_Row]) -> list[_Row]:
    """Lines that were removed and added again become context; removed lines stand before added ones."""
    settled: list[_Row] = []
    for changed, run in itertools.groupby(rows, key=lambda row: row.mark in ("-", "+")):
        if not changed:
            settled += run
            continue
        lines = list(run)
        removed = [row for row in lines if row.mark == "-"]
        added = [row for row in lines if row.mark == "+"]
        if not {row.text for row in removed}.intersection(row.text for row in added):
            settled += removed + added
            continue
        matcher = difflib.SequenceMatcher(None, [row.text for row in removed], [row.text for row in added])
        for tag, old, old_end, new, new_end in matcher.get_opcodes():
            if tag == "equal":
                settled += [replace(row, mark=" ") for row in added[new:new_end]]
            else:
                settled += removed[old:old_end] + added[new:new_end]
    return settled


def _hunks(rows: Sequence[_Row]) -> Iterator[Hunk]:
    """Blocks of changed rows with up to three known lines around them."""
    old = new = 1
    for known, stretch in itertools.groupby(rows, key=lambda row: bool(row.mark)):
        lines = list(stretch)
        if not known:
            skipped = sum(row.count for row in lines)
            old, new = old + skipped, new + skipped
            continue
        done = 0
        for start, end in _blocks(lines):
            old, new = old + _on_side(lines[done:start], "-"), new + _on_side(lines[done:start], "+")
            yield _hunk(lines[start:end], old, new)
            old, new = old + _on_side(lines[start:end], "-"), new + _on_side(lines[start:end], "+")
            done = end
        old, new = old + _on_side(lines[done:], "-"), new + _on_side(lines[done:], "+")


def _blocks(rows: Sequence[_Row]) -> list[tuple[int, int]]:
    """Half-open ranges of ``rows`` around the changed ones; ranges that touch are one."""
    blocks: list[tuple[int, int]] = []
    for index, row in enumerate(rows):
        if row.mark == " ":
            continue
        start, end = max(0, index - _CONTEXT), min(len(rows), index + _CONTEXT + 1)
        if blocks and start <= blocks[-1][1]:
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
    return blocks


def _on_side(rows: Sequence[_Row], side: str) -> int:
    return sum(row.mark in (" ", side) for row in rows)


def _hunk(rows: Sequence[_Row], old: int, new: int) -> Hunk:
    old_count, new_count = _on_side(rows, "-"), _on_side(rows, "+")
    return Hunk(
        old_start=old if old_count else old - 1,
        old_count=old_count,
        new_start=new if new_count else new - 1,
        new_count=new_count,
        section=rows[0].section,
        lines=tuple(row.mark + row.text.removesuffix("\n") for row in rows),
        old_ends_open=any(row.mark in (" ", "-") and not row.text.endswith("\n") for row in rows),
        new_ends_open=any(row.mark in (" ", "+") and not row.text.endswith("\n") for row in rows),
    )
