"""Every rule of the table, tested one by one, and what must hold whatever the evidence says."""

from __future__ import annotations

import pytest

from retrieval.closeness import DIRECT
from retrieval.models import ChangeKind, Delta, EvidenceItem, Ledger, Nature, Relation, UpstreamChange
from reviewbot.models import Decision, Prior, Risk, RuleGroup, Verdict
from reviewbot.rubric import judge, load_rubric
from tests.reviewbot.rubric_cases import NOTHING, PARTIAL, SPIN, TIDY, WRONG, Case
from tests.reviewbot.rubric_check_cases import CHECK_CASES, SIDE_CASES, VERDICT_CASES
from tests.reviewbot.rubric_inherited_cases import INHERITED_CASES, SPARED_CASES
from tests.support.values import (
    change,
    changed_file,
    definition,
    delta,
    fork,
    hook,
    hunk,
    imported,
    ledger,
    missing,
    moved,
    operator,
    override,
    parameter_added,
    patch,
    reference,
    registration,
    renamed,
    resigned,
    subclass,
)

REVERTED = change(reverted=True)


def prior_of(given: Delta, found: Ledger, of: UpstreamChange | None = None) -> Prior:
    return judge(of or change(), given, found, load_rubric())


def verdict_rule(prior: Prior) -> str:
    (rule,) = [rule.id for rule in prior.rules if rule.group is RuleGroup.VERDICT]
    return rule


@pytest.mark.parametrize("case", VERDICT_CASES, ids=str)
def test_each_verdict_rule_decides_its_situation(case: Case) -> None:
    prior = prior_of(case.delta, case.ledger, case.change)
    labels = prior.labels
    assert verdict_rule(prior) == case.rule
    if not any(rule.group is RuleGroup.ADJUST for rule in prior.rules):
        given = (labels.verdict, labels.risk, labels.needs_adaptation, labels.npu_affected, prior.decision)
        assert " ".join(given) == case.labels


@pytest.mark.parametrize(("rule", "given", "found", "of", "field", "value"), SIDE_CASES)
def test_stage_track_and_cann_rules(
    rule: str, given: Delta, found: Ledger, of: UpstreamChange, field: str, value: str | None
) -> None:
    prior = prior_of(given, found, of)
    assert rule in prior.rule_ids
    assert getattr(prior.labels, field, None) == value if field != "track" else prior.track == value


def test_a_reverted_change_steps_down_and_is_at_most_medium() -> None:
    shim = prior_of(delta(definition(kind=ChangeKind.REMOVED)), ledger(imported()), REVERTED)
    assert "revert" in shim.rule_ids
    assert (shim.labels.verdict, shim.labels.risk, shim.labels.needs_adaptation) == ("Test", "medium", "待确认")
    test = prior_of(delta(definition()), ledger(reference()), change(labels=("Merged", "Reverted")))
    assert (test.labels.verdict, test.labels.risk, test.labels.needs_adaptation) == ("Check", "medium", "否")
    check = prior_of(delta(definition()), NOTHING, REVERTED)
    assert (check.labels.verdict, check.labels.risk) == ("Check", "low")


def test_a_diverged_fork_keeps_its_verdict_after_a_revert() -> None:
    stale = prior_of(delta(definition()), ledger(fork()), REVERTED)
    assert "revert-diverged" in stale.rule_ids
    assert (stale.labels.verdict, stale.labels.risk) == ("Test", "medium")
    stuck = prior_of(delta(resigned()), ledger(fork(lacks=("quiet",))), REVERTED)
    assert (stuck.labels.verdict, stuck.labels.risk) == ("Shim", "medium")


def test_a_fork_that_has_the_new_code_already_is_not_stale() -> None:
    for state, stale in (("carries_old_code", True), ("diverged", True), ("already_synced", False)):
        prior = prior_of(delta(definition()), ledger(fork(copy_state=state)))
        assert ("test-fork-stale" in prior.rule_ids) is stale


def test_silent_errors_in_coupled_code_are_high() -> None:
    prior = prior_of(delta(definition()), ledger(reference()), WRONG)
    assert "silent-coupled" in prior.rule_ids
    assert (prior.labels.verdict, prior.labels.risk) == ("Test", "high")
    bounds = change(title="Clamp the index", body="The kernel read out of bounds.")
    assert prior_of(delta(definition()), ledger(patch()), bounds).labels.risk is Risk.HIGH


def test_a_silent_error_in_a_lowering_that_npu_bypasses_stays_low() -> None:
    prior = prior_of(
        delta(definition(operators=("aten.spin",)), operator()), ledger(registration(registrar="make_fallback")), WRONG
    )
    assert prior.rule_ids[0] == "check-fallback-bypasses"
    assert (prior.labels.verdict, prior.labels.risk) == ("Check", "low")


def test_silent_errors_that_a_subclass_inherits_are_medium() -> None:
    heir = subclass("torch._mill.gears.Gear.turn", base="torch._mill.gears.Gear", relation=Relation.ENCLOSING)
    prior = prior_of(delta(definition("Gear.turn")), ledger(heir), WRONG)
    assert (prior.labels.verdict, prior.labels.risk) == ("Test", "medium")


def test_every_rule_of_the_table_is_fired_by_a_test() -> None:
    fired = {case.rule for case in VERDICT_CASES} | {case[0] for case in SIDE_CASES}
    fired |= {"revert", "revert-diverged", "silent-coupled"}
    assert fired == {rule.id for rule in load_rubric().rules}


def test_the_table_covers_the_rubric() -> None:
    rubric = load_rubric()
    assert len(rubric.rules) >= 20
    assert {rule.group for rule in rubric.rules} == set(RuleGroup)


# --- what separates a coupling from a neighbour -----------------------------------------------------------------------


@pytest.mark.parametrize("relation", sorted(set(Relation) - DIRECT))
def test_weak_relations_alone_never_lead_to_shim_nor_above_low(relation: Relation) -> None:
    near = ledger(patch(relation=relation, lacks=("quiet",), signature_matches=False), imported(relation=relation))
    for kind in (resigned("spin", parameter_added("speed", None, breaking=True)), definition(kind=ChangeKind.REMOVED)):
        labels = prior_of(delta(kind), near).labels
        assert labels.verdict is not Verdict.SHIM
        assert labels.risk is Risk.LOW


def test_a_parameter_the_replacement_never_took_is_no_news() -> None:
    old_gap = ledger(registration(lacks=("torque",), signature_matches=False))
    assert verdict_rule(prior_of(delta(resigned(operators=("aten.spin",))), old_gap)) != "shim-registration-signature"


def test_only_the_change_of_this_symbol_counts() -> None:
    elsewhere = delta(resigned("stop"), definition("spin"))
    assert verdict_rule(prior_of(elsewhere, ledger(patch(SPIN, lacks=("quiet",))))) == "test-patch-shadows"


def test_a_resigned_closure_does_not_change_how_the_function_is_called() -> None:
    closure = delta(resigned("spin.inner", parameter_added("speed", None, breaking=True)))
    assert verdict_rule(prior_of(closure, ledger(patch(SPIN, lacks=("speed",))))) == "test-patch-shadows"


@pytest.mark.parametrize(
    "line",
    ["+from torch._mill.gears import rotate as spin", "+spin = rotate", "+def spin(x):", "+    spin,"],
)
def test_an_old_name_that_lives_on_breaks_nothing(line: str) -> None:
    file = changed_file()
    kept = file.model_copy(update={"hunks": (hunk().model_copy(update={"lines": (" before", line)}),)})
    prior = prior_of(delta(renamed("spin", "rotate")), ledger(imported(SPIN)), change(kept))
    assert verdict_rule(prior) == "check-coupled-harmless"


def test_a_comment_about_the_old_name_does_not_keep_it_alive() -> None:
    file = changed_file()
    told = file.model_copy(update={"hunks": (hunk().model_copy(update={"lines": ("+# spin is called rotate now",)}),)})
    prior = prior_of(delta(renamed("spin", "rotate")), ledger(imported(SPIN)), change(told))
    assert verdict_rule(prior) == "shim-renamed-symbol"


def test_a_wrapper_of_the_old_name_in_the_delta_breaks_nothing() -> None:
    wrapped = delta(renamed("spin", "rotate"), definition("spin", ChangeKind.ADDED))
    assert prior_of(wrapped, ledger(reference(SPIN))).labels.verdict is not Verdict.SHIM


def test_a_moved_symbol_re_exported_from_its_old_file_breaks_nothing() -> None:
    old = changed_file("torch/_mill/wheels.py")
    kept = old.model_copy(update={"hunks": (hunk().model_copy(update={"lines": ("+from .gears import spin",)}),)})
    found = ledger(imported("torch._mill.wheels.spin"))
    assert prior_of(delta(moved()), found, change(kept)).labels.verdict is Verdict.CHECK
    assert prior_of(delta(moved()), found, change("torch/_mill/gears.py")).labels.verdict is Verdict.SHIM


def test_a_refactor_that_drops_a_used_name_is_still_shim() -> None:
    gone = delta(definition(kind=ChangeKind.REMOVED, nature=Nature.CODE))
    assert prior_of(gone, ledger(imported()), TIDY).labels.verdict is Verdict.SHIM


def test_a_partial_diff_decides_nothing() -> None:
    for case in CHECK_CASES + SPARED_CASES:
        partial = case.change.model_copy(update={"diff_complete": False})
        assert prior_of(case.delta, case.ledger, partial).decision is Decision.OPEN


def test_an_overridden_member_is_not_said_to_be_inherited() -> None:
    turn = "torch._mill.gears.Gear.turn"
    heir = subclass(turn, base="torch._mill.gears.Gear", relation=Relation.ENCLOSING)
    both = ledger(heir, override(turn, relation=Relation.SAME_NAME))
    assert verdict_rule(prior_of(delta(definition("Gear.turn")), both)) == "check-hooked"


@pytest.mark.parametrize("case", INHERITED_CASES, ids=str)
@pytest.mark.parametrize(
    "more",
    [reference(), imported(), patch(), override(), subclass(), fork(), hook(), registration("aten.other")],
    ids=lambda item: item.kind,
)
def test_a_coupling_more_never_lowers_the_risk_of_what_is_inherited(case: Case, more: EvidenceItem) -> None:
    before = prior_of(case.delta, case.ledger, case.change).labels.risk
    grown = ledger(*case.ledger.items, more, *case.ledger.misses)
    after = prior_of(case.delta, grown, case.change).labels.risk
    assert list(Risk).index(after) >= list(Risk).index(before)


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_because_names_facts_and_ledger_ids() -> None:
    found = ledger(registration(lacks=("quiet",)), hook(), registration(lacks=("quiet",), path="mill_npu/other.py"))
    prior = prior_of(delta(resigned(operators=("aten.spin",))), found)
    (because,) = prior.rules[0].because
    assert because.endswith("spin [E1][E3]")
    assert prior.rules[0].reason == next(rule.reason for rule in load_rubric().rules if rule.id == prior.rules[0].id)


def test_because_of_an_uncoupled_change_counts_its_misses() -> None:
    prior = prior_of(delta(definition()), ledger(missing("spin"), missing("stop")))
    assert any(reason.endswith("spin、stop [Z1][Z2]") for reason in prior.rules[0].because)


def test_long_lists_of_names_are_cut_but_ids_are_not() -> None:
    found = ledger(*(missing(f"name_{n}") for n in range(9)))
    reason = next(reason for reason in prior_of(delta(definition()), found).rules[0].because if "[Z1]" in reason)
    assert "name_4…" in reason
    assert "[Z9]" in reason


def test_the_prior_names_the_version_of_the_table() -> None:
    assert prior_of(delta(definition()), NOTHING, PARTIAL).rubric_version == load_rubric().version
