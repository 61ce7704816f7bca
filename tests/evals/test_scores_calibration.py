"""Brier score and reliability bins: by hand, at the edges, and as scikit-learn has it."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from evals.scores.calibration import BINS, brier, reliability

scored = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50)


def test_brier_by_hand() -> None:
    assert brier(0.75, True) == 0.0625
    assert brier(0.75, False) == 0.5625


@settings(max_examples=60, deadline=None)
@given(scored)
def test_brier_is_scikit_learns(pairs: list[tuple[float, bool]]) -> None:
    scores, needs = zip(*pairs, strict=True)
    found = fmean(brier(*pair) for pair in pairs)
    assert found == pytest.approx(brier_score_loss(needs, scores, pos_label=True))


def test_bins_by_hand() -> None:
    table = reliability([(0.05, False), (0.15, True), (0.9, True), (1.0, True), (0.2, False)])
    assert [(one.low, one.high) for one in table] == [(0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)]
    assert [one.n for one in table] == [2, 1, 0, 0, 2]
    assert table[0].mean == pytest.approx(0.1)
    assert [one.share for one in table] == [0.5, 0, None, None, 1]
    assert table[2].mean is None


@pytest.mark.parametrize(("score", "bin_"), [(0.0, 0), (0.199, 0), (0.2, 1), (0.6, 3), (0.799, 3), (0.8, 4), (1.0, 4)])
def test_an_edge_belongs_to_the_bin_above_it(score: float, bin_: int) -> None:
    assert [one.n for one in reliability([(score, True)])].index(1) == bin_


@settings(max_examples=60, deadline=None)
@given(scored)
def test_bins_are_scikit_learns_where_they_hold_something(pairs: list[tuple[float, bool]]) -> None:
    """scikit-learn gives an edge to the bin below it, so scores on an edge are left to the test above."""
    inside = [(score, needs) for score, needs in pairs if score not in {at / BINS for at in range(BINS + 1)}]
    if not inside:
        return
    shares, means = calibration_curve([needs for _, needs in inside], [score for score, _ in inside], n_bins=BINS)
    held = [one for one in reliability(inside) if one.n]
    assert [one.share for one in held] == pytest.approx(shares.tolist())
    assert [one.mean for one in held] == pytest.approx(means.tolist())


def test_no_records_are_five_empty_bins() -> None:
    assert [one.n for one in reliability([])] == [0] * BINS
