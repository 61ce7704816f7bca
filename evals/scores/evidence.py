"""Whether a draft points where people pointed. Pure.

Only records of which people cited a place that the tree at hand has take part (`Judged.existing`): elsewhere there is
nothing to find, and a place that people did not write down is no mistake. For that reason precision is weak: people
cite what they need for their argument, not all there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from evals.recall import Place
from reviewbot.precedents import CitedPlace

Counts = tuple[int, int]  # hits, units


def recall(expected: Collection[Place], found: Iterable[CitedPlace], by_file: bool = False) -> Counts:
    """How many of the distinct expected places (files) are among those found."""
    wanted, there = _distinct(expected, by_file), _distinct(found, by_file)
    return len(wanted & there), len(wanted)


def precision(expected: Collection[Place], found: Iterable[CitedPlace], by_file: bool = False) -> Counts:
    """How many of the distinct places (files) found are expected; no units where nothing is expected."""
    wanted, there = _distinct(expected, by_file), _distinct(found, by_file)
    return len(wanted & there), len(there) if wanted else 0


def _distinct(places: Iterable[Place | CitedPlace], by_file: bool) -> set[tuple[str, str]]:
    return {(place.path, "" if by_file else place.scope) for place in places}
