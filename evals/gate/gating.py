"""Decides whether a run may pass. Pure: a comparison and thresholds in, findings out."""

from __future__ import annotations

from evals.compare.models import Comparison, Difference
from evals.gate.thresholds import Thresholds
from evals.run.models import Run
from retrieval.models import Frozen


class Watched(Frozen):
    """One figure. ``failed``: worse than the baseline by more than ``slack``, beyond noise; ``lost``: without value."""

    difference: Difference
    slack: float
    failed: bool
    lost: bool


class GateResult(Frozen):
    """``new_errors`` are records that the baseline answered and the run did not, an error or not run at all."""

    watched: tuple[Watched, ...]
    new_errors: tuple[str, ...]
    passed: bool


def gate(comparison: Comparison, baseline: Run, run: Run, thresholds: Thresholds) -> GateResult:
    """``comparison`` is of the baseline and the run, at the thresholds' level and over their keys at least."""
    answered = {outcome.record for outcome in run.outcomes if outcome.answer}
    errors = tuple(one.record for one in baseline.outcomes if one.answer and one.record not in answered)
    watched = tuple(_watched(comparison.row(key), slack) for key, slack in thresholds.slack.items())
    passed = len(errors) <= thresholds.new_errors and not any(one.failed or one.lost for one in watched)
    return GateResult(watched=watched, new_errors=errors, passed=passed)


def _watched(row: Difference, slack: float) -> Watched:
    worse = row.gain is not None and row.gain < -slack and row.is_beyond_noise
    return Watched(difference=row, slack=slack, failed=worse, lost=row.first is not None and row.second is None)
