"""Ranking: couplings of one downstream scope become one place, places get a score, best first.

A coupling's score is its weight (a table in ``weights.toml``, by kind and relation), times the weight of what
happened upstream, times its rarity: a name that three places feel says more about each of them than one that three
hundred feel. A place's score is that of its strongest coupling plus a little for every further name it is coupled to.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation

_COMMON_FLOOR = 0.4  # what is left of a coupling's weight when every place it could stand in has it
_COMMON_PLACES = 1000  # places at which a name counts as felt everywhere
_FURTHER = 0.1  # share that each further name of a place adds
_MOST_FURTHER = 5

Weights = dict[tuple[EvidenceKind, Relation], float]
Fan = tuple[EvidenceKind, Relation, str]


class Place(NamedTuple):
    """One scope with everything coupled to it, strongest coupling first."""

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


def rank(couplings: Iterable[Coupling], weights: Weights | None = None) -> Sequence[Place]:
    """Places, best first; couplings of one kind to one symbol at one place count once.

    Raises ``KeyError`` for a (kind, relation) that the table of weights does not list.
    """
    table = weights or load_weights()
    couplings = list(couplings)
    fans: dict[Fan, set[tuple[str, str]]] = {}
    for coupling in couplings:
        fans.setdefault(_fan(coupling), set()).add((coupling.path, coupling.scope))
    rarities = {fan: _rarity(len(places)) for fan, places in fans.items()}
    by_place: dict[tuple[str, str], list[tuple[float, Coupling]]] = {}
    for coupling in couplings:
        score = table[coupling.kind, coupling.relation] * coupling.weight * rarities[_fan(coupling)]
        by_place.setdefault((coupling.path, coupling.scope), []).append((score, coupling))
    places = [_place(path, scope, scored) for (path, scope), scored in by_place.items()]
    places.sort(key=lambda place: (-place.score, place.path, place.scope))
    return places


def _fan(coupling: Coupling) -> Fan:
    return coupling.kind, coupling.relation, coupling.word


def _place(path: str, scope: str, scored: list[tuple[float, Coupling]]) -> Place:
    # Among equals the place spelt like the symbol precedes one that uses an alias.
    scored.sort(key=lambda pair: (-pair[0], pair[1].token != pair[1].word, pair[1].lines, pair[1].symbol))
    kept: dict[tuple[EvidenceKind, str], Coupling] = {}
    for _, coupling in scored:
        kept.setdefault((coupling.kind, coupling.symbol), coupling)
    names = {coupling.word for coupling in kept.values()}
    further = min(len(names) - 1, _MOST_FURTHER) * _FURTHER
    return Place(path, scope, scored[0][0] * (1 + further), tuple(kept.values()))


def _rarity(places: int) -> float:
    """1 for a name felt in one place, `_COMMON_FLOOR` for one felt in `_COMMON_PLACES`, logarithmic between."""
    share = math.log(places) / math.log(_COMMON_PLACES)
    return 1 - (1 - _COMMON_FLOOR) * min(share, 1.0)
