"""`hook` 同子系统挂钩点 by affinity: a scope that names nothing near the change, but is about the same thing.

Such a place is located when it is shown: at the name of its code that says most of what it shares with the change.
"""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.coupling.coupling import NO_DETAIL, Coupling, couple_fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.models import EvidenceKind, Relation
from retrieval.pieces import pieces_of

# What speaks of a scope, in the order of what it says: its patches first, the names it merely uses last.
_SPEAKING = (
    EvidenceKind.PATCH,
    EvidenceKind.SUBCLASS,
    EvidenceKind.REGISTRATION,
    EvidenceKind.FORK,
    EvidenceKind.IMPORT,
    EvidenceKind.REFERENCE,
)


def couple_about(
    scope: tuple[str, str], share: float, pieces: Mapping[str, float], area: str, lookup: FactLookup
) -> Coupling | None:
    """The coupling of a place of affinity alone to ``area``, what the change is about; null when its shared words stand
    in text only.

    ``scope`` is its path and qualname, ``pieces`` are the shared words with their weights.
    """
    path, qualname = scope
    facts = lookup.inside([path], *_SPEAKING, scope=qualname)
    best = max(facts, key=lambda located: _merit(located, pieces), default=None)
    if best is None or not _shared(best.fact.token, pieces):
        return None
    # What the fact knows (a registrar, a replacement) is about something else.
    return couple_fact(best, Relation.ABOUT, area, share, kind=EvidenceKind.HOOK, detail=NO_DETAIL)


def _merit(located: Located, pieces: Mapping[str, float]) -> tuple[float, int, int]:
    """Greatest for the name that shares the weightiest words; the first of equals."""
    kind = _SPEAKING.index(located.fact.kind)
    return _shared(located.fact.token, pieces), -kind, -located.fact.lines[0]


def _shared(word: str, pieces: Mapping[str, float]) -> float:
    return sum(pieces.get(piece, 0.0) for piece in set(pieces_of(word)))
