"""The one door of ``evals`` to the ranking under measurement: what it is asked with, its numbers, the order it gives.

Its numbers are the numeric leaves of ``weights.toml`` by dotted name (``patch.same_symbol``, ``model.further``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from evals.recall import Place
from retrieval.coupling.about import couple_about
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.registry import couplings
from retrieval.delta.texts import ChangedText
from retrieval.evidence import question_about
from retrieval.folding import fold
from retrieval.index import Index
from retrieval.models import Delta, EvidenceKind, Relation, UpstreamChange
from retrieval.rank import MOST_ALONE, Scoring, load_scoring, rank
from retrieval.rank import Place as RankedPlace
from retrieval.scopes import PlaceKey
from retrieval.selection import SHOWN, reserve
from retrieval.vocabulary import area_of, vocabulary_of

__all__ = [
    "SHIPPED",
    "Found",
    "Number",
    "Scoring",
    "ask",
    "matters",
    "numbers",
    "order",
    "scoring_from",
    "shipped_scoring",
    "shipped_table",
]

Number = int | float
#: What messages call the table that the product ranks by.
SHIPPED = "weights.toml"
_MODEL = "model"


@dataclass(frozen=True, slots=True)
class Found:
    """What the index answers about one change before any weight: couplings, affinities (0…1) of scopes, what shows the
    closest of the scopes that are not coupled, and the sizes of all these scopes in words.
    """

    couplings: tuple[Coupling, ...] = ()
    shares: Mapping[PlaceKey, float] = field(default_factory=dict)
    alone: Mapping[PlaceKey, Coupling] = field(default_factory=dict)
    sizes: Mapping[PlaceKey, int] = field(default_factory=dict)


def ask(delta: Delta, change: UpstreamChange, texts: Mapping[str, ChangedText], index: Index, upstream: Index) -> Found:
    """What a ledger is ranked from."""
    found = couplings(question_about(delta, change, texts, upstream), index)
    affinity, area = index.affinity(vocabulary_of(delta, change)), area_of(delta, change)
    coupled = {(coupling.path, coupling.scope) for coupling in found}
    shares = {scope: share for scope, share in affinity.shares.items() if scope in coupled}
    # Of scopes without a coupling only the closest take part, whatever the weights, and of those what a line can show.
    alone: dict[PlaceKey, Coupling] = {}
    for scope in sorted(affinity.shares, key=lambda scope: (-affinity.shares[scope], scope))[:MOST_ALONE]:
        shown = None if scope in coupled else couple_about(scope, affinity.shares[scope], affinity.pieces, area, index)
        if shown is not None:
            shares[scope], alone[scope] = affinity.shares[scope], shown
    return Found(found, shares, alone, {scope: index.size_of(*scope) for scope in (*coupled, *alone)})


def order(found: Found, scoring: Scoring, limit: int = SHOWN) -> list[Place]:
    """All places that take part: those that a ledger of ``limit`` items shows, then the others, both best first."""
    places = (_shown(place, found) for place in rank(found.couplings, found.shares, scoring))
    kept = fold(places, lambda path, scope: found.sizes.get((path, scope), 0)).kept
    shown = reserve(kept[:limit], kept)
    there = {place[:2] for place in shown}
    return [Place(place.path, place.scope) for place in (*shown, *(one for one in kept if one[:2] not in there))]


def _shown(place: RankedPlace, found: Found) -> RankedPlace:
    """The place with the coupling that shows it, where it has none of its own."""
    coupling = None if place.couplings else found.alone.get((place.path, place.scope))
    return place if coupling is None else place._replace(couplings=(coupling,))


def shipped_table() -> str:
    """The text of the table that the product ranks by."""
    return (resources.files("retrieval") / SHIPPED).read_text("utf-8")


def shipped_scoring() -> Scoring:
    return load_scoring()


def numbers(text: str) -> dict[str, Number]:
    """The numeric leaves of a TOML table, by dotted name, in file order."""
    return dict(_leaves(tomllib.loads(text), ""))


def scoring_from(values: Mapping[str, Number]) -> Scoring:
    """The scoring of a table with these numbers. ``TypeError`` or ``ValueError`` when they are none of a scoring."""
    pairs: dict[tuple[EvidenceKind, Relation], float] = {}
    model: dict[str, float] = {}
    for name, value in values.items():
        section, _, key = name.partition(".")
        if section == _MODEL:
            model[key] = float(value)
        else:
            pairs[EvidenceKind(section), Relation(key)] = float(value)
    return Scoring(pairs, **model)


def matters(name: str, found: Found) -> bool:
    """Whether the number can change the order: a weight of a kind and relation that do not occur cannot."""
    section, _, key = name.partition(".")
    if section == _MODEL:
        return True
    return any(coupling.kind == section and coupling.relation == key for coupling in found.couplings)


def _leaves(table: Mapping[str, Any], around: str) -> Iterator[tuple[str, Number]]:
    for key, value in table.items():
        name = f"{around}.{key}" if around else key
        if isinstance(value, Mapping):
            yield from _leaves(value, name)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value
