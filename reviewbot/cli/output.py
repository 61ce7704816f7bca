"""Everything the command prints: text and tables through Rich, machine formats untouched.

Rules kept here: text from outside is never read as markup; colour follows ``output.color``, ``NO_COLOR`` and whether
anyone looks; what goes into a pipe is neither wrapped nor cut to a width; a reader who goes away ends the run quietly.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

#: Wider than any line: a table in a pipe takes the width of its content.
_UNLIMITED = 10_000
#: Blank cells between two columns, and what is left of a column however narrow the terminal.
_GAP = 2
_LEAST_LAST = 8
#: As far as a block of prose may spread.
_READABLE = 120


class PipeClosedError(Exception):
    """Whoever read our output went away. Not an ``OSError``: the parser library would end the process itself."""


class Terminal(Console):
    """A Rich console that leaves markup, emoji and highlighting off and reports a closed pipe as our error."""

    def __init__(self, stream: TextIO, color: str = "auto") -> None:
        forced = {"always": True, "never": False}.get(color)
        looked_at = stream.isatty() or bool(os.environ.get("COLUMNS"))
        super().__init__(
            file=stream,
            force_terminal=forced,
            no_color=True if color == "never" else None,
            width=None if looked_at else _UNLIMITED,
            markup=False,
            emoji=False,
            highlight=False,
        )

    def print(self, *objects: Any, **options: Any) -> None:
        """Like Rich's, but lines that nobody looks at carry no padding at their end."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        try:
            self.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))
            self.file.flush()
        except BrokenPipeError as error:
            raise PipeClosedError from error

    def block(self, content: RenderableType) -> None:
        """Print what fills its line, such as prose or a panel, no wider than is pleasant to read."""
        self.print(content, width=min(self.width, _READABLE))

    def on_broken_pipe(self) -> NoReturn:
        raise PipeClosedError


class Output:
    """What a command writes to. ``color`` is ``auto``, ``always`` or ``never``."""

    def __init__(self, color: str = "auto") -> None:
        self.out = Terminal(sys.stdout, color)
        self.err = Terminal(sys.stderr, color)

    def raw(self, text: str) -> None:
        """Text as it is, ended by a line feed if it has none: Markdown, CSV, table rows."""
        write(text if text.endswith("\n") or not text else f"{text}\n")

    def json(self, value: object) -> None:
        """One JSON document. Characters that the stream's encoding lacks are escaped, so it is valid anywhere."""
        readable = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        self.raw(json.dumps(value, ensure_ascii=not readable, indent=2))

    def line(self, text: str | Text = "", style: str = "") -> None:
        """One line or paragraph for people."""
        self.out.print(Text(text) if isinstance(text, str) else text, style=style or None)

    def note(self, text: str, style: str = "yellow") -> None:
        """One line on standard error, beside the result."""
        self.err.print(Text(text), style=style)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], *, fold: Sequence[int] = ()) -> None:
        """A plain table. Where room is short, columns in ``fold`` are broken over lines, the others kept whole."""
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
        for number, (column, width) in enumerate(zip(columns, _widths(columns, rows), strict=True)):
            broken = number in fold
            # Without a least width Rich would shrink every column alike.
            table.add_column(column, no_wrap=not broken, overflow="fold", min_width=None if broken else width)
        for row in rows:
            table.add_row(*map(Text, row))
        self.out.print(table)

    def list(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table of one line a row: where room is short, the last column is cut."""
        room = self.out.width - sum(width + _GAP for width in _widths(columns, rows)[:-1])
        cut = []
        for row in rows:
            last = Text(row[-1])
            last.truncate(max(room, _LEAST_LAST), overflow="ellipsis")
            cut.append((*row[:-1], last.plain))
        self.table(columns, cut)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Terminal cells that each column takes when nothing is broken or cut."""
    return [max(map(cell_len, cells)) for cells in zip(columns, *rows, strict=True)]


def write(text: str) -> None:
    """Write to standard output at once."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise PipeClosedError from error


def complain(text: str) -> None:
    """One message on standard error, plain: it is read by people and by scripts alike."""
    print(text, file=sys.stderr)


def tolerate_any_text() -> None:
    """No character from outside may stop the output: what the stream can't encode is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # absent when a test or host replaced the stream
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def abandon_stdout() -> None:
    """After a closed pipe: the interpreter must not try to flush what is left."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
