"""chrF of a draft against the team's paragraph: weak, for one meaning has many wordings.

Needs ``sacrebleu`` (extra ``eval``), imported on first use; without it there is no figure, which is not zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


def chrf(text: str, team: str) -> float | None:
    """0 to 100, character 1- to 6-grams and beta 2 as sacrebleu has them by default; None without sacrebleu."""
    score = _scorer()
    return score(text, team) if score else None


@cache
def _scorer() -> Callable[[str, str], float] | None:
    try:
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        return None
    metric = CHRF()
    return lambda text, team: float(metric.sentence_score(text, [team]).score)
