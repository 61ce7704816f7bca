"""Which of many definitions are worth an alignment with one: of like size, and sharing enough rare grams."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from retrieval.copies.alignment import Piece, ceiling

COMMON_GRAM = 40  # a gram that more definitions hold is boilerplate
MOST_CANDIDATES = 8
_OTHER_SIZE = 6  # times as many lines: no copy, whatever they share
_LEAST_CEILING = 0.2

_T = TypeVar("_T")


def rarest_first(
    holders: Iterable[Collection[_T]], place: Callable[[_T], Any], most: int = MOST_CANDIDATES
) -> list[_T]:
    """Of the definitions that hold each gram asked for the ``most`` that share the rarest, best first.

    Those that share as much are in the order of ``place``; the order of ``holders`` must be the same in every run, for
    the scores are sums of floats. What lies beyond the cut is dropped and not counted: of many equal copies of one
    function the first ``most`` are candidates.
    """
    scores: dict[_T, float] = {}
    for holding in holders:
        if len(holding) <= COMMON_GRAM:
            for one in holding:
                scores[one] = scores.get(one, 0.0) + 1 / len(holding)
    return sorted(scores, key=lambda one: (-scores[one], place(one)))[:most]


def of_like_size(lines: int, others: int) -> bool:
    """May a definition of so many lines be a copy of one of ``others``?"""
    return others <= lines * _OTHER_SIZE and lines <= others * _OTHER_SIZE


def worth_aligning(one: Piece, other: Piece) -> bool:
    return ceiling(one, other) >= _LEAST_CEILING
