"""Bootstrap intervals of a micro-averaged ratio: records are drawn, not single places, which come in clusters."""

from __future__ import annotations

import random
from collections.abc import Sequence

from evals.recall import Ratio

DRAWS = 2000
_OUTSIDE = 0.05  # share of draws that lie outside the interval


def interval(rows: Sequence[Ratio], seed: int = 0) -> tuple[float, float] | None:
    """The 95 % percentile interval of hits over total, ``rows`` having one ratio per record; None for nothing."""
    rows = [row for row in rows if row.total]
    if not rows:
        return None
    generator = random.Random(seed)
    values = []
    for _ in range(DRAWS):
        drawn = generator.choices(rows, k=len(rows))
        values.append(sum(row.hits for row in drawn) / sum(row.total for row in drawn))
    values.sort()
    cut = round(DRAWS * _OUTSIDE / 2)
    return values[cut], values[-1 - cut]
