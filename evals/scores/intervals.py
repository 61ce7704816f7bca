"""Intervals of 95 % for figures whose records come in batches. Pure; deterministic by seed.

Records of one batch were labelled by one person in one go, so they are not independent. Two ways to allow for it:

* A share keeps its Wilson interval, on the number of *independent* records that its batches are worth: the sample is
  divided by the design effect (variance between batches over the binomial variance, at least 1), and the normal
  quantile becomes Student's with one degree of freedom less than there are batches. Korn and Graubard 1998 proposed
  the recipe for exact intervals; Franco et al. 2019 (J. Surv. Stat. Methodol. 7:334) found Wilson's form of it good.
* Everything else is drawn again with whole batches. The percentile interval of few batches is too short; it is
  expanded as Hesterberg 2015 (Am. Stat. 69:371) does, which amounts to Student's quantile and the n - 1 divisor.

``docs/scores.md`` says where the simulation in the tests finds either short of 95 %.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin, sqrt, tan
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from evals.scores.models import Interval, Method

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL = 0.95
DRAWS = 2000
#: Of fewer batches even the expanded interval holds the truth too rarely (0.77 to 0.88 of the time with four).
FEWEST_BATCHES = 5
#: An interval is not drawn from statistics of which more than this share is undefined.
_MOST_UNDEFINED = 0.5
#: Halvings of the angle when a quantile is looked for: the rest is below the precision of a float.
_HALVINGS = 60


def wilson(hits: float, n: float, quantile: float | None = None, level: float = LEVEL) -> Interval | None:
    """Wilson's score interval of a share; ``n`` may be an effective number. None when there is nothing to share."""
    if n <= 0:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2) if quantile is None else quantile
    share = hits / n
    centre = share + z * z / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low, high = (centre - reach) / scale, (centre + reach) / scale
    # Rounding must not push an end over a share that is exactly 0 or 1.
    return Interval(low=min(max(low, 0.0), share), high=max(min(high, 1.0), share), method=Method.WILSON, level=level)


def clustered_wilson(hits: Floats, totals: Floats, clusters: Ints, level: float = LEVEL) -> Interval | None:
    """Of the share sum(hits) / sum(totals), both per record; ``clusters`` numbers the records' batches from 0.

    Records without units take no part. Where all units agree their variance says nothing: then a record counts once,
    however many units it has. With a single batch the records are taken to be independent, for want of anything better.
    """
    taking_part = totals > 0
    hits, totals, clusters = hits[taking_part], totals[taking_part], clusters[taking_part]
    units = float(totals.sum())
    if not units:
        return None
    share = float(hits.sum()) / units
    batches = len(np.unique(clusters))
    quantile = student_quantile(batches - 1, level) if batches > 1 else None
    if share in (0.0, 1.0):
        return wilson(share * len(totals), len(totals), quantile, level)
    effect = 1.0
    if batches > 1:
        residuals = np.bincount(clusters, weights=hits - share * totals)
        variance = batches / (batches - 1) * float(residuals @ residuals) / units**2
        effect = max(1.0, variance * units / (share * (1 - share)))
    return wilson(share * units / effect, units / effect, quantile, level)


def draw_weights(clusters: Ints, draws: int = DRAWS, seed: int = 0) -> Floats:
    """How often each record is drawn when whole batches are drawn with replacement: draws x records.

    The same clusters and seed give the same weights, so figures of two runs over the same records can be paired.
    """
    if not len(clusters):
        return np.zeros((draws, 0))
    batches = int(clusters.max()) + 1
    drawn = np.random.default_rng(seed).multinomial(batches, np.full(batches, 1 / batches), size=draws)
    return drawn[:, clusters].astype(np.float64)


def bootstrap_interval(values: Floats, batches: int, level: float = LEVEL) -> Interval | None:
    """Expanded percentile interval of a statistic's ``values`` over draws of ``batches`` batches; NaN is undefined.

    None for fewer than `FEWEST_BATCHES`, when more than half of the draws left the statistic undefined, and when no
    draw moves it: then the records do not show how it varies.
    """
    defined = values[~np.isnan(values)]
    fewest = max(1.0, (1 - _MOST_UNDEFINED) * len(values))
    if batches < FEWEST_BATCHES or len(defined) < fewest or np.ptp(defined) == 0:
        return None
    tail = NormalDist().cdf(-sqrt(batches / (batches - 1)) * student_quantile(batches - 1, level))
    low, high = np.quantile(defined, (tail, 1 - tail))
    return Interval(low=float(low), high=float(high), method=Method.BOOTSTRAP, level=level)


@lru_cache(maxsize=256)
def student_quantile(freedom: int, level: float = LEVEL) -> float:
    """t with P(|T| <= t) = level: bisects the closed form for whole degrees of freedom (Abramowitz, Stegun 26.7.3)."""
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < level else (low, middle)
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """P(|T| <= t) for tan(angle) = t / sqrt(freedom)."""
    odd = freedom % 2
    term, total = (cos(angle), cos(angle)) if odd else (1.0, 1.0)
    for step in range(2 + odd, freedom - 1, 2):
        term *= (step - 1) / step * cos(angle) ** 2
        total += term
    if not odd:
        return sin(angle) * total
    return 2 / pi * (angle + (sin(angle) * total if freedom > 1 else 0.0))
