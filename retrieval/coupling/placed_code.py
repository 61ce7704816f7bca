"""The code at places of the tree, read and tokenised once for all the changes it is compared with."""

from __future__ import annotations

from retrieval.copies.alignment import Piece
from retrieval.coupling.lookup import FactLookup
from retrieval.symbols import language_of

Place = tuple[str, tuple[int, int]]  # path, first and last line


class PlacedCode:
    def __init__(self, lookup: FactLookup) -> None:
        self._lookup = lookup
        self._seen: dict[Place, tuple[str, Piece]] = {}

    def at(self, path: str, span: tuple[int, int]) -> tuple[str, Piece]:
        place = path, span
        if place not in self._seen:
            text = self._lookup.text(path, *span)
            self._seen[place] = text, Piece(text, language_of(path))
        return self._seen[place]
