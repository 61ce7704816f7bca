"""`hook` 同子系统挂钩点 by affinity: a scope that names nothing near the change, but is made of the same words.

Such a place is located when it is shown: at the name of its code that says most of what it shares with the change.
"""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import UPSTREAM
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.operators import operator_of
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


def couple_akin(
    path: str, scope: str, share: float, pieces: Mapping[str, float], lookup: FactLookup
) -> Coupling | None:
    """The coupling of a place of affinity alone; null when its shared words stand in text only.

    ``pieces`` are the shared words with their weights. The symbol is the operator or upstream name it uses, else its
    own name.
    """
    facts = lookup.inside([path], *_SPEAKING, scope=scope)
    best = max(facts, key=lambda located: _merit(located, pieces), default=None)
    if best is None or not _shared(best.fact.token, pieces):
        return None
    symbol = operator_of(best.target) or (best.target if best.target.startswith(UPSTREAM) else best.fact.token)
    return couple_fact(best, Relation.AKIN, symbol, share, kind=EvidenceKind.HOOK)


def _merit(located: Located, pieces: Mapping[str, float]) -> tuple[float, int, int]:
    """Greatest for the name that shares the weightiest words; the first of equals."""
    kind = _SPEAKING.index(located.fact.kind)
    return _shared(located.fact.token, pieces), -kind, -located.fact.lines[0]


def _shared(word: str, pieces: Mapping[str, float]) -> float:
    return sum(pieces.get(piece, 0.0) for piece in set(pieces_of(word)))
