"""Places cited and shown against those that people cite: by hand."""

from __future__ import annotations

from evals.recall import Place
from evals.scores.evidence import precision, recall
from reviewbot.precedents import CitedPlace

EXPECTED = {
    Place("mill_npu/gears.py", "turn"),
    Place("mill_npu/gears.py", "stop"),
    Place("mill_npu/belt.py", "<module>"),
}
FOUND = (
    CitedPlace(path="mill_npu/gears.py", scope="turn"),
    CitedPlace(path="mill_npu/belt.py", scope="Belt.run"),
    CitedPlace(path="mill_npu/oil.py", scope="pour"),
    CitedPlace(path="mill_npu/gears.py", scope="turn"),
    CitedPlace(path="mill_npu/oil.py", scope="wipe"),
)


def test_by_scope_each_place_counts_once() -> None:
    assert recall(EXPECTED, FOUND) == (1, 3)
    assert precision(EXPECTED, FOUND) == (1, 4)


def test_by_file_each_file_counts_once() -> None:
    assert recall(EXPECTED, FOUND, by_file=True) == (2, 2)
    assert precision(EXPECTED, FOUND, by_file=True) == (2, 3)


def test_who_finds_nothing_misses_all_and_is_not_imprecise() -> None:
    assert recall(EXPECTED, ()) == (0, 3)
    assert precision(EXPECTED, ()) == (0, 0)


def test_where_people_cite_nothing_there_is_nothing_to_measure() -> None:
    assert recall((), FOUND) == (0, 0)
    assert precision((), FOUND) == (0, 0)
