"""Wraps mixed Chinese and code the way a reader expects: between Chinese characters anywhere, in paths after a slash.

Rich breaks at spaces only, which leaves lines of Chinese half empty. Here closing marks never start a line and opening
marks never end one; a word wider than the line is cut where it must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

_CLOSING = "\u3001\u3002\uff0c\uff1b\uff1a\uff1f\uff01\uff09\u3011\u300d\u300f\u300b\u201d\u2019,.;:)]}"
_OPENING = "\uff08\u3010\u300c\u300e\u300a\u201c\u2018"
#: A space, a run of code up to a slash, or one other character; with the marks that belong to it.
_PIECE = re.compile(rf"[{_OPENING}]*(?:\s|[!-.0-~]+/?|/|[^\s])[{re.escape(_CLOSING)}]*")


class Flowing:
    """A Rich renderable of one text, wrapped by ``break_offsets``; styles are kept."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for paragraph in self.text.split("\n", allow_blank=True):
            for line in paragraph.divide(break_offsets(paragraph.plain, options.max_width)):
                line.rstrip()
                line.no_wrap = True
                line.overflow = "ignore"
                yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max((cell_len(line) for line in self.text.plain.split("\n")), default=0)
        return Measurement(min(2, options.max_width), min(widest, options.max_width))


def break_offsets(text: str, width: int) -> list[int]:
    """Offsets at which ``text`` is cut so that no line has more than ``width`` cells."""
    offsets: list[int] = []
    used = 0
    for start, piece in _pieces(text, width):
        size = cell_len(piece)
        if used and used + cell_len(piece.rstrip()) > width:
            offsets.append(start)
            used = 0
        used += size
    return offsets


def _pieces(text: str, width: int) -> Iterator[tuple[int, str]]:
    """What may not be broken, with its offset; a piece wider than a line comes in single characters."""
    for match in _PIECE.finditer(text):
        if cell_len(match.group()) <= width:
            yield match.start(), match.group()
        else:
            yield from ((match.start() + index, char) for index, char in enumerate(match.group()))
