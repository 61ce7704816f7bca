"""Does the run beat its baselines? Compared on two figures at once: the miss rate and the false-alarm rate.

Whoever always gives the same answer has one of the two at zero, so nothing can be below it on both. But flagging at
random, as often as one likes, mixes two such answers and reaches exactly the points where the two rates sum to one:
a constant answer is beaten by a smaller sum. Every other baseline is beaten by being below it on both figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evals.scores.models import Score, ScoreSheet, Scoring

MISS = "miss_rate"
FALSE_ALARM = "false_alarm_rate"
#: The figures shown first, for the run and its baselines; each needs labels and a needs-work score alone.
MAIN_KEYS = (MISS, FALSE_ALARM, "work_auc", "verdict_accuracy", "verdict_kappa", "risk_kappa")


class Side(StrEnum):
    """Where the run's figure lies to the baseline's. Lower is better for both figures."""

    BELOW = "below"
    LEVEL = "level"
    ABOVE = "above"


class Contest(StrEnum):
    """How the run comes out against one baseline."""

    WON = "won"
    EVEN = "even"  # the same figures
    MIXED = "mixed"  # better on one figure, worse on the other
    LOST = "lost"
    OPEN = "open"  # there is nothing to compare


@dataclass(frozen=True, slots=True)
class Comparison:
    """The run against one baseline. ``certain``: the intervals leave no room for chance."""

    baseline: str
    constant: bool
    contest: Contest
    certain: bool


def compare_with_baselines(scoring: Scoring) -> tuple[Comparison, ...]:
    """One comparison per baseline, in order."""
    return tuple(_compared(scoring.sheet, baseline) for baseline in scoring.baselines)


def rates(sheet: ScoreSheet) -> tuple[Score, Score]:
    """Miss rate and false-alarm rate."""
    return sheet.score(MISS), sheet.score(FALSE_ALARM)


def sum_of_rates(sheet: ScoreSheet) -> float | None:
    """Below 1: better than flagging at random. None when one of the two cannot be measured."""
    values = [score.value for score in rates(sheet) if score.value is not None]
    return round(sum(values), 9) if len(values) == 2 else None


def _compared(sheet: ScoreSheet, baseline: ScoreSheet) -> Comparison:
    ours, theirs = rates(sheet), rates(baseline)
    constant = {score.value for score in theirs} == {0.0, 1.0}
    total = sum_of_rates(sheet)
    if total is None or sum_of_rates(baseline) is None:
        return Comparison(baseline.name, constant, Contest.OPEN, certain=False)
    if constant:
        contest = _CONTESTS[frozenset({_side(total, 1.0)})]
        return Comparison(baseline.name, constant, contest, certain=_sum_is_certain(ours))
    sides = frozenset(_side(our.value, their.value) for our, their in zip(ours, theirs, strict=True))
    certain = not any(_overlap(our, their) for our, their in zip(ours, theirs, strict=True))
    return Comparison(baseline.name, constant, _CONTESTS[sides], certain)


_CONTESTS = {
    frozenset({Side.BELOW}): Contest.WON,
    frozenset({Side.BELOW, Side.LEVEL}): Contest.WON,
    frozenset({Side.LEVEL}): Contest.EVEN,
    frozenset({Side.BELOW, Side.ABOVE}): Contest.MIXED,
    frozenset({Side.ABOVE, Side.LEVEL}): Contest.LOST,
    frozenset({Side.ABOVE}): Contest.LOST,
}


def _side(ours: float | None, theirs: float | None) -> Side:
    if ours is None or theirs is None:
        raise ValueError("figures without a value are not compared")
    if ours == theirs:
        return Side.LEVEL
    return Side.BELOW if ours < theirs else Side.ABOVE


def _sum_is_certain(scores: Sequence[Score]) -> bool:
    """Whether the sum stays on its side of 1 when both figures lie at their worst, or at their best."""
    intervals = [score.interval for score in scores if score.interval is not None]
    if len(intervals) < 2:
        return False
    return sum(one.high for one in intervals) < 1 or sum(one.low for one in intervals) > 1


def _overlap(ours: Score, theirs: Score) -> bool:
    """True also where an interval is missing: then nothing tells the two apart."""
    if ours.interval is None or theirs.interval is None:
        return True
    return ours.interval.low <= theirs.interval.high and theirs.interval.low <= ours.interval.high
