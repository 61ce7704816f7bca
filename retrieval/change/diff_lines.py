"""The bytes of a diff as lines, with the place of each for error messages.

Only ``\\n`` ends a line. ``str.splitlines`` would also cut at form feed, vertical tab, a lone ``\\r`` and U+2028, all
of which occur inside source lines. UTF-8 is tried on the whole, then line by line with U+FFFD for what is not UTF-8.

Two things editors and shells do to a whole diff are undone: a UTF-16 or UTF-8 byte-order mark (PowerShell's ``>``),
and ``\\r\\n`` at the end of *every* line. The diff of a CRLF file is no such case: its header lines end with ``\\n``
alone, and its content lines keep their ``\\r``.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from retrieval.errors import ChangeError


@dataclass(frozen=True, slots=True)
class DiffLines:
    """``lines`` without their ends; ``first`` is the 1-based number of ``lines[0]`` in ``source``."""

    lines: list[str]
    source: str
    first: int = 1

    def __len__(self) -> int:
        return len(self.lines)

    def at(self, index: int) -> str:
        """The line at ``index``, empty past the end."""
        return self.lines[index] if index < len(self.lines) else ""

    def number(self, index: int) -> int:
        """1-based number of the line at ``index``; that of the last line for an index past the end."""
        return self.first + max(0, min(index, len(self.lines) - 1))

    def error(self, index: int, reason: str) -> ChangeError:
        return ChangeError(self.source, reason, self.number(index))

    def part(self, start: int, end: int) -> DiffLines:
        return DiffLines(self.lines[start:end], self.source, self.first + start)


def read_lines(data: bytes, source: str) -> DiffLines:
    """Never fails: whatever the bytes are, they are some lines."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # Halves of a broken surrogate pair come out of this decoder as they are; UTF-8 has no place for them.
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        lines = [line.decode("utf-8", "replace") for line in data.split(b"\n")]
    if not lines[-1]:
        lines.pop()
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]
    return DiffLines(lines, source)
