"""What labels of a correction must not say against each other: the flag rules of the verifier and of the records."""

from __future__ import annotations

from reviewbot.conversation import words
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo


def contradiction(labels: Labels) -> str:
    """The sentence that says why, "" for labels that agree."""
    if labels.verdict is Verdict.SHIM and labels.needs_adaptation is NeedsAdaptation.NO:
        return words.SHIM_WITHOUT_CHANGE
    if labels.verdict is Verdict.CHECK and labels.needs_adaptation is NeedsAdaptation.YES:
        return words.CHECK_WITH_CHANGE
    if labels.verdict is Verdict.CHECK and labels.risk is Risk.HIGH:
        return words.CHECK_WITH_HIGH_RISK
    if labels.npu_affected is YesNo.NO and labels.risk is Risk.HIGH:
        return words.UNAFFECTED_WITH_HIGH_RISK
    return ""
