"""Applies the rule table: delta and ledger in, prior out. A pure function; the same values give the same prior.

Within a group the first rule that applies wins. The verdict rule gives the labels of judgement, then at most one
adjustment raises or lowers them, then stage, track and CANN add theirs.
"""

from __future__ import annotations

from retrieval.models import Delta, Ledger, UpstreamChange
from reviewbot.models import CompileStage, Decision, FiredRule, Labels, Prior, RuleGroup, Track, YesNo
from reviewbot.rubric import words
from reviewbot.rubric.effects import AdjustEffect, CannEffect, StageEffect, TrackEffect, VerdictEffect, adjusted
from reviewbot.rubric.expression import Grounds
from reviewbot.rubric.grounds import Ground
from reviewbot.rubric.needs_work_score import needs_work_score
from reviewbot.rubric.situation import Situation
from reviewbot.rubric.table import Rubric, Rule

_MOST_NAMES = 5
_ORDER = (RuleGroup.VERDICT, RuleGroup.ADJUST, RuleGroup.STAGE, RuleGroup.TRACK, RuleGroup.CANN)


def judge(change: UpstreamChange, delta: Delta, ledger: Ledger, rubric: Rubric) -> Prior:
    """The prior of one change, with one fired rule per group (none for an adjustment that does not apply)."""
    situation = Situation(change, delta, ledger)
    winners = [winner for group in _ORDER if (winner := _first(situation, rubric, group)) is not None]
    labels: Labels | None = None
    decision, track = Decision.OPEN, Track.A
    stage: CompileStage | None = None
    cann: YesNo | None = None
    for rule, _ in winners:
        match rule.effect:
            case VerdictEffect() as effect:
                labels = Labels(
                    verdict=effect.verdict,
                    risk=effect.risk,
                    needs_adaptation=effect.needs_adaptation,
                    npu_affected=effect.npu_affected,
                )
                decision = effect.decision
            case AdjustEffect() as effect:
                assert labels is not None
                labels = adjusted(labels, effect)
            case StageEffect() as effect:
                stage = effect.compile_stage
            case TrackEffect() as effect:
                track = effect.track
            case CannEffect() as effect:
                cann = effect.needs_cann
    assert labels is not None  # the table ends its verdict group with a rule that always applies
    return Prior(
        labels=labels.model_copy(update={"compile_stage": stage, "needs_cann": cann}),
        needs_work_score=needs_work_score(situation, labels, rubric.score),
        track=track,
        decision=decision,
        rules=tuple(_fired(rule, grounds, rubric) for rule, grounds in winners),
        rubric_version=rubric.version,
    )


def _first(situation: Situation, rubric: Rubric, group: RuleGroup) -> tuple[Rule, Grounds] | None:
    for rule in rubric.of_group(group):
        grounds = rule.when.holds(situation)
        if grounds is not None:
            return rule, grounds
    return None


def _fired(rule: Rule, grounds: Grounds, rubric: Rubric) -> FiredRule:
    because = tuple(_because(rubric.meanings[name], ground) for name, ground in grounds if name != "always")
    return FiredRule(id=rule.id, group=rule.group, reason=rule.reason, because=because)


def _because(meaning: str, ground: Ground) -> str:
    """The meaning, the names it rests on and ``[E1][E3]``; a long list of names is cut, ids never are."""
    shown, more = ground.names[:_MOST_NAMES], len(ground.names) > _MOST_NAMES
    return words.rubric_because(meaning, shown, ground.ids, more=more)
