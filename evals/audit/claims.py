"""What a printed paragraph claims: places with line numbers, counted misses, and relation words beside places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evals import words

_RANGE = r"\d+(?:-\d+)?"
_PLACE = re.compile(rf"(?P<path>(?:[\w.+-]+/)*[\w.+-]+\.[A-Za-z]\w*):(?P<lines>{_RANGE}(?:, ?{_RANGE})*)", re.ASCII)
_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::)[A-Za-z_][A-Za-z0-9_]*)*"
_ZERO = re.compile(rf"(?<![\d.])0\s?{words.HIT}")
_DENIED = re.compile(rf"(?P<names>`?{_NAME}`?(?:{words.AND}`?{_NAME}`?)*)\s*(?:{words.ALL_OF_THEM})?\s*$")


@dataclass(frozen=True, slots=True)
class PrintedPlace:
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Clause:
    """Text between two ends of a clause, brackets kept whole, and what it claims."""

    text: str

    @property
    def places(self) -> tuple[PrintedPlace, ...]:
        """Every printed line; a range ``12-14`` claims all of its lines."""
        return tuple(
            PrintedPlace(found["path"], line)
            for found in _PLACE.finditer(self.text)
            for part in found["lines"].split(",")
            for line in _lines(part)
        )

    @property
    def misses(self) -> tuple[tuple[str, ...], ...]:
        """For each ``0 命中`` the words it was counted for: those right before it. Empty when it names none."""
        found = []
        start = 0
        for zero in _ZERO.finditer(self.text):
            before = _DENIED.search(self.text, start, zero.start())
            found.append(tuple(re.findall(_NAME, before["names"])) if before else ())
            start = zero.end()
        return tuple(found)

    @property
    def relations(self) -> tuple[str, ...]:
        """Relation words that the clause affirms; code is no prose (``register_patch`` claims nothing)."""
        prose = re.sub(r"`[^`]*`|[A-Za-z0-9_./:]*[_./:][A-Za-z0-9_./:]*", " ", self.text)
        return tuple(word for word in words.RELATION_KINDS if _affirms(prose, word))


def clauses(paragraph: str) -> Iterator[Clause]:
    depth, start = 0, 0
    for position, sign in enumerate(paragraph):
        depth += (sign in words.OPENING) - (sign in words.CLOSING)
        if sign in words.CLAUSE_ENDS and depth <= 0:
            yield Clause(paragraph[start:position])
            depth, start = 0, position + 1
    yield Clause(paragraph[start:])


def _lines(part: str) -> Iterable[int]:
    """The lines of ``12`` or ``12-14``; of a range that runs backwards both ends, so that it cannot claim nothing."""
    first, _, last = part.strip().partition("-")
    return range(int(first), int(last or first) + 1) or (int(first), int(last))


def _affirms(prose: str, word: str) -> bool:
    at = prose.find(word)
    return at >= 0 and not any(denial in prose[max(0, at - 6) : at] for denial in words.DENIALS)
