"""Loads and checks the rule table ``prompts/rubric.yaml``.

A wrong table is refused as a whole, with the rule and the nearest right name: a rule that silently never fires would
be worse than none. Checked: unknown keys, groups, conditions, labels; a condition without meaning or a meaning without
condition; an id given twice (YAML keys too); labels that contradict each other; a group that may leave a change
without an answer; a rule that can never be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml
from pydantic import ValidationError

from reviewbot.models import Labels, RuleGroup
from reviewbot.rubric import change_conditions, coupling_conditions, reach_conditions, signature_conditions, words
from reviewbot.rubric.effects import EFFECTS, Effect, VerdictEffect, contradiction
from reviewbot.rubric.errors import RubricError
from reviewbot.rubric.expression import Expression, Named, parse_expression
from reviewbot.rubric.grounds import CONDITIONS
from reviewbot.rubric.nearest import nearest
from reviewbot.rubric.needs_work_score import ScoreWeights

#: Importing these modules registers their conditions.
CONDITION_MODULES = (change_conditions, reach_conditions, signature_conditions, coupling_conditions)

_TABLE_KEYS = ("id", "version", "labels", "conditions", "rules", "score")
_RULE_KEYS = ("id", "group", "when", "effect", "reason")
_CERTAIN = "always"
#: Groups that must answer for every change; an adjustment need not apply.
_TOTAL = frozenset(RuleGroup) - {RuleGroup.ADJUST}


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    group: RuleGroup
    when: Expression
    effect: Effect
    reason: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """``version`` is what analyses store; ``meanings`` say each condition in Chinese, ``labels`` each label field."""

    version: str
    rules: tuple[Rule, ...]
    meanings: Mapping[str, str]
    labels: Mapping[str, str]
    score: ScoreWeights

    def of_group(self, group: RuleGroup) -> Iterator[Rule]:
        return (rule for rule in self.rules if rule.group is group)


@cache
def load_rubric() -> Rubric:
    """The shipped rule table. Raises ``RubricError`` when it is not sound."""
    return parse_rubric(resources.files("prompts").joinpath("rubric.yaml").read_text(encoding="utf-8"))


def parse_rubric(text: str) -> Rubric:
    """A rule table from YAML text. Raises ``RubricError``."""
    try:
        table = yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError as error:
        raise RubricError("rubric.yaml", words.rubric_not_yaml(" ".join(str(error).split()))) from error
    _known_keys("rubric.yaml", table, _TABLE_KEYS)
    labels = _meanings("labels", table["labels"], Labels.model_fields)
    meanings = _meanings("conditions", table["conditions"], CONDITIONS)
    if not isinstance(table["rules"], list):
        raise RubricError("rules", words.rubric_missing("rules"))
    rules = tuple(_rule(given) for given in table["rules"])
    _check_ids(rules)
    for group in RuleGroup:
        _check_group(group, [rule for rule in rules if rule.group is group])
    score = _score(table["score"])
    unused = set(meanings) - {name for rule in rules for name in rule.when.names()} - set(score.conditions)
    if unused:
        raise RubricError(sorted(unused)[0], words.rubric_unused_condition())
    return Rubric(
        version=f"{table['id']}-{table['version']}", rules=rules, meanings=meanings, labels=labels, score=score
    )


# libyaml reads the table in a fifth of the time; PyYAML built without it has no such loader.
_SafeLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_SafeLoader):  # type: ignore[misc, valid-type]
    """A safe loader that refuses a key given twice, where YAML would keep the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise RubricError(str(key), words.rubric_twice())
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def _known_keys(where: str, given: object, known: tuple[str, ...]) -> None:
    if not isinstance(given, dict):
        raise RubricError(where, words.rubric_missing(", ".join(known)))
    for key in given:
        if key not in known:
            raise RubricError(where, words.rubric_unknown(str(key), nearest(str(key), known)))
    for key in known:
        if given.get(key) in (None, ""):
            raise RubricError(where, words.rubric_missing(key))


def _meanings(where: str, given: object, known: Collection[str]) -> dict[str, str]:
    """One line of Chinese for each of ``known`` and for nothing else."""
    if not isinstance(given, dict):
        raise RubricError(where, words.rubric_missing(where))
    for name, meaning in given.items():
        if name not in known:
            raise RubricError(where, words.rubric_unknown(str(name), nearest(str(name), known)))
        if not isinstance(meaning, str) or not meaning.strip() or "\n" in meaning:
            raise RubricError(name, words.rubric_one_line())
    for name in known:
        if name not in given:
            raise RubricError(name, words.rubric_no_meaning(where))
    return dict(given)


def _rule(given: object) -> Rule:
    where = str(given.get("id") or "rules") if isinstance(given, dict) else "rules"
    _known_keys(where, given, _RULE_KEYS)
    assert isinstance(given, dict)
    if given["group"] not in list(RuleGroup):
        raise RubricError(
            where, words.rubric_unknown(str(given["group"]), nearest(str(given["group"]), list(RuleGroup)))
        )
    reason = given["reason"]
    if not isinstance(reason, str) or "\n" in reason.strip():
        raise RubricError(where, words.rubric_one_line())
    group = RuleGroup(given["group"])
    return Rule(where, group, parse_expression(given["when"], where), _effect(where, group, given["effect"]), reason)


def _effect(where: str, group: RuleGroup, given: object) -> Effect:
    model = EFFECTS[group]
    if not isinstance(given, dict) or not given:
        raise RubricError(where, words.rubric_missing("effect"))
    for key in given:
        if key not in model.model_fields:
            raise RubricError(where, words.rubric_unknown(str(key), nearest(str(key), model.model_fields)))
    try:
        effect = model(**given)
    except ValidationError as error:
        first = error.errors()[0]
        key, wrong = ".".join(str(part) for part in first["loc"]), str(first.get("input", ""))
        if first["type"] == "missing":
            raise RubricError(where, words.rubric_missing(key)) from error
        expected = str(first.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        raise RubricError(where, words.rubric_bad_value(key, wrong, nearest(wrong, expected), expected)) from error
    if isinstance(effect, VerdictEffect) and contradiction(_labels(effect)):
        raise RubricError(where, words.rubric_contradiction())
    return effect


def _labels(effect: VerdictEffect) -> Labels:
    return Labels(
        verdict=effect.verdict,
        risk=effect.risk,
        needs_adaptation=effect.needs_adaptation,
        npu_affected=effect.npu_affected,
    )


def _score(given: object) -> ScoreWeights:
    """Weights of known conditions and known labels, and all of them numbers."""
    _known_keys("score", given, tuple(ScoreWeights.model_fields))
    try:
        score = ScoreWeights.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise RubricError(".".join(("score", *map(str, first["loc"]))), words.rubric_bad_weight()) from error
    for name in score.conditions:
        if name not in CONDITIONS:
            raise RubricError("score", words.rubric_unknown(name, nearest(name, CONDITIONS)))
    return score


def _check_ids(rules: tuple[Rule, ...]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise RubricError(rule.id, words.rubric_twice())
        seen.add(rule.id)


def _check_group(group: RuleGroup, rules: list[Rule]) -> None:
    certain = [rule for rule in rules if isinstance(rule.when, Named) and rule.when.name == _CERTAIN]
    if group in _TOTAL and not certain:
        raise RubricError(group.value, words.rubric_no_default())
    if certain and rules[-1] is not certain[0]:
        after = rules[rules.index(certain[0]) + 1]
        raise RubricError(after.id, words.rubric_unreachable(certain[0].id))
