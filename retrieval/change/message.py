"""What the message of an upstream commit says about its pull request.

The merge bot of pytorch/pytorch ends a message with ``Pull Request resolved: https://github.com/pytorch/pytorch/pull/N``
and its titles with ``(#N)``; ghstack writes ``Pull-Request: …``. A message may quote older ones (relands), so the last
trailer counts. A revert quotes the title of what it reverts and says ``This reverts commit <id>.``
"""

from __future__ import annotations

import re

_TRAILER = re.compile(
    r"^[ \t]*Pull[ -]Request(?: resolved)?: https://github\.com/pytorch/pytorch/pull/([0-9]{1,9})/?[ \t\r]*$",
    re.MULTILINE,
)
_SUFFIX = re.compile(r"\(#([0-9]{1,9})\)$")
_REVERTED_COMMIT = re.compile(r"^[ \t]*This reverts commit ([0-9a-f]{7,64})\b", re.MULTILINE)

#: Extended regular expressions for ``git log --grep``; they find at least what the functions here accept.
REVERT_PATTERNS = (
    "This reverts commit [0-9a-f]{7}",
    '^Revert "',
    "^Reverted https://github.com/pytorch/pytorch/pull/",
)


def trailer_pattern(number: int) -> str:
    """An extended regular expression for ``git log --grep``: the trailer of pull request ``number``."""
    url = rf"https://github\.com/pytorch/pytorch/pull/{number}"
    return rf"^[[:space:]]*Pull[ -]Request( resolved)?: {url}/?[[:space:]]*$"


def trailer_number(body: str) -> int | None:
    """The pull request that the trailers of ``body`` name, the last one counting."""
    numbers = _TRAILER.findall(body)
    return int(numbers[-1]) if numbers else None


def split_number(title: str, body: str) -> tuple[str, int | None]:
    """The title without its own ``(#N)``, and the number; the trailer wins over the title."""
    title = title.rstrip()
    suffix = _SUFFIX.search(title, max(0, len(title) - len("(#123456789)")))
    number = trailer_number(body)
    if suffix is None or number not in (None, int(suffix[1])):
        return title, number
    return title[: suffix.start()].rstrip(), int(suffix[1])


def is_revert(title: str) -> bool:
    return title.startswith('Revert "')


def reverts(title: str, body: str, commit: str, number: int | None) -> bool:
    """Does this message undo ``commit``, or pull request ``number`` by name?"""
    if any(commit.startswith(named) for named in _REVERTED_COMMIT.findall(body)):
        return True
    if number is None:
        return False
    by_title = re.match(rf'Revert "(?!Revert ").*\(#{number}\)"', title, re.DOTALL)
    by_url = re.search(rf"^[ \t]*Reverted https://github\.com/pytorch/pytorch/pull/{number}\b", body, re.MULTILINE)
    return by_title is not None or by_url is not None
