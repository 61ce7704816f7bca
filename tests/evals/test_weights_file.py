from __future__ import annotations

import tomllib

import pytest

from evals.errors import WeightsError
from evals.ranking import numbers, shipped_table
from evals.tune.weights_file import by_hand, is_fitted, rewritten

TABLE = """\
# How much a coupling says.
floor = 0.4

[patch]
same_symbol = 1.0
member = 0.8     # less close

[limits.further]
most = 5
"""
VALUES = {"floor": 0.4, "patch.same_symbol": 1.0, "patch.member": 0.8, "limits.further.most": 5}


def test_all_numbers_are_found_by_dotted_name() -> None:
    assert by_hand(TABLE, "table") == VALUES
    assert numbers(TABLE) == VALUES


def test_nothing_moved_changes_nothing() -> None:
    assert rewritten(TABLE, VALUES) == TABLE
    shipped = shipped_table()
    assert rewritten(shipped, numbers(shipped)) == shipped


def test_a_fitted_number_keeps_its_hand_set_value_and_comment() -> None:
    fitted = rewritten(TABLE, {**VALUES, "patch.member": 0.64, "limits.further.most": 4})
    assert "member = 0.64     # by hand: 0.8; less close\n" in fitted
    assert "most = 4  # by hand: 5\n" in fitted
    assert numbers(fitted) == {**VALUES, "patch.member": 0.64, "limits.further.most": 4}
    assert fitted.startswith("# How much a coupling says.\nfloor = 0.4\n\n[patch]\nsame_symbol = 1.0\n")


def test_a_fit_starts_from_the_hand_set_values_however_often_it_is_repeated() -> None:
    once = rewritten(TABLE, {**VALUES, "patch.member": 0.64})
    twice = rewritten(once, {**VALUES, "patch.member": 0.512})
    assert by_hand(once, "table") == by_hand(twice, "table") == VALUES
    assert "member = 0.512     # by hand: 0.8; less close\n" in twice
    assert rewritten(twice, VALUES) == TABLE


def test_a_fitted_table_is_told_from_a_hand_set_one() -> None:
    assert not is_fitted(TABLE, "table")
    assert is_fitted(rewritten(TABLE, {**VALUES, "floor": 0.3}), "table")


def test_small_numbers_are_written_out() -> None:
    fitted = rewritten(TABLE, {**VALUES, "floor": 0.00001})
    assert tomllib.loads(fitted)["floor"] == 0.00001
    assert by_hand(fitted, "table") == VALUES


@pytest.mark.parametrize("table", ["patch = {member = 0.8}\n", "[patch]\nmember = 8e-1\n", "[patch]\n", "patch = [\n"])
def test_a_table_that_cannot_be_rewritten_is_refused(table: str) -> None:
    with pytest.raises(WeightsError, match="table"):
        by_hand(table, "table")
