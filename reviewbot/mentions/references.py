"""References to upstream pull requests and commits in text, by the forms that people and bots write.

===========================================================  ======================
``pytorch/pytorch#N``, ``pytorch#N``, ``pytorch PR #N``       a pull request
``https://github.com/pytorch/pytorch/pull/N`` (``/files`` …)  a pull request
``…/pytorch/pytorch/commit/SHA``, ``pytorch/pytorch@SHA``     a commit
``(cherry picked from commit SHA)``                           a commit
===========================================================  ======================

Issues are not changes, other repositories are not upstream, and a bare ``#N`` is the forge's own number: none counts.
A commit is a candidate until the upstream clone knows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from reviewbot.mentions.found_in import FoundIn
from reviewbot.service.models import Subject, SubjectKind

#: Shorter hashes are ambiguous in a repository of pytorch's size, and look like words.
_SHA = r"(?P<sha>[0-9a-f]{10,40})(?![0-9A-Za-z])"
_NUMBER = r"(?P<number>[1-9][0-9]{0,8})(?![0-9A-Za-z])"


@dataclass(frozen=True, slots=True)
class Reference:
    """``at`` is its offset in the text, ``sure`` false for a hash that need not be upstream's."""

    subject: Subject
    at: int
    sure: bool = True


def references(text: str, upstream: str, because: FoundIn) -> Iterator[Reference]:
    """All references to ``upstream`` (``owner/name``) in order of appearance, repetitions included."""
    for match in sorted(
        (match for pattern in _patterns(upstream.lower()) for match in pattern.finditer(text)),
        key=lambda match: match.start(),
    ):
        groups = match.groupdict()
        if groups.get("number"):
            name = f"{upstream}#{int(groups['number'])}"
            found = FoundIn.TRAILER if groups.get("trailer") else because
            yield Reference(Subject(kind=SubjectKind.PULL_REQUEST, name=name, because=found), match.start())
        else:
            picked = groups.get("picked") is not None
            subject = Subject(
                kind=SubjectKind.COMMIT,
                name=groups["sha"],
                because=FoundIn.CHERRY_PICK if picked else because,
            )
            yield Reference(subject, match.start(), sure=not picked)


@cache
def _patterns(upstream: str) -> tuple[re.Pattern[str], ...]:
    owner, _, name = upstream.rpartition("/")
    full, short = re.escape(f"{owner}/{name}"), re.escape(name)
    address = rf"(?:https?://)?(?:www\.)?github\.com/{full}"
    trailer = r"(?P<trailer>^[ \t]*Pull[ -]Request(?:[ \t]resolved)?:[ \t]*)?"
    before = r"(?<![\w./-])"
    patterns = (
        rf"{trailer}{before}{address}/pull/{_NUMBER}",
        rf"{before}(?:{full}|{short})(?:[ \t]+(?:PR|pull request))?[ \t]?#{_NUMBER}",
        rf"{before}{address}/(?:pull/[0-9]+/)?commits?/{_SHA}",
        rf"{before}(?:{full}|{short})@{_SHA}",
        rf"(?P<picked>\(cherry[ -]picked from commit[ \t]+){_SHA}",
    )
    return tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII) for pattern in patterns)
