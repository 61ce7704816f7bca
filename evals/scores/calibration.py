"""Whether a needs-work score of 0.3 means that three of ten records need work. Pure.

The table has five bins of equal width, not of equal count: they stay where they are, so that two runs can be laid side
by side, and an empty bin says something, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from evals.scores.models import Bin

BINS = 5
_EDGES = tuple(at / BINS for at in range(BINS + 1))


def brier(score: float, needs: bool) -> float:
    """A record's part of the Brier score: the squared distance of the score from what was so."""
    return (score - needs) ** 2


def reliability(scored: Iterable[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Bins [0, 0.2), [0.2, 0.4) … [0.8, 1]; the last one holds 1."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for score, needs in scored:
        # Compared with the edges themselves: a product such as score * 5 may round across one.
        bins[sum(score >= edge for edge in _EDGES[1:-1])].append((score, needs))
    return tuple(_bin(at, held) for at, held in enumerate(bins))


def _bin(at: int, held: list[tuple[float, bool]]) -> Bin:
    return Bin(
        low=_EDGES[at],
        high=_EDGES[at + 1],
        n=len(held),
        mean=fmean(score for score, _ in held) if held else None,
        share=fmean(needs for _, needs in held) if held else None,
    )
