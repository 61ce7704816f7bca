"""What an item tells of a place besides its strongest coupling."""

from __future__ import annotations

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.evidence_item import item_of, tokens_of
from retrieval.models import EvidenceKind, FurtherCoupling, Relation
from retrieval.rank import Place

SOURCE = [b"line"] * 9


def part_of(kind: EvidenceKind, relation: Relation, line: int, symbol: str = "torch.a.b") -> Coupling:
    return Coupling(kind, relation, "a.py", "f", (line,), "b", symbol, "b", 1.0)


def further(*couplings: Coupling) -> tuple[FurtherCoupling, ...]:
    return item_of(Place("a.py", "f", 1.0, couplings), SOURCE).further


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (part_of(EvidenceKind.IMPORT, Relation.SAME_MODULE, 3), False),
        (part_of(EvidenceKind.REFERENCE, Relation.SAME_MODULE, 3), False),
        (part_of(EvidenceKind.HOOK, Relation.SAME_MODULE, 4), False),
        (part_of(EvidenceKind.IMPORT, Relation.SAME_SYMBOL, 3), True),
        (part_of(EvidenceKind.IMPORT, Relation.SAME_MODULE, 4), True),
        (part_of(EvidenceKind.IMPORT, Relation.SAME_MODULE, 3, "torch.a.c"), True),
    ],
)
def test_what_a_hook_has_told_already(other: Coupling, told: bool) -> None:
    hook = part_of(EvidenceKind.HOOK, Relation.SAME_MODULE, 3)
    assert bool(further(hook, other)) is told


def test_an_import_beside_anything_but_a_hook_is_told() -> None:
    patch = part_of(EvidenceKind.PATCH, Relation.SAME_SYMBOL, 3)
    assert len(further(patch, part_of(EvidenceKind.IMPORT, Relation.ENCLOSING, 3))) == 1


def test_every_printed_line_and_path_costs() -> None:
    place = Place("a.py", "f", 1.0, (part_of(EvidenceKind.HOOK, Relation.SAME_MODULE, 3),))
    long = part_of(EvidenceKind.HOOK, Relation.SAME_MODULE, 3)._replace(lines=(3, *range(1000, 1030)))
    costs = [
        tokens_of(item_of(one, SOURCE * 200))
        for one in (place, place._replace(also_at=("pkg/other/a.py",)), place._replace(couplings=(long,)))
    ]
    assert costs[1] >= costs[0] + 4
    assert costs[2] >= costs[0] + 30
