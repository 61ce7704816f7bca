from __future__ import annotations

from evals.measuring import SHORT
from evals.ranking import shipped_scoring
from evals.recall import Ratio
from evals.retrieval.ablation import AFFINITY, Part, ablations, parts_of
from retrieval.models import EvidenceKind, Relation
from tests.support.coupled import coupling, measured, place

PATCH, REFERENCE, IMPORT, HOOK = (
    EvidenceKind.PATCH,
    EvidenceKind.REFERENCE,
    EvidenceKind.IMPORT,
    EvidenceKind.HOOK,
)


def hits(*records: object) -> dict[Part | None, tuple[int, int]]:
    rows = ablations(records, shipped_scoring())  # type: ignore[arg-type]
    return {row.part: (row.recall.scope.hits, row.recall.file.hits) for row in rows}


def test_a_place_only_one_kind_feels_is_lost_without_it() -> None:
    record = measured(
        coupling("f", PATCH), coupling("g", PATCH), coupling("g", IMPORT), expected={place("f"), place("g")}
    )
    assert hits(record) == {None: (2, 1), PATCH: (1, 1), IMPORT: (2, 1), Relation.SAME_SYMBOL: (0, 0)}


def test_a_relation_is_taken_out_of_every_kind() -> None:
    record = measured(
        coupling("f", HOOK, Relation.ENCLOSING),
        coupling("f", IMPORT, Relation.ENCLOSING),
        coupling("g", IMPORT),
        expected={place("f")},
    )
    found = hits(record)
    assert found[HOOK] == found[IMPORT] == (1, 1)
    assert found[Relation.ENCLOSING] == (0, 1)  # the file is still there by its other scope


def test_what_pushed_a_place_out_lets_it_in_again() -> None:
    crowd = [coupling(f"f{number}", PATCH) for number in range(SHORT)]
    record = measured(*crowd, coupling("z", IMPORT), expected={place("z")})
    found = hits(record)
    assert found[None] == (0, 1)
    assert found[PATCH] == (1, 1)


def test_rows_count_what_was_taken_out_and_skip_records_that_cite_nothing() -> None:
    citing = measured(coupling("f", PATCH), coupling("f", REFERENCE), expected={place("f")})
    silent = measured(coupling("f", HOOK, Relation.SAME_MODULE), expected=set(), ident="r002")
    rows = list(ablations([citing, silent], shipped_scoring()))
    assert {row.part: row.taken for row in rows} == {None: 0, PATCH: 1, REFERENCE: 1, Relation.SAME_SYMBOL: 2}
    assert rows[0].recall.scope == Ratio(1, 1)


def test_affinity_is_a_part_where_scopes_have_any() -> None:
    near = place("near")
    record = measured(coupling("f", PATCH), shares={near: 1.0}, expected={near, place("f")})
    assert hits(record) == {None: (2, 1), PATCH: (1, 1), Relation.SAME_SYMBOL: (1, 1), AFFINITY: (1, 1)}


def test_parts_come_in_the_order_of_their_enumerations() -> None:
    record = measured(coupling("f", HOOK, Relation.SAME_PACKAGE), coupling("f", PATCH, Relation.MEMBER), expected=set())
    assert parts_of([record]) == [PATCH, HOOK, Relation.MEMBER, Relation.SAME_PACKAGE]
