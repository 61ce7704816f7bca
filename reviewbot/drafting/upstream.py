"""First part of the paragraph: what the PR changes and where; and the one-sentence summary.

A change whose diff is a part gets no figures: neither lines nor files are counted. An English title is quoted as
written in 《》: a bad translation would be worse than none.
"""

from __future__ import annotations

import re

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangedFile, Nature
from reviewbot.drafting.acts import acts
from reviewbot.drafting.brief import Brief
from reviewbot.drafting.piece import ESSENTIAL, Piece, tidy

_MOST_FILES = 2
_LONGEST_SUMMARY = 108  # of the 120 a record allows, size or revert come after it
_LONGEST_TITLE = 80
#: (clauses, names in each), tried until the summary is short enough.
_SHORTER = ((3, 2), (2, 2), (1, 2), (1, 1))
_TAGS = re.compile(r"^(?:\s*\[[^\]]*\])+\s*")
_HAN = re.compile(r"[\u3400-\u9fff]")
#: Title marks inside a title become quotation marks, so that they do not close it.
_OWN_MARKS = {0x300A: 0x201C, 0x300B: 0x201D}
_WORD = re.compile(r"[A-Za-z]+")
_CHINESE_SHARE = 0.38
_NUMBER = re.compile(r"\s*\(#\d+\)\s*$")


def opening(brief: Brief, most_acts: int) -> list[Piece]:
    """``本 PR 属 A 轨，改动 …：…`` with at most ``most_acts`` clauses, whose code it is, and the revert."""
    say = brief.phrases.say
    track = brief.prior.track.value
    where = _files(brief)
    first = say("change", track=track, files=where) if where else say("change_unread", track=track)
    does = acts(brief, most_acts) or _nature(brief)
    if does and where:
        first = say("change_does", where=first, acts=brief.clauses(does))
    pieces = [Piece(first, ESSENTIAL + 9)]
    if brief.delta.devices:
        devices = brief.phrases.joined(list(brief.delta.devices))
        pieces.append(Piece(say("device", devices=devices), 55))
    if is_reverted(brief):
        pieces.append(Piece(say("reverted"), ESSENTIAL + 8))
    return pieces


def summary(brief: Brief) -> str:
    """One sentence on what the PR does, with its size when the diff is whole and its revert when there was one."""
    say = brief.phrases.say
    size = brief.change.added + brief.change.removed
    told = _told(brief)
    if is_reverted(brief):
        told = say("summary_reverted", text=told)
    elif brief.change.diff_complete and size:
        told = say("summary_size", text=told, lines=size)
    return say("sentence", text=tidy(told))


def is_reverted(brief: Brief) -> bool:
    """What the rules took for a revert, whatever the adjustment was."""
    labels = (label.lower() for label in brief.change.labels)
    return brief.change.reverted or "reverted" in labels


def _told(brief: Brief) -> str:
    say = brief.phrases.say
    title = _plain_title(brief.change.title)
    done = [text for most, each in _SHORTER if (text := _led(brief.clauses(acts(brief, most, each))))]
    tried = [say("summary_titled", acts=text, title=title) for text in done] if title else []
    for told in (*tried, *(say("summary", acts=text) for text in done)):
        if len(told) <= _LONGEST_SUMMARY and _chinese(told, title):
            return told
    if title and _chinese(say("summary_title_only", title=title), title):
        return say("summary_title_only", title=title)
    where = _files(brief, sized=False)
    return say("summary_files", files=where) if where else say("summary_nothing")


def _led(done: str) -> str:
    """A blank between 上游 and a clause that begins with a name."""
    return f" {done}" if done and done[0].isascii() else done


def _chinese(told: str, title: str) -> bool:
    """Enough Chinese beside the words of an English title; names of code are no words."""
    han, words = len(_HAN.findall(told)), len(_WORD.findall(title)) if title in told else 0
    return han >= _CHINESE_SHARE * (han + words)


def _plain_title(title: str) -> str:
    """The title without its tags and its number, quotation marks of its own turned; empty when it is too long."""
    plain = _NUMBER.sub("", _TAGS.sub("", title)).strip().translate(_OWN_MARKS)
    return plain if len(plain) <= _LONGEST_TITLE else ""


def _files(brief: Brief, *, sized: bool = True) -> str:
    """The largest product files with their sizes; what else is told as a number, or as 等 when the diff is a part."""
    files = [file for file in brief.change.files if not is_test_path(file.path)] or list(brief.change.files)
    files.sort(key=lambda file: -(file.added + file.removed))
    others = [path for path in brief.change.other_paths if path not in {file.path for file in files}]
    shown = [_file(brief, file, sized=sized) for file in files[:_MOST_FILES]]
    shown = shown or [path for path in others if not is_test_path(path)][:_MOST_FILES] or others[:_MOST_FILES]
    if not shown:
        return ""
    listed = brief.comma.join(shown)
    total = len(brief.change.files)
    if brief.change.diff_complete and total > len(shown) and files:
        return brief.phrases.say("files_counted", files=listed, count=total)
    more = len(files) > len(shown) or (bool(files) and any(not is_test_path(path) for path in others))
    return brief.phrases.say("and_more", names=listed) if more else listed


def _file(brief: Brief, file: ChangedFile, *, sized: bool) -> str:
    if not sized or not brief.change.diff_complete or not file.hunks:
        return file.path
    return brief.phrases.say("file_sized", path=file.path, added=file.added, removed=file.removed)


def _nature(brief: Brief) -> list[str]:
    """``仅涉及测试、文档`` for a change without any definition to name."""
    natures = [one for one in brief.delta.natures if one is not Nature.CODE]
    if not natures or Nature.CODE in brief.delta.natures:
        return []
    words = [brief.phrases.words[one] for one in natures]
    return [brief.phrases.say("act_nature", nature=brief.phrases.joined(words))]
