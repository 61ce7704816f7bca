"""Which of many definitions share enough rare grams with one to be worth an alignment."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

COMMON_GRAM = 40  # a gram that more definitions hold is boilerplate
MOST_CANDIDATES = 8

_T = TypeVar("_T")


def rarest_first(holders: Iterable[Collection[_T]], most: int = MOST_CANDIDATES) -> list[_T]:
    """Of the definitions that hold each gram asked for the ``most`` that share the rarest, best first."""
    scores: dict[_T, float] = {}
    for places in holders:
        if len(places) <= COMMON_GRAM:
            for place in places:
                scores[place] = scores.get(place, 0.0) + 1 / len(places)
    return sorted(scores, key=scores.__getitem__, reverse=True)[:most]
