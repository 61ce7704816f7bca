"""Ranking: couplings of one downstream scope become one place, places get a score, best first.

A coupling's score is its weight (a table in ``weights.toml``, by kind and relation), times the weight of what
happened upstream, times its rarity: a name that three places feel says more about each of them than one that three
hundred feel. A place's score is that of its strongest coupling plus a little for every further name it is coupled to,
plus its affinity: the share of words that its code has in common with the change (`retrieval.affinity`). The places of
the greatest affinity take part without any coupling.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nsmallest
from importlib import resources
from typing import NamedTuple

from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from retrieval.scopes import PlaceKey

MOST_ALONE = 60  # places without a coupling that take part

_CLOSENESS: Mapping[str, int] = {one: at for enum in (EvidenceKind, Relation) for at, one in enumerate(enum)}

Fan = tuple[EvidenceKind, Relation, str]


@dataclass(frozen=True)
class Scoring:
    """The numbers of ``weights.toml``: ``pairs`` by kind and relation, the others as explained there."""

    pairs: Mapping[tuple[EvidenceKind, Relation], float]
    common_floor: float
    common_places: float
    further: float
    most_further: float
    affinity: float
    affinity_alone: float


class Place(NamedTuple):
    """One scope with everything coupled to it, strongest coupling first; none for a place of affinity alone.

    ``also_at`` are the paths of near-duplicates that it stands for (`retrieval.folding`).
    """

    path: str
    scope: str
    score: float
    couplings: tuple[Coupling, ...]
    also_at: tuple[str, ...] = ()

    @property
    def best(self) -> Coupling:
        return self.couplings[0]


@cache
def load_scoring() -> Scoring:
    return scoring_of(tomllib.loads((resources.files("retrieval") / "weights.toml").read_text("utf-8")))


def scoring_of(table: Mapping[str, Mapping[str, float]]) -> Scoring:
    """The scoring that a parsed table like ``weights.toml`` describes.

    Raises ``KeyError``, ``ValueError`` or ``TypeError`` when it describes none.
    """
    model = {name: float(value) for name, value in table["model"].items()}
    pairs = {
        (EvidenceKind(kind), Relation(relation)): float(weight)
        for kind, relations in table.items()
        if kind != "model"
        for relation, weight in relations.items()
    }
    return Scoring(pairs, **model)


def rank(
    couplings: Iterable[Coupling], shares: Mapping[PlaceKey, float] | None = None, scoring: Scoring | None = None
) -> Sequence[Place]:
    """Places, best first; couplings of one kind to one symbol at one place count once.

    ``shares`` are the affinities (0…1) of scopes. Raises ``KeyError`` for a (kind, relation) that the table of weights
    does not list.
    """
    table, shares = scoring or load_scoring(), shares or {}
    by_place = _scored(list(couplings), table)
    places = [_place(path, scope, scored, table) for (path, scope), scored in by_place.items()]
    places = [place._replace(score=place.score + table.affinity * shares.get(place[:2], 0.0)) for place in places]
    closest = [scope for _, scope in nsmallest(MOST_ALONE, ((-share, scope) for scope, share in shares.items()))]
    places += [Place(*scope, table.affinity_alone * shares[scope], ()) for scope in closest if scope not in by_place]
    places.sort(key=lambda place: (-place.score, place.path, place.scope))
    return places


def _scored(couplings: Sequence[Coupling], table: Scoring) -> dict[PlaceKey, list[tuple[float, Coupling]]]:
    fans: dict[Fan, set[PlaceKey]] = {}
    for coupling in couplings:
        fans.setdefault(_fan(coupling), set()).add((coupling.path, coupling.scope))
    rarities = {fan: _rarity(len(places), table) for fan, places in fans.items()}
    found: dict[PlaceKey, list[tuple[float, Coupling]]] = {}
    for coupling in couplings:
        score = table.pairs[coupling.kind, coupling.relation] * coupling.weight * rarities[_fan(coupling)]
        found.setdefault((coupling.path, coupling.scope), []).append((score, coupling))
    return found


def _fan(coupling: Coupling) -> Fan:
    return coupling.kind, coupling.relation, coupling.word


def _place(path: str, scope: str, scored: list[tuple[float, Coupling]], table: Scoring) -> Place:
    scored.sort(key=_precedence)
    kept: dict[tuple[EvidenceKind, str], Coupling] = {}
    for _, coupling in scored:
        kept.setdefault((coupling.kind, coupling.symbol), coupling)
    names = {coupling.word for coupling in kept.values()}
    further = min(len(names) - 1, table.most_further) * table.further
    return Place(path, scope, scored[0][0] * (1 + further), tuple(kept.values()))


def _precedence(scored: tuple[float, Coupling]) -> tuple[object, ...]:
    """Among equals the place spelt like the symbol precedes one that uses an alias; no order is left to chance."""
    score, one = scored
    spelt = one.token != one.word, one.lines, one.symbol, one.token
    return -score, *spelt, _CLOSENESS[one.kind], _CLOSENESS[one.relation]


def _rarity(places: int, table: Scoring) -> float:
    """1 for a name felt in one place, the floor for one felt in ``common_places``, logarithmic between."""
    share = math.log(places) / math.log(table.common_places)
    return 1 - (1 - table.common_floor) * min(share, 1.0)
