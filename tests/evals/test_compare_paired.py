"""Paired tests: exact p against scipy, intervals that cover, and the same draw for both sides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evals.compare.paired import Difference, Indices, Statistic, discordance, mcnemar, paired_difference, resampled


def mean_of(values: list[float]) -> Statistic:
    numbers = np.array(values)

    def mean(indices: Indices) -> float | None:
        return float(numbers[indices].mean()) if len(indices) else None

    return mean


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_sign_test(only_first: int, only_second: int) -> None:
    total = only_first + only_second
    expected = binomtest(only_first, total).pvalue if total else 1.0
    assert mcnemar(only_first, only_second) == pytest.approx(expected)


def test_records_without_an_answer_take_no_part() -> None:
    found = discordance([True, True, None, False, False], [True, False, True, None, True])
    assert (found.only_first, found.only_second, found.p) == (1, 1, 1.0)


def test_equal_runs_differ_by_nothing_however_they_are_drawn() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0]
    found = paired_difference(mean_of(values), mean_of(values), ["a", "a", "b", "c", "c"])
    assert (found.value, found.low, found.high, found.is_beyond_noise) == (0.0, 0.0, 0.0, False)


def test_a_steady_gain_is_beyond_noise_and_a_lucky_one_is_not() -> None:
    clusters = [f"b{at % 12}" for at in range(48)]
    base = [float(at % 2) for at in range(48)]
    steady = [min(1.0, value + 0.3) for value in base]
    lucky = [1.0, *base[1:]]
    assert paired_difference(mean_of(base), mean_of(steady), clusters).is_beyond_noise
    once = paired_difference(mean_of(base), mean_of(lucky), clusters)
    assert once.value == pytest.approx(1 / 48)
    assert not once.is_beyond_noise


def test_clusters_are_drawn_whole() -> None:
    clusters = ["a", "b", "a", "c"]
    for drawn in resampled(clusters, seed=3, times=50):
        counts = np.bincount(drawn, minlength=4)
        assert counts[0] == counts[2]
        assert counts[0] + counts[1] + counts[3] == 3, "as many clusters as there are"


def test_an_undefined_figure_gives_no_interval() -> None:
    def undefined(indices: Indices) -> float | None:
        return 1.0 if len(set(indices.tolist())) == 3 else None  # only when every record is drawn

    found = paired_difference(undefined, undefined, ["a", "b", "c"])
    assert found == Difference(first=1.0, second=1.0, value=0.0)
    nothing = paired_difference(lambda _: None, mean_of([1.0]), ["a"])
    assert (nothing.value, nothing.is_beyond_noise) == (None, False)


def test_the_interval_covers_the_true_difference() -> None:
    """40 records in 20 batches with a batch effect and a true gain of 0.1: held in nearly nine of ten trials or more."""
    random = np.random.default_rng(11)
    clusters = [f"b{at // 2}" for at in range(40)]
    covered = 0
    for trial in range(100):
        effect = np.repeat(random.normal(0, 0.2, 20), 2)
        before = 0.5 + effect + random.normal(0, 0.1, 40)
        after = before + 0.1 + np.repeat(random.normal(0, 0.1, 20), 2)
        found = paired_difference(
            mean_of(before.tolist()), mean_of(after.tolist()), clusters, seed=trial, resamples=300
        )
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.1 <= found.high
    assert covered >= 88
