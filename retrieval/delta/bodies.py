"""How alike two definitions are, whatever they are called.

A body is its code tokens (no comments, docstrings, annotations, log calls) with its own name made anonymous, kept as
a bag of neighbouring pairs. The likeness of two bodies is the Dice coefficient of their bags: 1 when they are equal,
0 when they share no pair. Order counts through the pairs, length through the coefficient, and no alignment is needed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from retrieval.definitions import CLOSE, OPEN, Definition, Layer
from retrieval.models import DefinitionKind

_MARKS = (OPEN, CLOSE)
_SELF = "\x00"  # stands for the definition's own name


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    tokens: tuple[str, ...]
    bag: Counter[tuple[str, str]]

    @property
    def size(self) -> int:
        return len(self.tokens)

    def likeness(self, other: Body) -> float:
        """Between 0 and 1; see the module docstring."""
        if self.tokens == other.tokens:
            return 1.0
        total = self.bag.total() + other.bag.total()
        if not total:
            return 0.0
        small, large = sorted((self.bag, other.bag), key=len)
        return 2 * sum(min(count, large[pair]) for pair, count in small.items()) / total


class Bodies:
    """Bodies by definition, each read once."""

    def __init__(self) -> None:
        self._read: dict[int, Body] = {}
        self._kept: list[Definition] = []  # keeps ids from being used again

    def of(self, definition: Definition) -> Body:
        body = self._read.get(id(definition))
        if body is None:
            body = self._read[id(definition)] = _body(definition)
            self._kept.append(definition)
        return body


def _body(definition: Definition) -> Body:
    name = definition.name
    tokens = tuple(
        _SELF if text == name else text
        for text, layer in definition.tokens()
        if layer is Layer.CODE and text[0] not in _MARKS
    )
    if definition.kind is DefinitionKind.VARIABLE and tokens[:1] == (_SELF,):
        tokens = tokens[1:]
    return Body(tokens, Counter(pairwise(tokens)))
