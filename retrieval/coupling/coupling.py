"""One coupling: a downstream place, the upstream symbol it is coupled to, and how close the two are."""

from __future__ import annotations

from typing import NamedTuple

from retrieval.coupling.lookup import Located
from retrieval.models import CouplingDetail, EvidenceKind, Relation

NO_DETAIL = CouplingDetail()


class Coupling(NamedTuple):
    """``word`` is what its rarity is judged by (the name it was found under; for a hook, the area it lies in);
    ``weight`` (0…1) is how much the changed definition matters.
    """

    kind: EvidenceKind
    relation: Relation
    path: str
    scope: str
    lines: tuple[int, ...]
    token: str
    symbol: str
    word: str
    weight: float
    detail: CouplingDetail = NO_DETAIL


def couple_fact(
    located: Located,
    relation: Relation,
    symbol: str,
    weight: float,
    *,
    kind: EvidenceKind | None = None,
    detail: CouplingDetail | None = None,
    word: str | None = None,
) -> Coupling:
    """A coupling at the place of a fact. ``kind``, ``detail`` and ``word`` default to the fact's own."""
    fact = located.fact
    return Coupling(
        kind or fact.kind,
        relation,
        located.path,
        fact.scope,
        fact.lines,
        fact.token,
        symbol,
        word or fact.name,
        weight,
        detail or known_detail(located),
    )


def known_detail(located: Located) -> CouplingDetail:
    """What the fact itself knows; a replacement goes by its absolute name."""
    detail = located.fact.detail or NO_DETAIL
    if located.fact.kind in (EvidenceKind.PATCH, EvidenceKind.REGISTRATION) and located.owner:
        return detail.model_copy(update={"replacement": located.owner})
    return detail
