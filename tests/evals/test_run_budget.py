"""Money of a run: no cap is passed as long as no record costs more than was foreseen."""

from __future__ import annotations

import pytest

from evals.run.budget import Budget


def test_without_a_cap_everything_may_begin() -> None:
    assert Budget(spent=1e9).admits(1000)


def test_what_is_in_flight_counts_as_the_dearest() -> None:
    budget = Budget(limit=10.0, guess=1.0).after(3.0).after(1.0)
    assert (budget.spent, budget.each, budget.dearest) == (4.0, 2.0, 3.0)
    assert budget.admits(1)
    assert not budget.admits(2)


def test_the_guess_is_kept_in_reserve_while_it_is_more() -> None:
    budget = Budget(limit=10.0, guess=4.0).after(3.0)
    assert budget.admits(0)
    assert not budget.admits(1)


def test_the_cap_itself_may_be_reached() -> None:
    assert Budget(limit=3.0, guess=1.0, spent=2.0, dearest=1.0).admits(0)
    assert not Budget(limit=2.9, guess=1.0, spent=2.0, dearest=1.0).admits(0)


def test_before_anything_was_paid_one_goes_ahead_alone() -> None:
    budget = Budget(limit=100.0, guess=1.0)
    assert budget.admits(0)
    assert not budget.admits(1)
    assert not budget.after(None).admits(1)


@pytest.mark.parametrize(("costs", "expected"), [([], 20.0), ([None], 18.0), ([3.0, None], 15.0)])
def test_what_is_expected_follows_what_was_paid(costs: list[float | None], expected: float) -> None:
    """Ten records at a guess of 2 each; free ones bring the mean down once something was paid."""
    budget = Budget(guess=2.0)
    for cost in costs:
        budget = budget.after(cost)
    assert budget.expected(10 - len(costs)) == pytest.approx(expected)
