"""What every prior keeps, whatever the change and the evidence are."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.closeness import DIRECT
from retrieval.delta.path_kinds import is_test_path
from retrieval.models import Delta, EvidenceKind, Ledger, UpstreamChange
from reviewbot.couplings import citable, each_coupling
from reviewbot.models import Decision, NeedsAdaptation, Risk, RuleGroup, Verdict, YesNo
from reviewbot.rubric import judge, load_rubric
from reviewbot.rubric.effects import AdjustEffect, adjusted, contradiction
from tests.support.strategies import changes, deltas, ledgers

RUBRIC = load_rubric()
_VERDICTS = tuple(Verdict)
_RISKS = tuple(Risk)


@settings(max_examples=150, deadline=None)
@given(changes(), deltas(), ledgers())
def test_one_rule_per_group_and_labels_that_agree(change: UpstreamChange, delta: Delta, ledger: Ledger) -> None:
    prior = judge(change, delta, ledger, RUBRIC)
    assert prior == judge(change, delta, ledger, RUBRIC)
    groups = Counter(rule.group for rule in prior.rules)
    assert groups.pop(RuleGroup.ADJUST, 0) <= 1
    assert groups == Counter({group: 1 for group in RuleGroup if group is not RuleGroup.ADJUST})

    labels = prior.labels
    assert not contradiction(labels)
    if labels.verdict is Verdict.SHIM:
        assert labels.needs_adaptation is not NeedsAdaptation.NO
        assert labels.npu_affected is YesNo.YES
    if labels.risk is not Risk.LOW:
        assert labels.npu_affected is YesNo.YES
    if change.reverted:
        assert labels.risk is not Risk.HIGH
    if not change.diff_complete:
        assert prior.decision is Decision.OPEN

    known = citable(ledger).keys() | {miss.id for miss in ledger.misses}
    cited = {word for rule in prior.rules for text in rule.because for word in _ids(text)}
    assert cited <= known


@settings(max_examples=150, deadline=None)
@given(changes(), deltas(), ledgers())
def test_without_a_direct_contact_nothing_has_to_change(change: UpstreamChange, delta: Delta, ledger: Ledger) -> None:
    far = tuple(
        item
        for item in ledger.items
        if is_test_path(item.path)
        or all(
            one.relation not in DIRECT or one.kind in (EvidenceKind.HOOK, EvidenceKind.TEST_COPY)
            for one in each_coupling(item)
        )
    )
    labels = judge(change, delta, ledger.model_copy(update={"items": far}), RUBRIC).labels
    assert labels.verdict is not Verdict.SHIM
    assert labels.needs_adaptation is NeedsAdaptation.NO
    assert labels.risk is not Risk.HIGH


@settings(max_examples=60, deadline=None)
@given(deltas(), ledgers())
def test_a_revert_never_raises_anything(delta: Delta, ledger: Ledger) -> None:
    plain = judge(UpstreamChange(), delta, ledger, RUBRIC).labels
    gone = judge(UpstreamChange(reverted=True), delta, ledger, RUBRIC).labels
    assert _VERDICTS.index(gone.verdict) <= _VERDICTS.index(plain.verdict)
    assert _RISKS.index(gone.risk) <= _RISKS.index(plain.risk)


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        AdjustEffect,
        step_down=st.booleans(),
        verdict_at_least=st.none() | st.just(Verdict.TEST),
        risk_at_most=st.none() | st.sampled_from(Risk),
    ),
    deltas(),
    ledgers(),
)
def test_no_adjustment_makes_labels_contradict_each_other(effect: AdjustEffect, delta: Delta, ledger: Ledger) -> None:
    labels = judge(UpstreamChange(), delta, ledger, RUBRIC).labels
    after = adjusted(labels, effect)
    assert after.verdict is not Verdict.SHIM or after.needs_adaptation is not NeedsAdaptation.NO


def _ids(text: str) -> list[str]:
    return [piece.partition("]")[0] for piece in text.split("[")[1:] if "]" in piece]
