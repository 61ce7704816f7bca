"""Which definition a changed line belongs to, and which line of the new side an old one became.

A line belongs to the innermost definition around it. A comment right above a definition belongs to that definition;
a blank line, or a comment elsewhere, between definitions belongs to nobody: adding a method does not change its class.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from retrieval.definitions import Definition
from retrieval.delta.fragments import Block, Side
from retrieval.models import DefinitionKind, Language

_BODIES = (DefinitionKind.FUNCTION, DefinitionKind.METHOD)
_COMMENT_STARTS = {Language.PYTHON: (b"#",), Language.CPP: (b"//", b"/*", b"*")}


class LineMap:
    """Unchanged lines of the old side on the new one."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._starts = [block.old_start for block in blocks]
        self._blocks = blocks

    def to_new(self, old_line: int) -> int | None:
        """The new number of an unchanged old line, null for a removed one."""
        index = bisect_right(self._starts, old_line) - 1
        if index < 0:
            return old_line
        block = self._blocks[index]
        return None if old_line < block.old_end else old_line - block.old_end + block.new_end


class LineOwners:
    """The definition each changed line of one side belongs to."""

    def __init__(self, side: Side, changed: Iterable[int]) -> None:
        self._side = side
        self._comment = _COMMENT_STARTS[side.source.language]
        self._starting: dict[int, Definition] = {}
        for definition in side.definitions:
            self._starting.setdefault(definition.start_line, definition)
        self.free: list[int] = []  # changed lines of code outside all definitions
        self.remarks: list[int] = []  # changed comments that belong to no definition
        self._lines: dict[int, list[int]] = {}
        self._attribute(sorted(changed))

    def lines_of(self, definition: Definition) -> Sequence[int]:
        """Changed lines of the definition's own, those of definitions inside it left out."""
        return self._lines.get(id(definition), ())

    def _attribute(self, changed: Sequence[int]) -> None:
        definitions = self._side.definitions
        around: list[Definition] = []
        index = 0
        for line in changed:
            while index < len(definitions) and definitions[index].start_line <= line:
                around.append(definitions[index])
                index += 1
            # Definitions come in source order, outer before inner; those that ended are of no more use.
            while around and around[-1].end_line < line:
                around.pop()
            owner = next((item for item in reversed(around) if item.end_line >= line), None)
            owner = self._owner(line, owner)
            if owner is not None:
                self._lines.setdefault(id(owner), []).append(line)

    def _owner(self, line: int, inner: Definition | None) -> Definition | None:
        if inner is not None and inner.kind in _BODIES:
            return inner
        text = self._side.line(line)
        stripped = text.strip()
        if not stripped:
            return None
        if stripped.startswith(self._comment) and (inner is None or inner.kind is DefinitionKind.CLASS):
            below = self._below(line, text)
            if below is None:
                self.remarks.append(line)
            return below
        if inner is None:
            self.free.append(line)
        return inner

    def _below(self, line: int, text: bytes) -> Definition | None:
        """The definition that the run of comments at ``line`` stands right above, in the same column."""
        column = len(text) - len(text.lstrip())
        while self._side.line(line).strip().startswith(self._comment):
            line += 1
        below = self._side.line(line)
        found = self._starting.get(line)
        return found if found is not None and len(below) - len(below.lstrip()) == column else None
