"""The rubric as a model reads it: ``prompts/rubric.md``, whose tables are made from the rule table.

The file is written by hand but for its front matter and the blocks between ``<!-- rules:NAME -->`` and
``<!-- /rules -->``; ``filled`` makes those anew. A test compares, so text and table cannot part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import get_args

from reviewbot.models import Labels, RuleGroup
from reviewbot.rubric import words
from reviewbot.rubric.effects import AdjustEffect, CannEffect, StageEffect, TrackEffect, VerdictEffect
from reviewbot.rubric.expression import Expression, Joint, Named
from reviewbot.rubric.table import Rubric, Rule

_BLOCK = re.compile(r"(?P<open><!-- rules:(?P<name>\w+) -->\n).*?(?P<close><!-- /rules -->)", re.DOTALL)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def filled(text: str, rubric: Rubric) -> str:
    """``text`` with its front matter and every block made from ``rubric``; an unknown block is a ``KeyError``."""
    identity, _, version = rubric.version.rpartition("-")
    front = f"---\nid: {identity}\nversion: {version}\n---\n"
    body = _FRONT.sub("", text, count=1)
    return front + _BLOCK.sub(lambda match: match["open"] + _BLOCKS[match["name"]](rubric) + match["close"], body)


def block_names(text: str) -> set[str]:
    return {match["name"] for match in _BLOCK.finditer(text)}


def in_words(expression: Expression, rubric: Rubric) -> str:
    """The condition in Chinese, by the meanings of the table."""
    if isinstance(expression, Named):
        return rubric.meanings[expression.name]
    parts = [_part(part, rubric) for part in expression.parts]
    if expression.joint is Joint.NOT:
        return words.rubric_not(parts[0])
    return {Joint.ALL: words.RUBRIC_AND, Joint.ANY: words.RUBRIC_OR}[expression.joint].join(parts)


def _part(part: Expression, rubric: Rubric) -> str:
    """In brackets where ``and`` and ``or`` would otherwise run into each other."""
    said = in_words(part, rubric)
    return said if isinstance(part, Named) or part.joint is Joint.NOT else words.rubric_group(said)


def _labels(rubric: Rubric) -> str:
    rows = [
        [field, " · ".join(_values(annotation.annotation)), rubric.labels[field]]
        for field, annotation in Labels.model_fields.items()
    ]
    return _table(words.RUBRIC_LABEL_COLUMNS, rows)


def _values(annotation: object) -> list[str]:
    """The values of an enumeration field in its order; an optional one ends with its word for absent."""
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)] or [annotation]
    values = [str(member.value) for kind in kinds for member in kind]
    return [*values, words.RUBRIC_ABSENT] if type(None) in get_args(annotation) else values


def _verdicts(rubric: Rubric) -> str:
    return _table(
        words.RUBRIC_VERDICT_COLUMNS, [_verdict_row(rule, rubric) for rule in rubric.of_group(RuleGroup.VERDICT)]
    )


def _verdict_row(rule: Rule, rubric: Rubric) -> list[str]:
    effect = rule.effect
    assert isinstance(effect, VerdictEffect)
    labels = (effect.verdict, effect.risk, effect.needs_adaptation, effect.npu_affected, effect.decision)
    return [rule.id, in_words(rule.when, rubric), *(label.value for label in labels), rule.reason]


def _others(group: RuleGroup) -> Callable[[Rubric], str]:
    def block(rubric: Rubric) -> str:
        rows = [[rule.id, in_words(rule.when, rubric), _effect(rule), rule.reason] for rule in rubric.of_group(group)]
        return _table(words.RUBRIC_RULE_COLUMNS, rows)

    return block


def _effect(rule: Rule) -> str:
    match rule.effect:
        case AdjustEffect() as effect:
            return words.rubric_adjustment(
                effect.step_down, effect.verdict_at_least, effect.risk_at_least, effect.risk_at_most
            )
        case StageEffect(compile_stage=value) | CannEffect(needs_cann=value):
            return value.value if value else words.RUBRIC_ABSENT
        case TrackEffect(track=track):
            return track.value
        case VerdictEffect():
            raise AssertionError("a verdict rule has columns of its own")


def _table(columns: tuple[str, ...], rows: list[list[str]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_BLOCKS: dict[str, Callable[[Rubric], str]] = {
    "labels": _labels,
    "verdict": _verdicts,
    **{group.value: _others(group) for group in RuleGroup if group is not RuleGroup.VERDICT},
}

#: Every block the text must hold.
BLOCK_NAMES = frozenset(_BLOCKS)
