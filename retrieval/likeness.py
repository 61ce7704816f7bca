"""How alike two pieces of code are, and what a copy has of a change.

Likeness is the Dice coefficient over runs of four tokens: 1 for equal token streams, robust against local edits,
indifferent to layout and comments. On torch_npu's copies of upstream functions it lies above 0.45; functions that share
no more than a name stay below 0.4 (measured on torch 2.13.0 against torch_npu 2.13.0).
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from retrieval.models import CopyState

COPY_LIKENESS = 0.45
MIN_TOKENS = 24  # a getter is like every other getter

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")
_COMMENT = re.compile(r"#[^\n]*")
_RUN = 4
_HALF = 0.5
# Lines that every function has say nothing about where a copy stands.
_TRIVIAL = re.compile(r"[\W_]*|else:|try:|return|pass|continue|break|return (None|True|False|self)|@\w+")


class Print(NamedTuple):
    """Runs of tokens of one piece of code, with their number."""

    runs: Counter[tuple[str, ...]]
    size: int


def print_of(text: str) -> Print:
    tokens = _TOKEN.findall(_COMMENT.sub("", text))
    runs = Counter(tuple(tokens[at : at + _RUN]) for at in range(len(tokens) - _RUN + 1))
    return Print(runs, len(tokens))


def likeness(one: Print, other: Print) -> float:
    """0…1; 0 when either is too short to tell."""
    if min(one.size, other.size) < MIN_TOKENS:
        return 0.0
    shared = (one.runs & other.runs).total()
    return 2 * shared / (one.runs.total() + other.runs.total())


def copy_state(old: str, new: str, copy: str) -> CopyState:
    """Does ``copy`` still hold the lines that went from ``old``, already hold those that came in ``new``, or neither?

    A change that only adds lines leaves a copy without them on the old code.
    """
    gone, came = _changed(old, new)
    held = set(_lines(copy))
    keeps = _share(gone, held)
    has = _share(came, held)
    if came and has >= _HALF:
        return CopyState.ALREADY_SYNCED
    if (gone and keeps >= _HALF) or (came and not gone):
        return CopyState.CARRIES_OLD_CODE
    return CopyState.DIVERGED


def _changed(old: str, new: str) -> tuple[list[str], list[str]]:
    before, after = _lines(old), _lines(new)
    gone: list[str] = []
    came: list[str] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += before[i1:i2]
            came += after[j1:j2]
    moved = set(gone) & set(came)
    return [line for line in gone if line not in moved], [line for line in came if line not in moved]


def _lines(text: str) -> list[str]:
    """Lines with something to say, white space folded, comments cut."""
    folded = (" ".join(_COMMENT.sub("", line).split()) for line in text.split("\n"))
    return [line for line in folded if not _TRIVIAL.fullmatch(line)]


def _share(lines: list[str], held: set[str]) -> float:
    return sum(line in held for line in lines) / len(lines) if lines else 0.0
