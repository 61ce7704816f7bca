"""The rule table is refused when anything in it is wrong, and its text for a model says the same as it does."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
import yaml

from reviewbot.models import CompileStage, Decision, NeedsAdaptation, Risk, RuleGroup, Track, Verdict, YesNo
from reviewbot.rubric import RubricError, load_rubric, parse_rubric
from reviewbot.rubric.__main__ import main
from reviewbot.rubric.effects import VerdictEffect, contradiction
from reviewbot.rubric.grounds import CONDITIONS, condition
from reviewbot.rubric.text import BLOCK_NAMES, block_names, filled

TABLE = resources.files("prompts").joinpath("rubric.yaml").read_text(encoding="utf-8")
TEXT = resources.files("prompts").joinpath("rubric.md").read_text(encoding="utf-8")
ALWAYS = "group: verdict\n    when: always"


def refused(old: str, new: str) -> str:
    """The message with which the table is refused once ``old`` is replaced by ``new``."""
    assert old in TABLE
    with pytest.raises(RubricError) as caught:
        parse_rubric(TABLE.replace(old, new, 1))
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "where", "hint"),
    [
        ("when: fork_lacks_parameter", "when: fork_lack_parameter", "shim-fork-signature", "fork_lacks_parameter"),
        ("{all: [coupled_harmless", "{al: [coupled_harmless", "check-coupled-harmless", "all"),
        ("risk: high", "risk: hihg", "shim-fork-signature", "high"),
        ("verdict: Shim", "verdict: Shin", "shim-fork-signature", "Shim"),
        ("needs_adaptation: 待确认", "needs_adaptation: 待确定", "shim-override-target-gone", "待确认"),
        ("npu_affected: 是, decision: open", "npu_affected: 是, decision: opened", "shim-fork-signature", "open"),
        ("npu_affected: 是", "npu_effected: 是", "shim-fork-signature", "npu_affected"),
        ("group: verdict", "group: verdicts", "shim-fork-signature", "verdict"),
        ("    reason: fork", "    raeson: fork", "shim-fork-signature", "reason"),
        ("compile_stage: Dynamo", "compile_stage: Dymano", "stage-dynamo", "Dynamo"),
        ("track: B", "track: C", "track-b", "A、B"),
        ("  reverted: ", "  revreted: ", "conditions", "reverted"),
        ("  risk: 风险", "  riks: 风险", "labels", "risk"),
        ("rules:", "ruels:", "rubric.yaml", "rules"),
        ("    silent_failure: 1.0", "    silent_failures: 1.0", "score", "silent_failure"),
        ("  near: ", "  nera: ", "score", "near"),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest_right_one(old: str, new: str, where: str, hint: str) -> None:
    message = refused(old, new)
    assert where in message
    assert hint in message


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("id: shim-registration-signature", "id: shim-fork-signature", "shim-fork-signature"),
        ("  reverted: 该 PR 已被 Revert\n", "", "reverted"),
        ("  reverted: 该 PR 已被 Revert\n", "  reverted: a\n  reverted: b\n", "reverted"),
        ("  reverted: 该 PR 已被 Revert\n", "  reverted: ''\n", "reverted"),
        ("    reason: 无任何耦合，", "    reason: |\n      无任何\n      耦合，", "check-uncoupled"),
        ("    reason: 无任何耦合，行为变化经沿用的上游代码生效", "    reason:", "check-uncoupled"),
        ("needs_adaptation: 是, npu_affected: 是", "needs_adaptation: 否, npu_affected: 是", "shim-fork-signature"),
        ("{verdict: Check, risk: low", "{verdict: Check, risk: high", "check-refactor-coupled"),
        (", npu_affected: 是, decision: open}", "}", "shim-fork-signature"),
        ("when: fork_lacks_parameter", "when: always", "shim-registration-signature"),
        (ALWAYS, "group: verdict\n    when: uncoupled", "verdict"),
        ("when: fork_lacks_parameter", "when: {all: []}", "shim-fork-signature"),
        ("when: fork_lacks_parameter", "when: {not: [coupled, uncoupled]}", "shim-fork-signature"),
        ("when: fork_lacks_parameter", "when: {all: [coupled], any: [coupled]}", "shim-fork-signature"),
        ("when: fork_lacks_parameter", "when: 3", "shim-fork-signature"),
        ("when: kernel_touched", "when: kernel_registered", "kernel_touched"),
        ("rules:\n", "rules: none\nthe_rest:\n", "the_rest"),
        ("    silent_failure: 1.0", "    silent_failure: high", "score.conditions.silent_failure"),
        ("verdict: {Check: 0.0", "verdict: {Chek: 0.0", "score.verdict.Chek"),
        ("id: rubric", "id: [rubric", "rubric.yaml"),
    ],
)
def test_a_table_that_is_not_sound_is_refused(old: str, new: str, where: str) -> None:
    assert where in refused(old, new)


@pytest.mark.parametrize("text", ["", "just text", "rules: []", "- a\n- b"])
def test_something_else_than_a_table_is_refused(text: str) -> None:
    with pytest.raises(RubricError):
        parse_rubric(text)


@pytest.mark.parametrize("broken", ["rules: [1]", "rules: {}", "rules: []"])
def test_rules_must_be_a_list_of_mappings(broken: str) -> None:
    head, _, rest = TABLE.partition("rules:\n")
    with pytest.raises(RubricError):
        parse_rubric(head + broken + "\nscore:\n" + rest.partition("score:\n")[2])


def test_a_condition_cannot_be_defined_twice() -> None:
    with pytest.raises(ValueError, match="reverted"):
        condition(CONDITIONS["reverted"])


def test_no_verdict_rule_contradicts_itself() -> None:
    effects = [rule.effect for rule in load_rubric().rules if rule.group is RuleGroup.VERDICT]
    assert all(isinstance(effect, VerdictEffect) for effect in effects)
    with_shim_no = load_rubric().rules[0].effect
    assert isinstance(with_shim_no, VerdictEffect)
    assert with_shim_no.needs_adaptation is NeedsAdaptation.YES


# --- the text for a model ---------------------------------------------------------------------------------------------


def test_the_text_agrees_with_the_table() -> None:
    assert filled(TEXT, load_rubric()) == TEXT, "run python -m reviewbot.rubric --write"
    assert block_names(TEXT) == BLOCK_NAMES


def test_the_text_names_every_rule_and_every_value() -> None:
    for rule in load_rubric().rules:
        assert f"| {rule.id} |" in TEXT
        assert rule.reason in TEXT
    for enumeration in (Verdict, Risk, NeedsAdaptation, YesNo, CompileStage, Decision, Track):
        for member in enumeration:
            assert member.value in TEXT


def test_the_text_changes_with_the_table() -> None:
    edited = yaml.safe_load(TABLE)
    edited["version"] = 99
    edited["rules"][0]["effect"]["risk"] = "medium"
    text = filled(TEXT, parse_rubric(yaml.safe_dump(edited, allow_unicode=True, sort_keys=False)))
    assert "version: 99" in text
    assert text != TEXT


def test_the_command_tells_and_mends_a_stale_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "rubric.md"
    target.write_text(TEXT.replace("shim-fork-signature", "shim-frok-signature"), encoding="utf-8")
    assert main([], target) == 1
    assert "--write" in capsys.readouterr().out
    assert main(["--write"], target) == 0
    assert target.read_text(encoding="utf-8") == TEXT
    assert main([], target) == 0


def test_contradictions_are_told() -> None:
    from reviewbot.models import Labels

    labels = Labels(verdict=Verdict.SHIM, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.YES)
    assert contradiction(labels)
    assert contradiction(labels.model_copy(update={"verdict": Verdict.CHECK, "risk": Risk.HIGH}))
    assert not contradiction(labels.model_copy(update={"verdict": Verdict.CHECK}))
