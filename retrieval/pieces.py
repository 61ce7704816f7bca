"""The words that names of code are made of: ``_optimization_hint_base`` and ``OptimizationHints`` share two.

A piece is a lower-case run of letters (``TMADescriptor`` → ``tma descriptor``), cut to its stem as far as common
English endings go: ``expand``, ``expands`` and ``expanded`` are one. Single letters, numbers and the names that stand
in every file are no pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_RUN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_ENDINGS = ("ing", "es", "ed", "s")
_LEAST_STEM = 3
# What Python and both projects put everywhere; the rest of what is common loses its weight by being counted.
_EVERYWHERE = frozenset(
    {"and", "as", "class", "def", "for", "from", "if", "import", "in", "is", "not", "npu", "or"}
) | {"return", "self", "torch", "with"}


@lru_cache(maxsize=1 << 18)
def pieces_of(name: str) -> tuple[str, ...]:
    """The pieces of one word, in order."""
    return tuple(_pieces(name))


def _pieces(name: str) -> Iterator[str]:
    for run in _RUN.findall(name):
        piece = run.lower()
        if len(piece) > 1 and piece not in _EVERYWHERE:
            yield _stem(piece)


def _stem(piece: str) -> str:
    for ending in _ENDINGS:
        if piece.endswith(ending) and len(piece) - len(ending) >= _LEAST_STEM and not piece.endswith("ss"):
            return piece[: -len(ending)]
    return piece
