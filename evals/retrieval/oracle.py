"""The oracle: which cited places mention any name of the change at all, so that a search for names could reach them.

An upper bound for every search by name, however it ranks. A scope mentions a name when the name stands as a whole word
(ASCII boundaries) on one of its lines; ``<module>`` has the lines that lie in no function and no class. A file
mentions a name when any of its lines does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from evals.change_names import ChangeName, NameSource
from evals.places import spans_of
from evals.recall import Place, RankedRecord, Ratio

_WORD = re.compile(rb"[A-Za-z0-9_]+")


class Level(StrEnum):
    SCOPE = "scope"
    FILE = "file"


class NameSet(StrEnum):
    """Which names of a change count."""

    ALL = "all"
    WITHOUT_TOUCHED = "without_touched"
    CHANGED_ONLY = "changed_only"  # definitions, operators, flags and what holds them

    @property
    def sources(self) -> frozenset[NameSource]:
        left_out = {
            NameSet.ALL: (),
            NameSet.WITHOUT_TOUCHED: (NameSource.TOUCHED,),
            NameSet.CHANGED_ONLY: (NameSource.TOUCHED, NameSource.MODULE),
        }
        return frozenset(NameSource).difference(left_out[self])


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names of the change that each expected place, and each expected file, mentions."""

    places: dict[Place, tuple[ChangeName, ...]]
    files: dict[str, tuple[ChangeName, ...]]

    def reached_places(self, names: NameSet) -> set[Place]:
        return {place for place, found in self.places.items() if _any_of(found, names)}

    def reached_files(self, names: NameSet) -> set[str]:
        return {path for path, found in self.files.items() if _any_of(found, names)}


@dataclass(frozen=True, slots=True)
class Reach:
    """``oracle`` is what names reach of what was cited; ``both`` what the first k items hold of that; ``hits`` what
    they hold of everything cited, which evidence without a name may add to.
    """

    oracle: Ratio
    both: Ratio
    hits: int

    @property
    def share(self) -> Ratio:
        """Recall over oracle, plain: above 1 where the ledger outdoes a search for names."""
        return Ratio(self.hits, self.oracle.hits)


class OracleRow(NamedTuple):
    """The reach of one set of names at one level, by depth."""

    names: NameSet
    level: Level
    at: dict[int, Reach]


def mentions(tree: Path, expected: Iterable[Place], names: Sequence[ChangeName]) -> Mentions:
    """Reads the expected files below ``tree``."""
    places, files = {}, {}
    for place in expected:
        lines = (tree / place.path).read_bytes().split(b"\n")
        spans = spans_of(tree / place.path)[place.scope]
        inside = b"\n".join(line for first, last in spans for line in lines[first - 1 : last])
        places[place] = _mentioned(inside, names)
        if place.path not in files:
            files[place.path] = _mentioned(b"\n".join(lines), names)
    return Mentions(places, files)


def reach_at(k: int, ranked: Sequence[RankedRecord], read: Sequence[Mentions], names: NameSet, level: Level) -> Reach:
    """Over all distinct (record, path, scope) or (record, path). ``read`` has the mentions of each of ``ranked``."""
    rows: list[tuple[Set[object], Set[object], Set[object]]] = []
    for one, found in zip(ranked, read, strict=True):
        first = one.found[:k]
        if level is Level.SCOPE:
            rows.append((one.expected, set(first), found.reached_places(names)))
        else:
            paths = {place.path for place in one.expected}
            rows.append((paths, {place.path for place in first}, found.reached_files(names)))
    return _reach(rows)


def _reach(rows: Sequence[tuple[Set[object], Set[object], Set[object]]]) -> Reach:
    """Rows of what a record expects, what it found and what the oracle reaches."""
    reached = sum(len(oracle) for _, _, oracle in rows)
    return Reach(
        oracle=Ratio(reached, sum(len(expected) for expected, _, _ in rows)),
        both=Ratio(sum(len(found & oracle) for _, found, oracle in rows), reached),
        hits=sum(len(found & expected) for expected, found, _ in rows),
    )


def _mentioned(text: bytes, names: Sequence[ChangeName]) -> tuple[ChangeName, ...]:
    present = {word.decode("ascii") for word in _WORD.findall(text)}
    return tuple(name for name in names if name.word in present)


def _any_of(found: Sequence[ChangeName], names: NameSet) -> bool:
    return any(name.source in names.sources for name in found)
