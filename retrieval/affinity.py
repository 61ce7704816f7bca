"""How much each downstream scope is about what a change is about: BM25 over the pieces of their names.

BM25 (Robertson and Zaragoza, 2009) weighs a shared piece by how few scopes have it, lets repetition count less and less
and discounts long scopes. A document is the code of one scope, the query the vocabulary of a change. Affinities are
relative: the closest scope of a tree has 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from retrieval.fact_rows import COUNT_BITS

_SATURATION, _LENGTH = 1.2, 0.75  # k1 and b, at the values of the literature
_COMMON = 0.1  # a piece that more than this share of all scopes have tells them apart no longer
_MOST_PIECES = 20
_TIMES = (1 << COUNT_BITS) - 1


class Affinities(NamedTuple):
    """``shares`` are 0…1, of every scope that shares a telling piece with the vocabulary; ``pieces`` the weights of
    those pieces.
    """

    shares: Mapping[int, float]
    pieces: Mapping[str, float]


class Corpus(Protocol):
    """The scopes of one tree, by number; ``sizes`` are their pieces, repetitions counted."""

    @property
    def sizes(self) -> Mapping[int, int]: ...

    @property
    def others(self) -> int:
        """How many scopes of other trees `occurrences` may tell of."""
        ...

    def occurrences(self, piece: str) -> Sequence[int]:
        """`retrieval.fact_rows.occurrence` of each scope that has ``piece``; other trees' scopes may be among them."""
        ...


def affinities(vocabulary: Mapping[str, float], corpus: Corpus) -> Affinities:
    sizes = corpus.sizes
    telling = _telling(vocabulary, corpus)
    usual = sum(sizes.values()) / len(sizes) if sizes else 1.0
    found: dict[int, float] = {}
    for _, weight, packed in telling:
        for one in packed:
            scope, times = one >> COUNT_BITS, one & _TIMES
            if scope in sizes:
                damped = _SATURATION * (1 - _LENGTH + _LENGTH * sizes[scope] / usual)
                found[scope] = found.get(scope, 0.0) + weight * times * (_SATURATION + 1) / (times + damped)
    most = max(found.values(), default=1.0)
    shares = {scope: score / most for scope, score in found.items()}
    return Affinities(shares, {piece: weight for piece, weight, _ in telling})


def _telling(vocabulary: Mapping[str, float], corpus: Corpus) -> Sequence[tuple[str, float, Sequence[int]]]:
    """(piece, weight times rarity, occurrences) of the pieces that say most."""
    total = len(corpus.sizes)
    most = max(_COMMON * total, 1)
    found = []
    for piece, weight in vocabulary.items():
        packed = corpus.occurrences(piece)
        # Too common wherever the scopes of other trees are: the longest lists need not be looked through.
        held = _held(packed, corpus) if len(packed) - corpus.others <= most else math.inf
        if 0 < held <= most:
            found.append((piece, weight * math.log(1 + (total - held + 0.5) / (held + 0.5)), packed))
    found.sort(key=lambda item: (-item[1], item[0]))
    return found[:_MOST_PIECES]


def _held(packed: Sequence[int], corpus: Corpus) -> int:
    """How many of the occurrences are in scopes of the tree."""
    return sum(one >> COUNT_BITS in corpus.sizes for one in packed) if corpus.others else len(packed)
