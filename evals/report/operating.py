"""Miss rate against false-alarm rate: where an engine's labels stand, and where its score could put it.

Pure arithmetic over (score, needs work) pairs of the answered records.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What flagging every record with a score of at least ``threshold`` misses, and what it flags for nothing."""

    threshold: float
    miss: float
    false_alarm: float


def operating_points(scored: Iterable[tuple[float, bool]]) -> tuple[OperatingPoint, ...]:
    """From flagging nothing to flagging everything, one point per distinct score.

    Empty unless both kinds of records are there: a rate over none is not zero.
    """
    pairs = list(scored)
    working = sorted(score for score, needs in pairs if needs)
    idle = sorted(score for score, needs in pairs if not needs)
    if not working or not idle:
        return ()
    thresholds = [float("inf"), *sorted({score for score, _ in pairs}, reverse=True)]
    return tuple(OperatingPoint(one, 1 - _share_from(working, one), _share_from(idle, one)) for one in thresholds)


def _share_from(scores: Sequence[float], threshold: float) -> float:
    return sum(score >= threshold for score in scores) / len(scores)
