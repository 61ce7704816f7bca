"""Analyses for tests of the store: one plain example, and a Hypothesis strategy that fills every field."""

from __future__ import annotations

import types
from enum import StrEnum
from typing import Any, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

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
            track=Track.A,
            decision=Decision.OPEN,
            rules=(FiredRule(id="V01", group=RuleGroup.VERDICT, reason="有耦合", because=("E1", "Z1")),),
            rubric_version="1",
        ),
        draft=CheckedDraft(
            labels=LABELS,
            summary="反转齿轮方向。",
            analysis="torch_npu 以 patch 方式替换该函数 [E1]。",
            writer="template",
            findings=(Finding(kind=FindingKind.UNKNOWN_ID, sentence="见 [E9]。", message="没有 E9"),),
            removed=("见 [E9]。",),
            cited=("E1",),
        ),
        versions={"rubric": "1", "package": "0"},
        timing=Timing(change=1.25),
    )


def proposed() -> Draft:
    return Draft(labels=LABELS, summary="反转齿轮方向。", analysis="见 [E1]。见 [E9]。", writer="template")


_TEXT = st.text(st.characters() | st.sampled_from("\x00\ufdd0\ud800\udcff是"), max_size=6)
_LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXT,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    type(None): st.none(),
}


def anything(annotation: Any) -> st.SearchStrategy[Any]:
    """Any value of a type as the models use them; text includes NUL and lone surrogates."""
    arguments = get_args(annotation)
    if annotation in _LEAVES:
        return _LEAVES[annotation]
    if get_origin(annotation) in {Union, types.UnionType}:
        return st.one_of([anything(argument) for argument in arguments])
    if get_origin(annotation) is dict:
        return st.dictionaries(anything(arguments[0]), anything(arguments[1]), max_size=2)
    if get_origin(annotation) is tuple and arguments[-1] is Ellipsis:
        return st.lists(anything(arguments[0]), max_size=2).map(tuple)
    if get_origin(annotation) is tuple:
        return st.tuples(*[anything(argument) for argument in arguments])
    if issubclass(annotation, StrEnum):
        return st.sampled_from(annotation)
    assert issubclass(annotation, BaseModel), annotation
    fields = {name: anything(field.annotation) for name, field in annotation.model_fields.items()}
    return st.builds(annotation, **fields)
