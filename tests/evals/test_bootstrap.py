from __future__ import annotations

from evals.bootstrap import interval
from evals.recall import Ratio


def test_the_interval_holds_the_ratio_and_is_the_same_each_time() -> None:
    rows = [Ratio(hits, 4) for hits in (0, 1, 2, 3, 4, 2, 1, 3)]
    between = interval(rows)
    assert between == interval(rows)
    assert between is not None
    assert between[0] < 0.5 < between[1]


def test_records_are_drawn_whole() -> None:
    """Ten places of one record tell no more than the record: with two records every draw is 0, half or all."""
    assert interval([Ratio(10, 10), Ratio(0, 10)]) == (0.0, 1.0)


def test_records_that_agree_leave_no_doubt() -> None:
    assert interval([Ratio(1, 2)] * 5) == (0.5, 0.5)


def test_nothing_to_find_has_no_interval() -> None:
    assert interval([Ratio(0, 0)]) is None
