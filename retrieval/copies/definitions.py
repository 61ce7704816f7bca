"""What of a file can be a copy or an original: its functions and classes, each with its place and its sketch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from retrieval.copies.sketch import sketch
from retrieval.models import DefinitionKind, Language
from retrieval.symbols import parse_definitions

_FUNCTIONS = (DefinitionKind.FUNCTION, DefinitionKind.METHOD)


class Copyable(NamedTuple):
    """``first`` and ``last`` are its lines, decorators included, ``line`` is that of its name. Classes have no grams:
    they are known by their members.
    """

    scope: str
    is_class: bool
    first: int
    last: int
    line: int
    grams: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.scope.rpartition(".")[2]

    @property
    def lines(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def copyables(data: bytes, language: Language) -> Sequence[Copyable]:
    """Functions of more than a line, and classes; in source order, an outer one first."""
    found: list[Copyable] = []
    for one in parse_definitions(data, language):
        is_class = one.kind is DefinitionKind.CLASS
        if not is_class and one.kind not in _FUNCTIONS:
            continue
        if one.end_line > one.start_line:
            text = b"" if is_class else one.source.text[one.whole.start_byte : one.whole.end_byte]
            place = (one.start_line, one.end_line, one.name_line)
            found.append(Copyable(one.qualname, is_class, *place, sketch(text, language)))
    return found


def to_text(found: Sequence[Copyable]) -> str:
    return json.dumps(found, separators=(",", ":"))


def from_text(text: str) -> Sequence[Copyable]:
    """What `to_text` wrote; ``ValueError`` or ``TypeError`` for anything else."""
    rows = (Copyable(*row) for row in json.loads(text))
    return [row._replace(grams=tuple(row.grams)) for row in rows]
