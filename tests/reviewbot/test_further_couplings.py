"""Couplings besides the strongest of a place: rules fire on them, drafts cite them, the verifier proves them."""

from __future__ import annotations

import pytest

from retrieval.models import ChangeKind, EvidenceItem, Ledger, Relation
from reviewbot.citations import render_citations
from reviewbot.couplings import citable, each_coupling, further_couplings, place_id
from reviewbot.drafting import write_draft
from reviewbot.models import FindingKind, RuleGroup, Verdict
from reviewbot.rubric import judge, load_rubric
from reviewbot.verification.checks.counts import counts
from reviewbot.verification.checks.details import details
from reviewbot.verification.checks.places import lines
from reviewbot.verification.checks.relations import relation_claims
from reviewbot.verification.verify import verify
from tests.reviewbot.verify_cases import Check, ask, names
from tests.support.values import (
    change,
    definition,
    delta,
    flag_use,
    hook,
    imported,
    ledger,
    merged,
    missing,
    override,
    patch,
    reference,
    registration,
    renamed,
    resigned,
    subclass,
)

SPIN, STOP = "torch._mill.gears.spin", "torch._mill.gears.stop"
GONE = delta(definition("spin", ChangeKind.REMOVED), definition("stop"))


def fired(given: object, found: Ledger) -> tuple[str, tuple[str, ...]]:
    """The verdict rule and its reasons."""
    prior = judge(change(), given, found, load_rubric())  # type: ignore[arg-type]
    (rule,) = [rule for rule in prior.rules if rule.group is RuleGroup.VERDICT]
    return rule.id, rule.because


# --- one item per coupling --------------------------------------------------------------------------------------------


def test_a_place_is_seen_coupling_by_coupling() -> None:
    found = ledger(merged(patch(STOP, scope="<module>", lines=(9,)), imported(SPIN, lines=(2,))), reference())
    place = found.items[0]
    alone, other = each_coupling(place)
    assert (alone.id, alone.kind, alone.kinds, alone.symbols) == ("E1.1", "patch", ("patch",), (STOP,))
    assert (other.id, other.kind, other.kinds, other.symbols) == ("E1.2", "import", ("import",), (SPIN,))
    assert (other.path, other.scope, other.lines, other.detail) == (place.path, "<module>", (2,), imported().detail)
    assert further_couplings(place) == (other,)
    assert list(citable(found)) == ["E1", "E1.2", "E2"]
    assert citable(found)["E1"] is place
    assert (place_id("E1.2"), place_id("E1"), place_id("Z3")) == ("E1", "E1", "Z3")


def test_a_place_without_further_couplings_stays_whole() -> None:
    old = patch(SPIN, kinds=("patch", "import"), symbols=(SPIN, STOP))
    assert each_coupling(old) == (old,)


def test_an_id_of_a_further_coupling_prints_its_own_lines() -> None:
    found = ledger(merged(patch(STOP, lines=(9,)), imported(SPIN, lines=(2, 3))))
    assert render_citations("[E1] 与 [E1.2]", found) == "mill_npu/gears.py:9 与 mill_npu/gears.py:2-3"
    assert render_citations("[E1.2、E1]", found) == "mill_npu/gears.py:2-3、mill_npu/gears.py:9"
    with pytest.raises(KeyError):
        render_citations("[E1.3]", found)


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "strongest",
    [patch(STOP, scope="<module>"), hook(scope="<module>"), registration("aten.stop", scope="<module>")],
    ids=lambda one: one.kind,
)
def test_an_import_of_a_removed_name_counts_behind_anything_stronger(strongest: EvidenceItem) -> None:
    rule, (because,) = fired(GONE, ledger(merged(strongest, imported(SPIN))))
    assert rule == "shim-removed-symbol"
    assert because.endswith("spin [E1.2]")


def test_it_needs_the_coupling_and_not_the_symbol_alone() -> None:
    """The same symbol through a weak relation, a neighbour of it, or in a test, is no broken import."""
    for look_alike in (
        imported(SPIN, relation=Relation.SAME_NAME),
        imported("torch._mill.gears.spin_back"),
        hook(SPIN),
    ):
        assert fired(GONE, ledger(merged(patch(STOP), look_alike)))[0] == "test-patch-shadows"
    in_test = ledger(merged(hook(path="test/test_gears.py"), imported(SPIN)))
    assert fired(GONE, in_test)[0] == "test-own-tests"


def test_each_coupling_has_its_own_detail() -> None:
    """The override accepts the new parameter, so what the patch beside it lacks is the patch's business alone."""
    given = delta(resigned("Gear.turn"), definition("stop"))
    place = merged(override(signature_matches=True), patch(STOP, lacks=("quiet",), signature_matches=False))
    assert fired(given, ledger(place))[0] == "test-patch-shadows"
    swapped = merged(patch(STOP, signature_matches=True), override(lacks=("quiet",), signature_matches=False))
    assert fired(given, ledger(swapped))[0] == "shim-override-signature"


def test_a_place_is_cited_once_by_its_strongest_coupling_that_counts() -> None:
    given = delta(definition("spin"), definition("stop"), definition("halt"))
    place = merged(hook(), reference(STOP), reference(SPIN), imported("torch._mill.gears.halt"))
    rule, (because,) = fired(given, ledger(place, reference(SPIN)))
    assert rule == "test-uses-changed"
    assert because.endswith("stop、spin、halt [E1.2][E2]")


def test_a_further_flag_or_base_counts() -> None:
    heir = subclass(relation=Relation.ENCLOSING, symbol="torch._mill.gears.Gear.turn", base="torch._mill.gears.Gear")
    found = ledger(merged(hook(), heir))
    assert fired(delta(definition("Gear.turn")), found)[0] == "test-inherits-member"
    answered = ledger(merged(hook(), heir), merged(hook(scope="NPUGear.turn"), override(scope="NPUGear.turn")))
    assert fired(delta(definition("Gear.turn")), answered)[0] == "test-override"
    assert fired(delta(definition("stop")), ledger(merged(hook(), flag_use())))[0] == "check-unsettled"


def test_a_class_inherits_from_its_base_and_not_from_what_else_its_body_names() -> None:
    heir = subclass(relation=Relation.ENCLOSING, symbol="torch._mill.gears.Gear.turn", base="torch._mill.gears.Gear")
    found = ledger(merged(heir, reference("torch._mill.gears.Wheel", relation=Relation.ENCLOSING)))
    given = delta(definition("Gear.turn"), definition("Wheel.roll"))
    draft = write_draft(change(), given, found, judge(change(), given, found, load_rubric()))
    assert "继承 Gear，沿用改动后的 Gear.turn" in draft.analysis
    assert "沿用改动后的 Gear.turn、" not in draft.analysis


def test_a_harmless_strongest_coupling_hides_no_other() -> None:
    given = delta(definition("spin", nature="comment"), definition("stop"))
    assert fired(given, ledger(patch(SPIN)))[0] == "check-coupled-harmless"
    assert fired(given, ledger(merged(patch(SPIN), reference(STOP))))[0] == "test-uses-changed"


# --- drafts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strongest", [patch(STOP, scope="<module>", lines=(9,)), hook(scope="<module>", lines=(9,))])
def test_a_draft_says_and_cites_what_its_verdict_rests_on(strongest: EvidenceItem) -> None:
    given = delta(renamed("spin", "rotate"), definition("stop"))
    found = ledger(merged(strongest, imported(SPIN, lines=(2,)), reference("torch._mill.gears.halt", lines=(40,))))
    prior = judge(change(), given, found, load_rubric())
    assert prior.labels.verdict is Verdict.SHIM
    draft = write_draft(change(), given, found, prior)
    assert "[E1.2] 导入 spin" in draft.analysis
    assert "需将 [E1.2] 处的 spin 改为 rotate" in draft.analysis
    assert "[E1]" in draft.analysis
    assert "halt" not in draft.analysis, "a coupling that decides nothing is not told"
    checked = verify(draft, change(), given, found, names(change(), given, found))
    assert checked.findings == ()
    assert checked.cited == ("E1", "E1.2")
    assert "mill_npu/gears.py:2 导入 spin" in render_citations(checked.analysis, found)


# --- the verifier -----------------------------------------------------------------------------------------------------

PLACE = merged(
    patch(SPIN, scope="apply", lines=(7,), calls_original=True),
    imported("torch._mill.gears.Gear", lines=(5, 6)),
    override("torch._mill.gears.Gear.turn", calls_original=False, lines=(9,)),
)
HERE = ledger(PLACE, reference(scope="grind"), missing("halt"))


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (relation_claims, "[E1] 导入 Gear。"),
        (relation_claims, "[E1.2] 导入 Gear。"),
        (relation_claims, "[E1] 覆写 Gear.turn 并 patch 了 spin。"),
        (relation_claims, "[E1.3] 的 apply 覆写 Gear.turn。"),
        (relation_claims, "[Z1] 无引用。"),
        (details, "[E1] 覆写 Gear.turn，未回调原实现。"),
        (details, "[E1] 替换 spin（赋值式 patch），并回调原实现。"),
        (details, "[E1.3] 未回调原实现。"),
        (lines, "[E1] 在第 5 行导入 Gear。"),
        (lines, "[E1.2] 在 mill_npu/gears.py:6 导入 Gear。"),
        (counts, "[E1] 有 2 处导入。"),
        (counts, "[E1]、[E1.2] 共 1 处。"),
    ],
)
def test_a_claim_about_a_further_coupling_is_proved(check: Check, sentence: str) -> None:
    assert ask(check, sentence, ledger=HERE) == []


@pytest.mark.parametrize(
    ("check", "sentence", "kind"),
    [
        (relation_claims, "[E1] 继承 spin。", FindingKind.WRONG_RELATION),
        (relation_claims, "[E1] 导入 spin。", FindingKind.WRONG_RELATION),
        (relation_claims, "[E1] patch 了 Gear.turn。", FindingKind.WRONG_RELATION),
        (relation_claims, "[E1.2] 覆写 Gear.turn。", FindingKind.WRONG_RELATION),
        (relation_claims, "[E1.2] patch 了 spin。", FindingKind.WRONG_RELATION),
        (relation_claims, "[E1] 未导入 Gear。", FindingKind.WRONG_POLARITY),
        (details, "[E1] 覆写 Gear.turn，并回调原实现。", FindingKind.WRONG_RELATION),
        (details, "[E1] patch 了 spin，未回调原实现。", FindingKind.WRONG_RELATION),
        (details, "[E1] patch 了 spin 并覆写 Gear.turn，回调原实现。", FindingKind.WRONG_RELATION),
        (details, "[E1.2] 并回调原实现。", FindingKind.WRONG_RELATION),
        (lines, "[E1.2] 在第 7 行导入 Gear。", FindingKind.WRONG_LINE),
        (lines, "[E1] 在第 8 行导入 Gear。", FindingKind.WRONG_LINE),
        (counts, "[E1] 有 3 处导入。", FindingKind.WRONG_COUNT),
    ],
)
def test_what_no_coupling_of_the_place_bears_out_is_found(check: Check, sentence: str, kind: FindingKind) -> None:
    assert ask(check, sentence, ledger=HERE) == [kind]


def test_a_neighbour_with_a_direct_coupling_beside_it_is_not_denied() -> None:
    near, both = ledger(hook(scope="grind")), ledger(merged(hook(scope="grind"), reference(SPIN)))
    assert ask(relation_claims, "[E1] 未导入 spin。", ledger=near) == []
    assert ask(relation_claims, "[E1] 未导入 spin。", ledger=both) == [FindingKind.WRONG_POLARITY]


def test_an_id_beyond_the_couplings_of_a_place_is_unknown() -> None:
    draft = write_draft(change(), GONE, HERE, judge(change(), GONE, HERE, load_rubric()))
    forged = draft.model_copy(update={"analysis": draft.analysis + "另见 [E1.4] 的引用。"})
    checked = verify(forged, change(), GONE, HERE, names(change(), GONE, HERE))
    assert "另见 [E1.4] 的引用。" in checked.removed
    assert FindingKind.UNKNOWN_ID in {one.kind for one in checked.findings}


def test_parameters_of_another_coupling_prove_nothing() -> None:
    place = merged(
        patch(SPIN, scope="apply", lacks=("quiet",), signature_matches=False),
        override("torch._mill.gears.Gear.turn", signature_matches=True),
    )
    assert ask(details, "[E1] patch 了 spin，缺少参数 quiet。", ledger=ledger(place)) == []
    wrong = ask(details, "[E1] 覆写 Gear.turn，缺少参数 quiet。", ledger=ledger(place))
    assert wrong == [FindingKind.WRONG_RELATION]
