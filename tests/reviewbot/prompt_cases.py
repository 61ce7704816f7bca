"""Prompts taken apart: what the tests of prompts share."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from reviewbot.drafting.model import words
from reviewbot.drafting.model.prompt import Prompt, assemble, full_prefix
from reviewbot.drafting.writer import Dossier
from reviewbot.precedents import PastRecord
from tests.reviewbot.model_cases import COUNTER, MILD, dossier

OPEN, CLOSE = re.compile(r'^<资料 名称="[^"]+">$'), "</资料>"


#: Budgets are counted from here, so that a rubric that grows changes no test.
PREFIX = COUNTER.count(full_prefix())


def prompt(of: Dossier | None = None, room: int = 6_000) -> Prompt:
    """With that much room beside the prefix."""
    return assemble(of or dossier(), COUNTER.count, PREFIX + room)


def brief_prompt(of: Dossier | None = None, tokens: int = 1_500) -> Prompt:
    return assemble(of or dossier(), COUNTER.count, tokens)


def variable(of: Dossier | None = None) -> str:
    return prompt(of).messages[1].content


def part(text: str, name: str) -> str:
    return text.split(words.block_open(name) + "\n")[1].split("\n" + CLOSE)[0]


def outside_of_blocks(text: str) -> list[str]:
    """Lines that are not data; fails when a block is left open or closed twice."""
    inside, lines = False, []
    for line in text.splitlines():
        if OPEN.match(line):
            assert not inside
            inside = True
        elif line == CLOSE:
            assert inside
            inside = False
        elif not inside and line:
            lines.append(line)
    assert not inside
    return lines


def past(**changes: Any) -> PastRecord:
    given = {
        "id": "past-1",
        "upstream_pr": 12,
        "date": date(2025, 1, 1),
        "batch": 0,
        "title": "An older gear",
        "reverted": False,
        "labels": MILD,
        "paths": ("torch/_mill/old.py",),
        "symbols": (),
        "lines": frozenset(),
        "evidence": (),
    }
    return PastRecord(**{**given, **changes})
