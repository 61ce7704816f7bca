"""Ranking: couplings of one downstream scope become one place, places get a score, best first.

A place's score is that of its strongest coupling plus a little for every further symbol it is coupled to, so that a
scope which feels a change in several ways precedes one that feels it once. The weights are a table in
``weights.toml``; rare words count more than common ones.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation

_COMMON_FLOOR = 0.4  # what is left of a coupling's weight when every file holds its word
_FURTHER = 0.1  # share that each further symbol of a place adds
_MOST_FURTHER = 5

Weights = dict[tuple[EvidenceKind, Relation], float]


class Place(NamedTuple):
    """One scope with everything coupled to it: ``best`` first in ``couplings``."""

    path: str
    scope: str
    score: float
    couplings: tuple[Coupling, ...]

    @property
    def best(self) -> Coupling:
        return self.couplings[0]


@cache
def load_weights() -> Weights:
    table = tomllib.loads((resources.files("retrieval") / "weights.toml").read_text("utf-8"))
    return {
        (EvidenceKind(kind), Relation(relation)): float(weight)
        for kind, relations in table.items()
        for relation, weight in relations.items()
    }


def rank(
    couplings: Iterable[Coupling], files: int, files_with: Callable[[str], int], weights: Weights | None = None
) -> Sequence[Place]:
    """Places, best first. ``files`` is the size of the tree, ``files_with`` how many of them hold a word.

    Raises ``KeyError`` for a (kind, relation) that the table of weights does not list.
    """
    table = weights or load_weights()
    rarities: dict[str, float] = {}
    by_place: dict[tuple[str, str], dict[tuple[EvidenceKind, str], tuple[float, Coupling]]] = {}
    for coupling in couplings:
        rarity = rarities.get(coupling.word)
        if rarity is None:
            rarity = rarities[coupling.word] = _rarity(files, files_with(coupling.word.rpartition(".")[2]))
        score = table[coupling.kind, coupling.relation] * coupling.weight * rarity
        place = by_place.setdefault((coupling.path, coupling.scope), {})
        key = (coupling.kind, coupling.symbol)
        if key not in place or (score, coupling.token == coupling.word) > (
            place[key][0],
            place[key][1].token == coupling.word,
        ):
            place[key] = (score, coupling)
    places = [_place(path, scope, list(found.values())) for (path, scope), found in by_place.items()]
    places.sort(key=lambda place: (-place.score, place.path, place.scope))
    return places


def _place(path: str, scope: str, scored: list[tuple[float, Coupling]]) -> Place:
    # Among equals the place spelt like the symbol precedes one that uses an alias.
    scored.sort(key=lambda pair: (-pair[0], pair[1].token != pair[1].word, pair[1].lines, pair[1].symbol))
    best = scored[0][0]
    symbols = dict.fromkeys(coupling.symbol for _, coupling in scored)
    further = min(len(symbols) - 1, _MOST_FURTHER) * _FURTHER
    return Place(path, scope, best * (1 + further), tuple(coupling for _, coupling in scored))


def _rarity(files: int, holders: int) -> float:
    """1 for a word in one file, `_COMMON_FLOOR` for a word in all of them, logarithmic between."""
    if files < 2:
        return 1.0
    share = math.log(max(holders, 1)) / math.log(files)
    return 1 - (1 - _COMMON_FLOOR) * min(share, 1.0)
