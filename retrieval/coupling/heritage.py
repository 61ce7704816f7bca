"""Downstream descendants of an upstream class, and the downstream classes whose methods stand before its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from retrieval.coupling.lookup import FactLookup, Located
from retrieval.models import EvidenceKind


class Heir(NamedTuple):
    """A class that derives from the base. ``located`` is its subclass fact, ``name`` its own absolute name."""

    name: str
    located: Located


def heirs(base: str, lookup: FactLookup) -> Sequence[Heir]:
    """Classes that derive from ``base``, nearest first; each once, cycles harmless."""
    found: dict[str, Heir] = {}
    wanted = [base]
    while wanted:
        current = wanted.pop(0)
        for located in lookup.named((current.rpartition(".")[2],), EvidenceKind.SUBCLASS):
            if located.owner not in found and lookup.canonical(located) == current:
                found[located.owner] = Heir(located.owner, located)
                wanted.append(located.owner)
    return tuple(found.values())


def providers(heir: Heir, lookup: FactLookup) -> Sequence[str]:
    """``heir`` and every downstream class it derives from: where an override of an inherited method can stand."""
    found = [heir.name]
    for name in found:
        for located in lookup.bases_of(name):
            base = lookup.canonical(located)
            if base not in found and lookup.defines(base):
                found.append(base)
    return tuple(found)
