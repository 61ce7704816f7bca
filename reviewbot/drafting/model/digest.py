"""The rubric as a model pays for it: ``prompts/rubric.md`` with its tables folded into one line for each rule.

Text and rules come from that file alone, which is made from the rule table. Left out is what a model has no say in or
reads elsewhere: rules that decide (a draft cannot undo them), track and stage (the prior tells them), what to search
for (code has searched), the decision of each rule (all that are left are open) and reasons (they say again what
condition and labels say). A long condition that rules share stands once, under its name in the table.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from reviewbot.drafting.model import words
from reviewbot.models import Decision, RuleGroup
from reviewbot.rubric import load_rubric

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BLOCK = re.compile(r"<!-- rules:(?P<name>\w+) -->\n(?P<table>.*?)<!-- /rules -->\n", re.DOTALL)
_SEARCH = re.compile(r"<!-- search -->\n.*?<!-- /search -->\n\n?", re.DOTALL)
_BY_CODE = frozenset({RuleGroup.TRACK, RuleGroup.STAGE})
_WORTH_A_NAME = 24  # characters saved, beside what the name takes


@cache
def rubric_digest() -> str:
    """The rubric's text, its headings one level below those of the prompt."""
    text = resources.files("prompts").joinpath("rubric.md").read_text(encoding="utf-8")
    return _named(_BLOCK.sub(_folded, _SEARCH.sub("", _FRONT.sub("", text)))).strip()


def _folded(block: re.Match[str]) -> str:
    """``- id：condition → labels`` for each rule; of a table that is none of rules, the cells."""
    if block["name"] in _BY_CODE:
        return f"{words.BY_CODE}\n"
    columns, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block["table"].splitlines()]
    if block["name"] not in set(RuleGroup):
        return "".join(f"{words.rule_line(row[0], row[1], row[2:])}\n" for row in rows)
    if block["name"] != RuleGroup.VERDICT:
        return "".join(f"{words.rule_line(row[0], row[1], row[2:-1])}\n" for row in rows)
    *labels, decision, _ = range(2, len(columns))
    lines = [
        words.rule_line(row[0], row[1], [row[at] for at in labels]) for row in rows if row[decision] != Decision.DECIDED
    ]
    return words.rule_columns([columns[at] for at in labels]) + "".join(f"{line}\n" for line in lines)


def _named(text: str) -> str:
    """Shared conditions by name, the longest first, since one may be a part of another; their meanings at the end."""
    named: list[str] = []
    for name, meaning in sorted(load_rubric().meanings.items(), key=lambda pair: -len(pair[1])):
        uses = text.count(meaning)
        if uses > 1 and (uses - 1) * len(meaning) > _WORTH_A_NAME:
            mark = words.condition(name)
            text = text.replace(f"\u201c{meaning}\u201d", mark).replace(meaning, mark)
            named.append(words.condition_line(mark, meaning))
    return "\n".join([text.rstrip(), "", words.CONDITIONS, "", *named]) if named else text
