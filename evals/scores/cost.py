"""What drafts cost: tokens, money, seconds. Described, not estimated: no interval.

What an error cost was paid for, too, so records that ended in one count when the model was called for them; their
seconds are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evals.run.models import Outcome
from evals.scores.intervals import Floats


def _tokens(outcome: Outcome) -> float | None:
    return float(outcome.usage.prompt_tokens + outcome.usage.completion_tokens) if _counts(outcome) else None


def _money(outcome: Outcome) -> float | None:
    return outcome.usage.cost if _counts(outcome) else None


def _counts(outcome: Outcome) -> bool:
    return outcome.answer is not None or outcome.usage.calls > 0


def _seconds(outcome: Outcome) -> float | None:
    return outcome.answer.seconds if outcome.answer else None


#: Amount of one record; None where it is not known (no answer, no price in the settings).
AMOUNTS: Mapping[str, Callable[[Outcome], float | None]] = {"tokens": _tokens, "money": _money, "seconds": _seconds}

#: The 95th percentile interpolates between neighbours, as numpy's default does.
FIGURES: Mapping[str, Callable[[Floats], float]] = {
    "median": lambda amounts: float(np.median(amounts)),
    "p95": lambda amounts: float(np.quantile(amounts, 0.95)),
    "sum": lambda amounts: float(amounts.sum()),
}
