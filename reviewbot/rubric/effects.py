"""What a rule does once it fires: one model per group, so that a rule can only say what its group may say."""

from __future__ import annotations

from retrieval.models import Frozen
from reviewbot.models import (
    CompileStage,
    Decision,
    Labels,
    NeedsAdaptation,
    Risk,
    RuleGroup,
    Track,
    Verdict,
    YesNo,
)

_VERDICTS = tuple(Verdict)
_RISKS = tuple(Risk)


class VerdictEffect(Frozen):
    verdict: Verdict
    risk: Risk
    needs_adaptation: NeedsAdaptation
    npu_affected: YesNo
    decision: Decision


class AdjustEffect(Frozen):
    """``step_down`` takes Test to Check, and Shim to Test with a 是 becoming 待确认."""

    step_down: bool = False
    verdict_at_least: Verdict | None = None
    risk_at_least: Risk | None = None
    risk_at_most: Risk | None = None


class StageEffect(Frozen):
    compile_stage: CompileStage | None


class TrackEffect(Frozen):
    track: Track


class CannEffect(Frozen):
    needs_cann: YesNo | None


Effect = VerdictEffect | AdjustEffect | StageEffect | TrackEffect | CannEffect

EFFECTS: dict[RuleGroup, type[Effect]] = {
    RuleGroup.VERDICT: VerdictEffect,
    RuleGroup.ADJUST: AdjustEffect,
    RuleGroup.STAGE: StageEffect,
    RuleGroup.TRACK: TrackEffect,
    RuleGroup.CANN: CannEffect,
}


def adjusted(labels: Labels, effect: AdjustEffect) -> Labels:
    """``labels`` after ``effect``; never a Shim that needs no code, never a Check of high risk."""
    verdict, risk, needs = labels.verdict, labels.risk, labels.needs_adaptation
    if effect.step_down:
        if verdict is Verdict.SHIM and needs is NeedsAdaptation.YES:
            needs = NeedsAdaptation.UNCLEAR
        verdict = _VERDICTS[max(_VERDICTS.index(verdict) - 1, 0)]
    if effect.verdict_at_least is not None:
        verdict = max(verdict, effect.verdict_at_least, key=_VERDICTS.index)
    if effect.risk_at_least is not None:
        risk = max(risk, effect.risk_at_least, key=_RISKS.index)
    if effect.risk_at_most is not None:
        risk = min(risk, effect.risk_at_most, key=_RISKS.index)
    return labels.model_copy(update={"verdict": verdict, "risk": risk, "needs_adaptation": needs})


def contradiction(labels: Labels) -> bool:
    """True for labels no record may hold: a Shim without code to change, a Check of high risk."""
    return (labels.verdict is Verdict.SHIM and labels.needs_adaptation is NeedsAdaptation.NO) or (
        labels.verdict is Verdict.CHECK and labels.risk is Risk.HIGH
    )
