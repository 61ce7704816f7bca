"""Paired tests of two runs over the same records.

*Paired bootstrap*: whole batches are drawn, both figures are computed on the same draw, and the interval is that of
their difference; a record that is hard for both cancels out. *McNemar*, exact: of the records that only one run got
right, is the split further from half and half than a fair coin would give?
"""

from __future__ import annotations

from math import comb

import numpy as np

from evals.compare.models import Difference, Discordance
from evals.scores.intervals import LEVEL, Floats, bootstrap_interval
from evals.scores.keys import Kind, definition
from evals.scores.models import Interval, Method
from evals.scores.prepared import Prepared


def difference(key: str, first: Prepared, second: Prepared, weights: Floats, level: float = LEVEL) -> Difference:
    """Second minus first, over the same records in the same order; ``weights`` are draws of their batches."""
    before, after = first.value(key), second.value(key)
    if before is None or after is None:
        return Difference(key=key, first=before, second=after, value=None)
    interval = None
    if definition(key).kind is not Kind.COST:
        drawn = second.values(key, weights) - first.values(key, weights)
        interval = bootstrap_interval(drawn, first.batches(key), level) or _agreed(drawn, first.batches(key), level)
    return Difference(key=key, first=before, second=after, value=after - before, interval=interval)


def _agreed(drawn: Floats, batches: int, level: float) -> Interval | None:
    """Every draw gives the same difference: no spread to measure, yet so many batches do not agree by chance.

    None where a sign test over the batches would not tell it from chance either, and where there is no difference:
    that none was seen does not make it certain that there is none.
    """
    values = drawn[~np.isnan(drawn)]
    if 2 * len(values) < len(drawn) or np.ptp(values) > 0 or not values[0] or mcnemar(batches, 0) > 1 - level:
        return None
    return Interval(low=float(values[0]), high=float(values[0]), method=Method.BOOTSTRAP, level=level)


def discordance(key: str, first: Prepared, second: Prepared) -> Discordance | None:
    """For a share of records. "Right" is 1 where more is better, else 0; who has no answer takes no part."""
    if definition(key).kind is not Kind.RATE:
        return None
    one, other = first.per_record(key), second.per_record(key)
    pairs = [(one[name], other[name]) for name in first.ids]
    only_first = sum(before == 1 and after == 0 for before, after in pairs)
    only_second = sum(before == 0 and after == 1 for before, after in pairs)
    return Discordance(only_first=only_first, only_second=only_second, p=mcnemar(only_first, only_second))


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p of the sign test on discordant pairs; 1 when there are none."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    one_side = float(sum(comb(total, count) for count in range(fewer + 1))) / 2.0**total
    return min(1.0, 2 * one_side)
