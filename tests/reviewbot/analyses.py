"""A plain analysis for tests, with something in every part."""

from __future__ import annotations

from typing import Any

from reviewbot.models import (
    Analysis,
    AnalysisState,
    CheckedDraft,
    Decision,
    Draft,
    Finding,
    FindingKind,
    FiredRule,
    Labels,
    NeedsAdaptation,
    Prior,
    Risk,
    RuleGroup,
    Timing,
    Track,
    Usage,
    Verdict,
    YesNo,
)
from tests.support import values

LABELS = Labels(
    verdict=Verdict.TEST,
    risk=Risk.MEDIUM,
    needs_adaptation=NeedsAdaptation.NO,
    needs_cann=None,
    npu_affected=YesNo.YES,
    compile_stage=None,
)


def example(**change: Any) -> Analysis:
    """An analysis with something in every part; keywords go to its change."""
    return Analysis(
        state=AnalysisState.DONE,
        change=values.change(source=change.pop("source", "a.diff"), **change),
        delta=values.delta(values.definition("spin")),
        ledger=values.ledger(values.patch(), values.reference(), values.missing("turn")),
        prior=Prior(
            labels=LABELS,
            needs_work_score=0.5,
            track=Track.A,
            decision=Decision.OPEN,
            rules=(FiredRule(id="V01", group=RuleGroup.VERDICT, reason="有耦合", because=("E1", "Z1")),),
            rubric_version="1",
        ),
        proposed=proposed(),
        draft=CheckedDraft(
            labels=LABELS,
            needs_work_score=0.5,
            summary="反转齿轮方向。",
            analysis="torch_npu 以 patch 方式替换该函数 [E1]。",
            writer="template",
            findings=(Finding(kind=FindingKind.UNKNOWN_ID, sentence="见 [E9]。", message="没有 E9"),),
            removed=("见 [E9]。",),
            cited=("E1",),
        ),
        usage=Usage(calls=1, prompt_tokens=7, seconds=0.5),
        versions={"rubric": "1", "package": "0"},
        timing=Timing(change=1.25),
    )


def proposed() -> Draft:
    return Draft(
        labels=LABELS, needs_work_score=0.5, summary="反转齿轮方向。", analysis="见 [E1]。见 [E9]。", writer="template"
    )
