"""The hunks that matter, chosen by the delta and shown whole; what is left out is counted by file.

A hunk is worth what it changes: definitions that torch_npu is in contact with, then signatures and removals, then
bodies; tests and documents come last. The best ones that fit are shown, in the order of the diff, under the names of
the definitions they touch; line numbers are left out, since no answer may write one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangedFile, ChangeKind, DefinitionChange, Hunk, Nature
from reviewbot.drafting.model import words
from reviewbot.drafting.model.outside import told, told_line
from reviewbot.drafting.model.tokens import Count
from reviewbot.rubric.situation import Situation

_MOST_NAMES = 3
_MOST_NOTES = 6
_KINDS = {
    ChangeKind.RESIGNED: 4.0,
    ChangeKind.REMOVED: 4.0,
    ChangeKind.RENAMED: 4.0,
    ChangeKind.MOVED: 3.0,
    ChangeKind.REWRITTEN: 3.0,
    ChangeKind.ADDED: 2.0,
    ChangeKind.REFORMATTED: 0.5,
}
_CONTACT = 8.0
_NEAR = 3.0
#: Files of these natures alone come after all product code.
_ASIDE = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD, Nature.COMMENT, Nature.FORMAT})


@dataclass(frozen=True, slots=True)
class HunksText:
    """``shown`` and ``cut`` are numbers of hunks; ``unread`` those of ``cut`` that hold product code."""

    text: str
    shown: int
    cut: int
    unread: int


@dataclass(frozen=True, slots=True)
class _Candidate:
    at: int  # place in the diff
    file: ChangedFile
    hunk: Hunk
    names: tuple[str, ...]
    worth: float
    aside: bool
    text: str


def hunks_text(situation: Situation, allowance: int, count: Count) -> HunksText:
    """Whole hunks in at most ``allowance`` tokens, as many of the worthiest as fit."""
    candidates = list(_candidates(situation))
    headed: set[str] = set()
    chosen: list[_Candidate] = []
    for one in sorted(candidates, key=lambda one: (one.aside, -one.worth, one.at)):
        head = 0 if one.file.path in headed else count(words.file_head(one.file.path)) + 1
        cost = count(one.text) + head + 1
        if cost <= allowance:
            allowance -= cost
            headed.add(one.file.path)
            chosen.append(one)
    shown = {one.at for one in chosen}
    left = [one for one in candidates if one.at not in shown]
    lines = [*_shown(sorted(chosen, key=lambda one: one.at)), *_left(left)]
    unread = sum(not one.aside for one in left)
    return HunksText("\n".join(lines) or words.NO_HUNKS, len(chosen), len(left), unread)


def _candidates(situation: Situation) -> Iterator[_Candidate]:
    direct = {one.symbol for contact in situation.direct for one in (*contact.definitions, *contact.within)}
    near = {one.symbol for contact in situation.couplings for one in (*contact.definitions, *contact.within)}
    natures = {file.path: file.nature for file in situation.delta.files}
    at = 0
    for file in situation.change.files:
        aside = is_test_path(file.path) or natures.get(file.path) in _ASIDE
        for hunk in file.hunks:
            inside = [one for one in situation.delta.definitions if one.path == file.path and _meets(one, hunk)]
            worth = max((_worth(one, direct, near) for one in inside), default=1.0)
            names = tuple(dict.fromkeys(one.qualname for one in inside))[:_MOST_NAMES]
            yield _Candidate(at, file, hunk, names, worth, aside, _text(hunk, names))
            at += 1


def _worth(one: DefinitionChange, direct: set[str], near: set[str]) -> float:
    bonus = _CONTACT if one.symbol in direct else _NEAR if one.symbol in near else 0.0
    return _KINDS[one.kind] + bonus * (one.kind is not ChangeKind.REFORMATTED)


def _meets(one: DefinitionChange, hunk: Hunk) -> bool:
    """Whether the changed lines of the hunk and the definition overlap on either side."""
    old = _overlap(one.old_lines, hunk.old_start, hunk.old_count)
    return old or _overlap(one.new_lines, hunk.new_start, hunk.new_count)


def _overlap(lines: tuple[int, int] | None, start: int, length: int) -> bool:
    return lines is not None and length > 0 and lines[0] < start + length and start <= lines[1]


def _text(hunk: Hunk, names: tuple[str, ...]) -> str:
    section = (told_line(hunk.section),) if hunk.section else ()
    head = words.hunk_head([told_line(name) for name in names] or section)
    return "\n".join([head, *(_line(line) for line in hunk.lines)])


def _line(line: str) -> str:
    """One line stays one line, whatever line ends are hidden in it; its first character stays what it is."""
    return told(line.rstrip("\r")).replace("\n", " ")


def _shown(chosen: list[_Candidate]) -> Iterator[str]:
    path = None
    for one in chosen:
        if one.file.path != path:
            path = one.file.path
            yield words.file_head(told_line(path))
        yield one.text


def _left(left: list[_Candidate]) -> Iterator[str]:
    hunks = Counter(one.file.path for one in left)
    for path in list(hunks)[:_MOST_NOTES]:
        yield words.hunks_cut(told_line(path), hunks.pop(path))
    if hunks:
        yield words.files_cut(len(hunks), hunks.total())
