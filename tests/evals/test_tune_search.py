from __future__ import annotations

import math

from evals.ranking import Number
from evals.tune.search import Search

START: dict[str, Number] = {"a": 3.0, "b": 3.0, "c": 3.0}
FREE = Search(pull=0.0)


def near(**wanted: float) -> object:
    """Best where every named number has its wanted value."""

    def good(values: dict[str, Number]) -> float:
        return -sum(abs(math.log2(values[name] / target)) for name, target in wanted.items())

    return good


def test_numbers_go_where_they_are_best() -> None:
    found = FREE.climb(START, ["a", "b", "c"], near(a=6.0, b=1.5, c=3.0))  # type: ignore[arg-type]
    assert found == {"a": 6.0, "b": 1.5, "c": 3.0}


def test_only_named_numbers_move_and_the_start_is_left_alone() -> None:
    found = FREE.climb(START, ["a"], near(a=6.0, b=1.5))  # type: ignore[arg-type]
    assert found == {"a": 6.0, "b": 3.0, "c": 3.0}
    assert START == {"a": 3.0, "b": 3.0, "c": 3.0}


def test_nothing_to_gain_moves_nothing() -> None:
    assert FREE.climb(START, ["a", "b", "c"], lambda values: 1.0) == START


def test_a_gain_that_does_not_pay_for_the_way_is_refused() -> None:
    def good(values: dict[str, Number]) -> float:
        return 0.01 if values["a"] >= 6 else 0.0

    assert Search(pull=0.005).climb(START, ["a"], good)["a"] == 6.0
    assert Search(pull=0.02).climb(START, ["a"], good) == START


def test_no_number_goes_farther_than_allowed_or_below_zero() -> None:
    found = FREE.climb({"a": 3.0, "b": 0.0}, ["a", "b"], lambda values: values["a"] + values["b"])
    assert found == {"a": 12.0, "b": 0.0}


def test_a_share_stays_a_share() -> None:
    found = FREE.climb({"a": 0.9, "b": 1.5}, ["a", "b"], lambda values: values["a"] + values["b"])
    assert found == {"a": 1.0, "b": 6.0}


def test_a_whole_number_stays_whole() -> None:
    found = FREE.climb({"most": 5}, ["most"], lambda values: -abs(values["most"] - 8))
    assert found == {"most": 8}
    assert isinstance(found["most"], int)


def test_a_way_back_to_the_start_is_always_tried() -> None:
    """``a`` pays only until ``b`` has moved."""

    def good(values: dict[str, Number]) -> float:
        return values["b"] if values["b"] > 2 else values["a"] / 10

    assert Search(pull=0.01, seed=1).climb({"a": 2.0625, "b": 2.0}, ["a", "b"], good)["a"] == 2.0625


def test_the_same_seed_gives_the_same_answer() -> None:
    def rough(values: dict[str, Number]) -> float:
        return math.sin(37 * values["a"] * values["b"] + values["c"])

    runs = [Search(seed=3).climb(START, ["c", "b", "a"], rough) for _ in range(2)]
    assert runs[0] == runs[1] == Search(seed=3).climb(START, ["a", "b", "c"], rough)


def test_each_number_of_each_round_is_reported() -> None:
    steps: list[int] = []
    FREE.climb(START, ["a", "b", "c"], lambda values: 1.0, lambda: steps.append(1))
    assert len(steps) == 3
