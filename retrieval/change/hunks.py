"""``@@`` blocks: headers, bodies, and combined (``@@@``) blocks of a merge.

A body is read by count, never by look: a removed line ``-- a/x`` shows as ``--- a/x`` and only the counts of the header
tell it from the next file. A body that does not match its counts is an error at its line.

Two leniences: an empty line is an empty context line whose blank was stripped in the mail, and the text behind ``\\``
is not compared, since it is translated.

A combined block is turned into the block against the first parent, which it determines exactly: a line that neither
the first parent nor the result has is dropped. git marks no missing line end in it.
"""

from __future__ import annotations

import re

from retrieval import words
from retrieval.change.diff_lines import DiffLines
from retrieval.models import Hunk

_RANGE = r"([0-9]{1,9})(?:,([0-9]{1,9}))?"
_HEADER = re.compile(rf"@@ -{_RANGE} \+{_RANGE} @@(.*)", re.DOTALL)
_COMBINED = re.compile(rf"(@@@+)((?: -{_RANGE})+) \+{_RANGE} @@@+(.*)", re.DOTALL)
_RANGES = re.compile(rf"-{_RANGE}")
_SIGNATURES = ("-- ", "--", "-- \r", "--\r")  # ends a mail, right behind the last block


def is_header(line: str) -> bool:
    return _HEADER.fullmatch(line) is not None


def open_lines(hunk: Hunk) -> frozenset[int]:
    """Indexes of the lines of ``hunk`` that have no line end in their file."""
    last = {line[0]: index for index, line in enumerate(hunk.lines)}
    open_sides = "-" * hunk.old_ends_open + "+" * hunk.new_ends_open
    return frozenset(max(last.get(" ", -1), last.get(side, -1)) for side in open_sides)


def parse_hunks(text: DiffLines, index: int) -> tuple[tuple[Hunk, ...], int]:
    """All blocks from ``index`` on, in order and without overlap, and the index behind the last."""
    hunks: list[Hunk] = []
    end = 0
    while text.at(index).startswith("@@"):
        header = _HEADER.fullmatch(text.lines[index])
        if header is None:
            raise text.error(index, words.HUNK_HEADER_BROKEN)
        hunk, behind = _parse_hunk(text, index, header)
        start = hunk.old_start if hunk.old_count else hunk.old_start + 1
        if start <= end:
            raise text.error(index, words.HUNKS_OUT_OF_ORDER)
        if hunks and (hunks[-1].old_ends_open or hunks[-1].new_ends_open):
            raise text.error(index, words.HUNK_END_MARK_MISPLACED)
        end = start + hunk.old_count - 1
        hunks.append(hunk)
        index = behind
        _refuse_leftover(text, index)
    return tuple(hunks), index


def _parse_hunk(text: DiffLines, start: int, header: re.Match[str]) -> tuple[Hunk, int]:
    old_start, old_count = int(header[1]), _count(header[2])
    new_start, new_count = int(header[3]), _count(header[4])
    if (old_count and not old_start) or (new_count and not new_start) or not (old_count or new_count):
        raise text.error(start, words.HUNK_HEADER_BROKEN)
    old, new = old_count, new_count
    lines: list[str] = []
    marks: list[int] = []  # how many body lines stood before each end mark
    index = start + 1
    total = len(text.lines)
    while old or new:
        if index >= total:
            raise text.error(start, words.hunk_too_short(old_count, new_count, old_count - old, new_count - new))
        line = text.lines[index]
        mark = line[:1]
        if mark == " ":
            old -= 1
            new -= 1
        elif mark == "+":
            new -= 1
        elif mark == "-":
            old -= 1
        elif mark == "\\":
            marks.append(len(lines))
            index += 1
            continue
        elif line in ("", "\r"):
            old -= 1
            new -= 1
            line = f" {line}"
        else:
            raise text.error(index, words.hunk_too_short(old_count, new_count, old_count - old, new_count - new))
        if old < 0 or new < 0:
            raise text.error(index, words.hunk_too_long(old_count, new_count))
        lines.append(line)
        index += 1
    if text.at(index).startswith("\\"):
        marks.append(len(lines))
        index += 1
    old_open, new_open = _open_ends(text, start, lines, marks)
    hunk = Hunk(
        old_start=old_start,
        old_count=old_count,
        new_start=new_start,
        new_count=new_count,
        section=header[5].strip(),
        lines=tuple(lines),
        old_ends_open=old_open,
        new_ends_open=new_open,
    )
    return hunk, index


def _count(text: str | None) -> int:
    """A range without a count is one line long."""
    return int(text) if text else 1


def _open_ends(text: DiffLines, start: int, lines: list[str], marks: list[int]) -> tuple[bool, bool]:
    """Which sides end without a line end. An end mark belongs behind the last line of its side and nowhere else."""
    old_open = new_open = False
    for count in marks:
        mark = lines[count - 1][0] if count else ""
        rest = {line[0] for line in lines[count:]}
        if (mark in (" ", "-") and rest & {" ", "-"}) or (mark in (" ", "+") and rest & {" ", "+"}) or not mark:
            raise text.error(start, words.HUNK_END_MARK_MISPLACED)
        old_open |= mark in (" ", "-")
        new_open |= mark in (" ", "+")
    return old_open, new_open


def _refuse_leftover(text: DiffLines, index: int) -> None:
    """A body line right behind a finished block means that the header promised too few."""
    line = text.at(index)
    if line[:1] not in (" ", "+", "-", "\\") or line in _SIGNATURES:
        return
    if line.startswith("--- ") and text.at(index + 1).startswith("+++ "):
        return
    raise text.error(index, words.HUNK_LEFTOVER)


def parse_combined_hunks(text: DiffLines, index: int) -> tuple[tuple[Hunk, ...], int]:
    """As ``parse_hunks`` for ``@@@`` blocks; blocks equal to the first parent are dropped."""
    hunks: list[Hunk] = []
    while text.at(index).startswith("@@@"):
        header = _COMBINED.fullmatch(text.lines[index])
        if header is None or len(_RANGES.findall(header[2])) != len(header[1]) - 1:
            raise text.error(index, words.HUNK_HEADER_BROKEN)
        hunk, index = _parse_combined(text, index, header)
        if hunk.added or hunk.removed:
            hunks.append(hunk)
    return tuple(hunks), index


def _parse_combined(text: DiffLines, start: int, header: re.Match[str]) -> tuple[Hunk, int]:
    parents = [(int(first), _count(count)) for first, count in _RANGES.findall(header[2])]
    new_start, new_count = int(header[5]), _count(header[6])
    left = [count for _, count in parents]
    width, new, index = len(parents), new_count, start + 1
    lines: list[str] = []
    while new or any(left):
        line = text.at(index)
        columns = line[:width].ljust(width)
        if index >= len(text) or columns.strip(" +-"):
            raise text.error(index, words.COMBINED_HUNK_TOO_SHORT)
        gone = "-" in columns
        left = [count - (column == ("-" if gone else " ")) for count, column in zip(left, columns, strict=True)]
        new -= not gone
        if new < 0 or min(left) < 0:
            raise text.error(index, words.COMBINED_HUNK_TOO_LONG)
        if not gone or columns[0] == "-":
            lines.append(f"{'-' if gone else columns[0]}{line[width:]}")
        index += 1
    hunk = Hunk(
        old_start=parents[0][0],
        old_count=parents[0][1],
        new_start=new_start,
        new_count=new_count,
        section=header[7].strip(),
        lines=tuple(lines),
    )
    return hunk, index
