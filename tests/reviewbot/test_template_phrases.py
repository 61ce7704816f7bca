"""The phrases of ``prompts/template.yaml`` and the code that asks for them name the same things."""

from __future__ import annotations

import ast
from importlib import resources
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

import reviewbot.drafting
from retrieval.models import Nature, OperatorRole
from reviewbot.drafting.phrases import Phrases, load_phrases, placeholders
from reviewbot.models import RuleGroup
from reviewbot.rubric import load_rubric

TEXT = resources.files("prompts").joinpath("template.yaml").read_text(encoding="utf-8")
SOURCES = sorted(Path(reviewbot.drafting.__file__).parent.glob("*.py"))


def constants(*, only_said: bool) -> set[str]:
    """String constants of the drafting package; with ``only_said`` those that ``say`` is called with."""
    found: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if only_said:
                name = node.func if isinstance(node, ast.Call) else None
                said = (isinstance(name, ast.Name) and name.id == "say") or (
                    isinstance(name, ast.Attribute) and name.attr == "say"
                )
                if said and isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant):
                    found.add(str(node.args[0].value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def test_every_phrase_that_is_asked_for_exists() -> None:
    assert constants(only_said=True) <= set(load_phrases().phrases)


def test_every_phrase_is_asked_for() -> None:
    assert set(load_phrases().phrases) <= constants(only_said=False)


def test_every_verdict_rule_has_its_consequence() -> None:
    verdicts = {rule.id for rule in load_rubric().rules if rule.group is RuleGroup.VERDICT}
    assert set(load_phrases().rules) == verdicts


def test_rules_that_ask_for_work_say_which_effect_and_what_to_do() -> None:
    for rule in load_rubric().of_group(RuleGroup.VERDICT):
        said = load_phrases().rules[rule.id]
        if rule.id.startswith("shim-"):
            assert said.action, rule.id
            assert said.effect, rule.id
            assert said.risk, rule.id


def test_consequences_ask_only_for_names_the_code_gives() -> None:
    given = {
        "ids",
        "symbol",
        "parameters",
        "parameter_names",
        "operators",
        "old",
        "new",
        "new_module",
        "interface",
        "remedy",
    }
    for rule, said in load_phrases().rules.items():
        for text in (said.impact, said.effect, said.action, said.risk):
            assert placeholders(text or "") <= given, rule


def test_every_nature_and_role_has_a_word() -> None:
    assert {*Nature, *OperatorRole} <= set(load_phrases().words)


def test_a_phrase_takes_exactly_its_values() -> None:
    phrases = load_phrases()
    assert phrases.say("act_renamed", old="a", new="b") == "a 改名为 b"
    with pytest.raises(KeyError):
        phrases.say("act_renamed", old="a")
    with pytest.raises(ValueError, match="oops"):
        phrases.say("act_renamed", old="a", new="b", oops="c")
    with pytest.raises(KeyError):
        phrases.say("no_such_phrase")


def test_a_misspelt_key_is_refused() -> None:
    table = yaml.safe_load(TEXT)
    table["rules"]["check-rename"]["impcat"] = "…"
    with pytest.raises(ValidationError, match="impcat"):
        Phrases.model_validate(table)


def test_names_are_joined_and_cut() -> None:
    phrases = load_phrases()
    assert phrases.joined(["a", "b", "a"]) == "a、b"
    assert phrases.joined(["a", "b", "c", "d"]) == "a、b、c 等"
    assert phrases.joined(["Gear.a", "Gear.b"]) == "Gear 的 a、b"
    assert phrases.joined(["aten.a", "aten.b"]) == "aten.a、aten.b"
    assert phrases.joined([]) == ""
