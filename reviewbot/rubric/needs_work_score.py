"""The rules' needs-work score: one number that orders changes by how likely somebody has to act."""

from __future__ import annotations

from reviewbot.models import Decision, Labels, NeedsAdaptation, Risk, Verdict

_VERDICT = {Verdict.CHECK: 0.0, Verdict.TEST: 0.15, Verdict.SHIM: 0.3}
_RISK = {Risk.LOW: 0.0, Risk.MEDIUM: 0.3, Risk.HIGH: 0.4}
_ADAPTATION = {NeedsAdaptation.NO: 0.0, NeedsAdaptation.UNCLEAR: 0.15, NeedsAdaptation.YES: 0.2}
_OPEN = 0.1


def needs_work_score(labels: Labels, decision: Decision) -> float:
    """0 to 1; what the evidence left open counts as a little less certain to pass by."""
    parts = _VERDICT[labels.verdict] + _RISK[labels.risk] + _ADAPTATION[labels.needs_adaptation]
    return round(parts + _OPEN * (decision is Decision.OPEN), 3)
