"""What a copy has of a change: the lines that went, those that came, or neither.

Lines are compared without white space and comments. Where no changed line could be mistaken for another by that, a
line also counts as held when it differs in the names of locals alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from retrieval.copies.tokens import keys_of
from retrieval.models import CopyState, Language

_HALF = 0.5
_LEAST_KEYS = 4  # a line of fewer tokens is like too many others when names are left out
_COMMENTS = {Language.PYTHON: re.compile(r"#[^\n]*"), Language.CPP: re.compile(r"//[^\n]*")}
# Lines that every function has say nothing about where a copy stands.
_TRIVIAL = re.compile(r"[\W_]*|else:|try:|return|pass|continue|break|return (None|True|False|self)|@\w+")


class _Line(NamedTuple):
    written: str
    keys: tuple[str, ...]


def copy_state(old: str, new: str, copy: str, language: Language = Language.PYTHON) -> CopyState:
    """Does ``copy`` still hold the lines that went from ``old``, already hold those that came in ``new``, or neither?

    A change that only adds lines leaves a copy without them on the old code.
    """
    gone, came = _changed(_lines(old, language), _lines(new, language))
    held = _lines(copy, language)
    written = {line.written for line in held}
    by_keys = {line.keys for line in held} if _told_apart(gone, came) else set()
    keeps, has = _share(gone, written, by_keys), _share(came, written, by_keys)
    if came and has >= _HALF:
        return CopyState.ALREADY_SYNCED
    if (gone and keeps >= _HALF) or (came and not gone):
        return CopyState.CARRIES_OLD_CODE
    return CopyState.DIVERGED


def _changed(before: Sequence[_Line], after: Sequence[_Line]) -> tuple[list[_Line], list[_Line]]:
    gone: list[_Line] = []
    came: list[_Line] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += before[i1:i2]
            came += after[j1:j2]
    moved = {line.written for line in gone} & {line.written for line in came}
    return [line for line in gone if line.written not in moved], [line for line in came if line.written not in moved]


def _lines(text: str, language: Language) -> list[_Line]:
    """Lines with something to say."""
    comment = _COMMENTS.get(language, _COMMENTS[Language.PYTHON])
    folded = (" ".join(comment.sub("", line).split()) for line in text.split("\n"))
    return [_Line(line, tuple(keys_of(line, language))) for line in folded if not _TRIVIAL.fullmatch(line)]


def _told_apart(gone: Sequence[_Line], came: Sequence[_Line]) -> bool:
    return not {line.keys for line in gone} & {line.keys for line in came}


def _share(lines: Sequence[_Line], written: set[str], by_keys: set[tuple[str, ...]]) -> float:
    held = sum(line.written in written or (len(line.keys) >= _LEAST_KEYS and line.keys in by_keys) for line in lines)
    return held / len(lines) if lines else 0.0
