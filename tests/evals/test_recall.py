from __future__ import annotations

from evals.recall import Place, RankedRecord, Ratio, recall_at

A = Place("npu/a.py", "f")
A_TOP = Place("npu/a.py", "<module>")
B = Place("npu/b.py", "C.g")
C = Place("npu/c.py", "h")


def ranked(record_id: str, expected: set[Place], *found: Place) -> RankedRecord:
    return RankedRecord(record_id, frozenset(expected), found)


def test_micro_counts_places_over_all_records_and_macro_weighs_records_alike() -> None:
    records = [ranked("r1", {A, B, C}, A, A_TOP), ranked("r2", {B}, B)]
    recall = recall_at(5, records)
    assert recall.scope == Ratio(2, 4)
    assert recall.macro == (1 / 3 + 1) / 2
    assert recall.records == 2


def test_only_the_first_k_items_count() -> None:
    record = ranked("r1", {A, B}, C, A, B)
    assert recall_at(1, [record]).scope == Ratio(0, 2)
    assert recall_at(2, [record]).scope == Ratio(1, 2)
    assert recall_at(3, [record]).scope == Ratio(2, 2)
    assert record.missed(2) == [B]


def test_another_scope_of_the_file_is_a_hit_at_file_level_only() -> None:
    recall = recall_at(5, [ranked("r1", {A}, A_TOP)])
    assert recall.scope == Ratio(0, 1)
    assert recall.file == Ratio(1, 1)


def test_files_count_once_however_many_scopes_were_cited() -> None:
    assert recall_at(5, [ranked("r1", {A, A_TOP, B}, B)]).file == Ratio(1, 2)


def test_top_level_scopes_are_left_out_of_the_named_ones() -> None:
    recall = recall_at(5, [ranked("r1", {A, A_TOP}, A_TOP)])
    assert recall.scope == Ratio(1, 2)
    assert recall.named_scope == Ratio(0, 1)


def test_a_record_that_expects_nothing_takes_no_part() -> None:
    recall = recall_at(5, [ranked("r1", set(), A), ranked("r2", {A}, A)])
    assert recall.records == 1
    assert recall.macro == 1


def test_nothing_to_find_is_not_zero() -> None:
    recall = recall_at(5, [])
    assert recall.scope.value is None
    assert recall.macro is None


def test_a_place_the_ledger_names_twice_counts_once() -> None:
    assert recall_at(5, [ranked("r1", {A, B}, A, A)]).scope == Ratio(1, 2)
