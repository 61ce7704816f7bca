"""Ledger, past records and rubric as a model reads them: cut from the end, counted, without line numbers."""

from __future__ import annotations

import re

import pytest

from reviewbot.drafting.model import words
from reviewbot.drafting.model.digest import rubric_digest
from reviewbot.drafting.model.prompt import full_prefix
from reviewbot.drafting.model.prompt_files import load_prompt, prompt_names
from reviewbot.models import RELATION_WORDS, Decision, RuleGroup
from reviewbot.rubric import load_rubric
from tests.reviewbot.model_cases import dossier
from tests.reviewbot.prompt_cases import PREFIX, brief_prompt, part, past, prompt, variable
from tests.support import values

# --- ledger -----------------------------------------------------------------------------------------------------------


def test_the_ledger_in_words() -> None:
    items = (
        values.merged(values.patch(lines=(12, 40)), values.reference(lines=(50,))),
        values.override(signature_matches=False, lacks=("quiet",), downstream_signature="(self, x)"),
        values.missing("halt"),
    )
    text = part(variable(dossier(*items)), words.LEDGER)
    assert "E1 赋值式 patch，被改符号本身 | mill_npu/gears.py spin_npu（2 行） | torch._mill.gears.spin | " in text
    assert "替换为 spin_npu、不回调原实现" in text
    assert "\n    spin(x)\n" in text
    assert "\n  E1.2 引用，被改符号本身 | torch._mill.gears.spin" in text
    assert "签名缺少参数 quiet、下游签名 (self, x)" in text
    assert "Z1 0 命中：halt（torch._mill.gears.halt）" in text
    assert not re.search(r"\.py:\d", text), "an answer cites ids; lines would only tempt"


def test_every_relation_word_reaches_the_model() -> None:
    assert not [word for word in RELATION_WORDS if word not in full_prefix()]


def test_a_ledger_without_places_says_so() -> None:
    assert "没有找到任何耦合位置" in variable(dossier(values.missing("halt")))


def test_a_short_budget_cuts_the_ledger_from_its_end() -> None:
    items = [
        values.merged(
            values.reference(path=f"mill_npu/f{number}.py", snippet=f"first_{number}(spin)\nsecond_{number}(spin)"),
            values.imported(lines=(3,)),
        )
        for number in range(60)
    ]
    given = dossier(*items, values.missing("halt"))
    ample, short, tiny = prompt(given, 15_000), prompt(given, 5_000), brief_prompt(given, 2_500)
    assert ample.left_out.places == 0
    assert len(ample.shown) == 60
    text = short.messages[1].content
    assert "first_0(spin)" in text
    assert "first_59(spin)" not in text, "source lines go first"
    assert 0 < len(tiny.shown) < 60
    assert tiny.shown == tuple(f"E{number}" for number in range(1, len(tiny.shown) + 1))
    assert tiny.left_out.places == 60 - len(tiny.shown)
    assert f"靠后的 {tiny.left_out.places} 处未列出" in tiny.messages[1].content
    assert "Z1 0 命中" in tiny.messages[1].content
    assert short.tokens <= PREFIX + 5_000
    assert tiny.tokens <= 2_500


# --- past records -----------------------------------------------------------------------------------------------------


def test_past_records_show_labels_and_files() -> None:
    text = part(variable(dossier(precedents=(past(reverted=True),))), words.PAST)
    assert text.splitlines() == [
        "- #12 An older gear（已被 Revert）",
        "  结论 Check，风险 low，需改码 否，底层适配 —，影响 NPU 否，阶段 —",
        "  改动 torch/_mill/old.py",
    ]
    assert "以往的话" in variable(dossier(precedents=(past(analysis="以往的话。"),)))
    assert "past-1" not in variable(dossier(precedents=(past(),)))


def test_past_records_do_not_drown_the_rest() -> None:
    many = tuple(past(title=f"Gear {number} {'x ' * 200}") for number in range(50))
    text = variable(dossier(precedents=many))
    assert 0 < text.count("- #12 Gear") < 15
    assert "Gear 0 " in text


# --- prompt files -----------------------------------------------------------------------------------------------------


def test_prompts_have_a_name_a_version_and_a_purpose() -> None:
    for name in ("system", "brief", "draft", "repair"):
        assert load_prompt(name).id == name
        assert load_prompt(name).purpose
    version = load_prompt("brief").version
    assert prompt_names("brief").split()[0] == f"brief-{version}"


def test_a_placeholder_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        load_prompt("draft").filled(findings="x")


def test_the_digest_holds_every_rule_that_a_model_has_a_say_in() -> None:
    digest, rubric = rubric_digest(), load_rubric()
    assert digest in full_prefix()
    for rule in rubric.rules:
        decides = getattr(rule.effect, "decision", None) is Decision.DECIDED
        left_out = decides or rule.group in (RuleGroup.TRACK, RuleGroup.STAGE)
        assert (f"- {rule.id}：" in digest) is not left_out, rule.id
    assert "<!--" not in digest
    assert "| ---" not in digest


def test_a_condition_that_has_a_name_has_a_meaning() -> None:
    digest, meanings = rubric_digest(), load_rubric().meanings
    named = set(re.findall(r"〔(\w+)〕", digest))
    assert named
    for name in named:
        assert digest.count(meanings[name]) == 1
        assert f"- 〔{name}〕：{meanings[name]}" in digest


def test_a_model_of_little_context_gets_the_brief_prefix() -> None:
    small = brief_prompt()
    assert small.messages[0].content == load_prompt("brief").text
    assert small.tokens <= 1_500
    assert small.shown[0] == "E1"
