"""How alike two definitions are, token by token in order, and which lines they share.

The alignment is the longest common subsequence over runs of `_RUN` token keys. A key does not tell names that may be
locals apart (see `retrieval.copies.tokens`), so of the aligned tokens those count whose names agree under one
one-to-one renaming, the most frequent one. The similarity is twice their number over the number of all tokens: 1 for a
copy, also for one with its locals renamed, symmetric, and 0 for pieces too short to tell.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from retrieval.copies.tokens import LOCAL, CodeToken, code_tokens, is_telling, keys_of
from retrieval.models import AlignedBlock, Language

MIN_TOKENS = 12  # a getter is like every other getter
_RUN = 4
_MOST_MATCHES = 200_000  # pairs of equal runs; beyond, tables and generated code are compared by their rarer runs
_HALF = 0.5

Pair = tuple[int, int]


class Alignment(NamedTuple):
    """``matched`` is the number of tokens that agree; ``blocks`` are lines within the two texts, 1-based, in order."""

    similarity: float
    matched: int
    blocks: tuple[AlignedBlock, ...]


class Piece:
    """One definition, tokenised once for many comparisons; its lines are looked at only when it is aligned."""

    def __init__(self, text: str, language: Language) -> None:
        self._text, self._language = text, language
        keys = keys_of(text, language)
        self._size = len(keys)
        self.runs = list(zip(*(keys[at:] for at in range(_RUN)), strict=False))
        self.count = Counter(self.runs)
        self.telling = frozenset(filter(is_telling, keys))

    def __len__(self) -> int:
        return self._size

    @cached_property
    def tokens(self) -> Sequence[CodeToken]:
        return code_tokens(self._text, self._language)


def ceiling(one: Piece, other: Piece) -> float:
    """Roughly the most that `align` can find, and cheap: the runs both have, order aside."""
    if min(len(one), len(other)) < MIN_TOKENS:
        return 0.0
    return 2 * (one.count & other.count).total() / (len(one.runs) + len(other.runs))


def align(upstream: Piece, downstream: Piece) -> Alignment:
    if min(len(upstream), len(downstream)) < MIN_TOKENS:
        return Alignment(0.0, 0, ())
    turned = _order(upstream) > _order(downstream)  # ties are broken alike from both sides
    one, other = (downstream, upstream) if turned else (upstream, downstream)
    matched = _consistent(_token_pairs(_longest(one.runs, other.runs)), one.tokens, other.tokens)
    if turned:
        matched = [(j, i) for i, j in matched]
    blocks = _blocks(matched, upstream.tokens, downstream.tokens)
    return Alignment(2 * len(matched) / (len(one) + len(other)), len(matched), blocks)


def _order(piece: Piece) -> tuple[int, list[str]]:
    return len(piece), [token.text for token in piece.tokens]


def _longest(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> list[Pair]:
    """A longest common subsequence as index pairs, ascending (Hunt and Szymanski: fast when equal pairs are few)."""
    start, end = _same_ends(one, other)
    places: dict[tuple[str, ...], list[int]] = {}
    for j in range(len(other) - end - 1, start - 1, -1):
        places.setdefault(other[j], []).append(j)
    _drop_common(places, Counter(one[start : len(one) - end]))
    tails: list[int] = []
    chains: list[tuple[Pair, object]] = []
    for i in range(start, len(one) - end):
        for j in places.get(one[i], ()):
            at = bisect_left(tails, j)
            chain = ((i, j), chains[at - 1] if at else None)
            if at == len(tails):
                tails.append(j)
                chains.append(chain)
            elif j < tails[at]:
                tails[at], chains[at] = j, chain
    middle: list[Pair] = []
    link: object = chains[-1] if chains else None
    while isinstance(link, tuple):
        middle.append(link[0])
        link = link[1]
    head = [(at, at) for at in range(start)]
    tail = [(len(one) - end + at, len(other) - end + at) for at in range(end)]
    return [*head, *reversed(middle), *tail]


def _same_ends(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> Pair:
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start, end


def _drop_common(places: dict[tuple[str, ...], list[int]], count: Mapping[tuple[str, ...], int]) -> None:
    costs = sorted(((len(found) * count.get(run, 0), run) for run, found in places.items()), reverse=True)
    total = sum(cost for cost, _ in costs)
    for cost, run in costs:
        if total <= _MOST_MATCHES:
            return
        total -= cost
        del places[run]


def _token_pairs(runs: Iterable[Pair]) -> list[Pair]:
    """Tokens of matched runs, each in one pair; pairs ascend on both sides."""
    pairs: list[Pair] = []
    last_i = last_j = -1
    for i, j in runs:
        for step in range(max(last_i - i, last_j - j, -1) + 1, _RUN):
            last_i, last_j = i + step, j + step
            pairs.append((last_i, last_j))
    return pairs


def _consistent(pairs: Sequence[Pair], one: Sequence[CodeToken], other: Sequence[CodeToken]) -> list[Pair]:
    """Pairs of equal tokens, and of names that one renaming turns into each other."""
    votes = Counter((one[i].text, other[j].text) for i, j in pairs if one[i].key == LOCAL)
    renamed: dict[str, str] = {}
    taken: set[str] = set()
    for (old, new), _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0][0] != vote[0][1], vote[0])):
        if old not in renamed and new not in taken:
            renamed[old] = new
            taken.add(new)
    return [(i, j) for i, j in pairs if one[i].key != LOCAL or renamed.get(one[i].text) == other[j].text]


def _blocks(
    pairs: Sequence[Pair], upstream: Sequence[CodeToken], downstream: Sequence[CodeToken]
) -> tuple[AlignedBlock, ...]:
    """Lines most of whose tokens are paired with one another, joined where nothing but blank lines lies between."""
    sizes = Counter(token.line for token in upstream), Counter(token.line for token in downstream)
    shared = Counter((upstream[i].line, downstream[j].line) for i, j in pairs)
    lines = sorted(pair for pair, n in shared.items() if n > _HALF * max(sizes[0][pair[0]], sizes[1][pair[1]]))
    blocks: list[AlignedBlock] = []
    follows = (_next_line(sizes[0]), _next_line(sizes[1]))
    for first, second in lines:
        last = blocks[-1] if blocks else None
        if last and (follows[0].get(last.upstream[1]), follows[1].get(last.downstream[1])) == (first, second):
            blocks[-1] = AlignedBlock(upstream=(last.upstream[0], first), downstream=(last.downstream[0], second))
        else:
            blocks.append(AlignedBlock(upstream=(first, first), downstream=(second, second)))
    return tuple(blocks)


def _next_line(sizes: Iterable[int]) -> dict[int, int]:
    """Line with tokens → the next one with tokens."""
    return dict(pairwise(sorted(sizes)))
