"""Downstream descendants of an upstream class, and the downstream classes whose methods stand before its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from retrieval.coupling.cpp.asking import same_name
from retrieval.coupling.facts import last_part
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.models import EvidenceKind


class Heir(NamedTuple):
    """A class that derives from the base. ``located`` is its subclass fact, ``name`` its own absolute name."""

    name: str
    located: Located


def heirs(base: str, lookup: FactLookup, through: Sequence[str] = (), *, stop: Collection[str] = ()) -> Sequence[Heir]:
    """Classes that derive from ``base``, nearest first; each once, cycles harmless.

    ``through`` are classes of another tree that derive from it. What is in ``stop`` is left out with all behind it.
    """
    found: dict[str, Heir] = {}
    wanted = [base, *through]
    while wanted:
        current = wanted.pop(0)
        for located in lookup.named((last_part(current),), EvidenceKind.SUBCLASS):
            if located.owner in found or located.owner in stop:
                continue
            if same_name(lookup.canonical(located), current, least=1):
                found[located.owner] = Heir(located.owner, located)
                wanted.append(located.owner)
    return tuple(found.values())


def providers(heir: Heir, family: Collection[str], lookup: FactLookup) -> Sequence[str]:
    """``heir`` and the downstream classes whose methods stand before those of the changed class.

    ``family`` holds the changed class and all its heirs. Bases are taken in the order Python looks them up, up to and
    with the first that is of the family: a mixin behind it comes too late to override anything. (Exact but for mixins
    that share a base with one another.)
    """
    found = [heir.name]
    for located in lookup.bases_of(heir.name):
        base = lookup.canonical(located)
        if base not in family:
            found += [name for name in _ancestry(base, lookup) if name not in found]
            continue
        break
    return tuple(found)


def _ancestry(name: str, lookup: FactLookup) -> Sequence[str]:
    """A downstream class and its downstream bases; nothing for a class of another tree."""
    found = [name] if lookup.defines(name) else []
    for known in found:
        bases = (lookup.canonical(located) for located in lookup.bases_of(known))
        found += [base for base in dict.fromkeys(bases) if base not in found and lookup.defines(base)]
    return found
