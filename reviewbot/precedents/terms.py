"""The terms that changes are compared by: words of the title, folders and files, identifiers and what they are made of.

A path counts once as a whole and once for each folder above it, so two changes in one folder are near and in one file
nearer. Chinese has no blanks between words: each pair of neighbouring characters is a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise

from retrieval.pieces import pieces_of

_IDENTIFIER = re.compile(r"[A-Za-z_]\w+", re.ASCII)
_CHINESE = re.compile(r"[\u3400-\u9fff]+")


def terms(title: str, paths: Iterable[str], symbols: Iterable[str], prose: str = "") -> list[str]:
    """Terms with repetitions, in a fixed order."""
    return [
        *_of_text(title),
        *(term for path in paths for term in _of_path(path)),
        *(term for symbol in symbols for term in _of_text(symbol)),
        *_of_text(prose),
    ]


def _of_text(text: str) -> Iterator[str]:
    for word in _IDENTIFIER.findall(text):
        pieces = pieces_of(word)
        yield from pieces
        if len(pieces) > 1:
            yield word.lower()
    for run in _CHINESE.findall(text):
        yield from (left + right for left, right in pairwise(run))


def _of_path(path: str) -> Iterator[str]:
    """``a/b/c.py`` → ``a/``, ``a/b/``, ``a/b/c.py``."""
    *folders, _ = path.split("/")
    yield from accumulate(f"{folder}/" for folder in folders)
    yield path
