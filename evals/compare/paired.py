"""Paired tests of two runs over the same records.

*Paired bootstrap*: whole batches are drawn with replacement, since records of one batch are not independent, and both
statistics are computed on the same draw; the interval is that of the middle 95 % of the differences. *McNemar*, exact:
of the records that only one run got right, is the split further from half and half than a fair coin would give?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.models import Frozen

RESAMPLES = 2000
LEVEL = 0.95

Indices = NDArray[np.intp]
#: A figure over the records at the given positions (each as often as it is named); None when it is undefined there.
Statistic = Callable[[Indices], float | None]


class Difference(Frozen):
    """Second minus first. ``low`` and ``high`` are null when too few draws had both figures to speak of an interval."""

    first: float | None
    second: float | None
    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def is_beyond_noise(self) -> bool:
        """The interval is there and leaves zero out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Discordance(NamedTuple):
    """Records that only the first or only the second run got right, and McNemar's two-sided exact p."""

    only_first: int
    only_second: int
    p: float


def paired_difference(
    first: Statistic,
    second: Statistic,
    clusters: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Difference:
    """``clusters`` names the batch of each position. The same arguments give the same interval."""
    everything = np.arange(len(clusters), dtype=np.intp)
    before, after = first(everything), second(everything)
    if before is None or after is None:
        return Difference(first=before, second=after, value=None)
    differences = []
    for drawn in resampled(clusters, seed, resamples):
        one, other = first(drawn), second(drawn)
        if one is not None and other is not None:
            differences.append(other - one)
    if 2 * len(differences) < resamples:
        return Difference(first=before, second=after, value=after - before)
    tail = (1 - level) / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    return Difference(first=before, second=after, value=after - before, low=float(low), high=float(high))


def resampled(clusters: Sequence[str], seed: int, times: int) -> list[Indices]:
    """Positions of ``times`` draws of as many clusters as there are, each with all of its records."""
    names = list(dict.fromkeys(clusters))
    members = [np.flatnonzero([cluster == name for cluster in clusters]) for name in names]
    if not members:
        return []
    draws = np.random.default_rng(seed).integers(len(names), size=(times, len(names)))
    return [np.concatenate([members[at] for at in draw]) for draw in draws]


def discordance(first: Sequence[bool | None], second: Sequence[bool | None]) -> Discordance:
    """Records that either run has no answer for take no part."""
    pairs = [(one, other) for one, other in zip(first, second, strict=True) if one is not None and other is not None]
    only_first = sum(one and not other for one, other in pairs)
    only_second = sum(other and not one for one, other in pairs)
    return Discordance(only_first, only_second, mcnemar(only_first, only_second))


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p of the sign test on discordant pairs; 1 when there are none."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    one_side = sum(comb(total, count) for count in range(fewer + 1)) / 2**total
    return min(1.0, 2 * one_side)
