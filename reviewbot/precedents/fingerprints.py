"""Fingerprints of what a change writes and deletes: the same work is recognised wherever and whichever way it goes in.

A fingerprint knows neither line number nor file nor direction, so a reland at other lines, a revert and a reland of the
revert share theirs with the original. Lines that any change may contain (``return None``, ``import os``, a lone
bracket) say nothing; a run of changed lines that is made of those alone is known by its path and all its lines at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import groupby

from retrieval.models import UpstreamChange

#: 64 bits: two of a million lines meet by chance once in 37 million archives.
_BYTES = 8
#: A line says something when it is this long, blanks left out, and holds this many different words of two letters.
_LEAST_LENGTH = 16
_LEAST_WORDS = 3

_WORD = re.compile(r"[^\W\d]\w+")
#: The statements that stand alike in many files: whoever writes the same import does not do the same work.
_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\b|#\s*include\b|using\b")


def fingerprints(change: UpstreamChange) -> frozenset[str]:
    """Hashes of the changed lines, 16 hexadecimal digits each; empty when no diff shows a line."""
    return frozenset(_hash(text) for text in _texts(change))


def _texts(change: UpstreamChange) -> Iterator[str]:
    for file in change.files:
        for hunk in file.hunks:
            for run in _runs(hunk.lines):
                telling = [line for line in run if _says_something(line)]
                if telling:
                    yield from telling
                else:
                    yield "\n".join((file.path, *sorted(run)))


def _runs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Changed lines that stand together, white space folded and blank ones dropped."""
    for changed, run in groupby(lines, key=lambda line: line[:1] in {"+", "-"}):
        folded = [" ".join(line[1:].split()) for line in run] if changed else []
        if any(folded):
            yield [line for line in folded if line]


def _says_something(line: str) -> bool:
    if len(line.replace(" ", "")) < _LEAST_LENGTH or _IMPORT.match(line):
        return False
    return len(set(_WORD.findall(line))) >= _LEAST_WORDS


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()
