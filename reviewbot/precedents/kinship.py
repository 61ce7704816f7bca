"""Is a past record about the same work as a change: itself, a reland, a revert, or a part of it?

Whoever is shown such a record is shown the answer, so doubt counts as yes: where no changed line of either is known,
nobody can tell that they share none.
"""

from __future__ import annotations

import re

from retrieval.models import UpstreamChange
from reviewbot.precedents.fingerprints import fingerprints
from reviewbot.precedents.models import PastRecord

#: What is wrapped around the title of the work that is landed again or taken back.
_WRAPPING = re.compile(
    r"\bre-?land(?:s|ed|ing)?(?:\s+(?:of|v?\d+))*\b"
    r"|\brevert(?:s|ed|ing)?(?:\s+of)?\b"
    r"|\bback(?:ed|ing)?[ -]?out\b"
    r"|\(?#\d+\)?"
)
_AREA = re.compile(r"\[[^\]\d]*\]")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?:#|/pull/)(\d+)\b")


class SameWork:
    """Compares one change with many past records."""

    def __init__(self, change: UpstreamChange) -> None:
        self._number = change.number
        self._title = title_core(change.title)
        self._named = _numbers(f"{change.title}\n{change.body}")
        self._lines = fingerprints(change)

    def covers(self, past: PastRecord) -> bool:
        if not (self._lines and past.lines):
            return True
        return (
            not self._lines.isdisjoint(past.lines)
            or (self._title != "" and self._title == title_core(past.title))
            or (past.upstream_pr is not None and past.upstream_pr in {self._number, *self._named})
            or (self._number is not None and self._number in _numbers(past.title))
        )


def title_core(title: str) -> str:
    """A title without what a reland or revert adds, as lower-case words: equal cores are the same work.

    Tags of an area (``[inductor]``) come and go between attempts and don't count; those of a part (``[2/3]``) do.
    """
    return " ".join(_WORD.findall(_AREA.sub(" ", _WRAPPING.sub(" ", title.casefold()))))


def _numbers(text: str) -> frozenset[int]:
    return frozenset(map(int, _NUMBER.findall(text)))
