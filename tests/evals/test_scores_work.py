"""Ranking by the needs-work score: by hand, with ties, and as scikit-learn has it."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from evals.scores.intervals import Floats
from evals.scores.keys import FALSE_ALARM_RATES
from evals.scores.work import auc, miss_at

scored = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]), st.booleans()), min_size=1, max_size=40)
rates = st.sampled_from([0.0, 0.05, *FALSE_ALARM_RATES, 0.5, 1.0])


def arrays(pairs: list[tuple[float, bool]]) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]], Floats]:
    scores = np.array([score for score, _ in pairs], dtype=np.float64)
    return scores, np.array([needs for _, needs in pairs], dtype=np.bool_), np.ones((1, len(pairs)))


def auc_of(pairs: list[tuple[float, bool]]) -> float:
    return float(auc(*arrays(pairs))[0])


def miss_of(rate: float, pairs: list[tuple[float, bool]]) -> float:
    return float(miss_at(rate, *arrays(pairs))[0])


def test_auc_by_hand() -> None:
    """Working 0.9, 0.5, 0.2 against idle 0.5, 0.1: wins 2 + 1.5 + 1 of 6."""
    assert auc_of([(0.9, True), (0.5, True), (0.2, True), (0.5, False), (0.1, False)]) == pytest.approx(4.5 / 6)


def test_miss_by_hand() -> None:
    """Five idle records, so a rate of 0.2 allows one false alarm: flagged are 0.9, the idle 0.8 and the 0.7."""
    pairs = [(0.9, True), (0.8, False), (0.7, True), (0.6, False), (0.5, True), (0.5, True), (0.4, False)]
    pairs += [(0.3, False), (0.2, False)]
    assert miss_of(0.0, pairs) == pytest.approx(3 / 4)
    assert miss_of(0.2, pairs) == pytest.approx(2 / 4)
    assert miss_of(0.1, pairs) == pytest.approx(3 / 4), "half a false alarm brings no record that needs work"
    assert miss_of(0.4, pairs) == 0, "the second false alarm lets the two at 0.5 in, at no cost"
    assert miss_of(1.0, pairs) == 0


def test_a_tie_is_flagged_in_part() -> None:
    """One level of 2 working and 4 idle records: a rate of 0.25 takes one idle of four and so half a working one."""
    pairs = [(0.5, True), (0.5, True), (0.5, False), (0.5, False), (0.5, False), (0.5, False)]
    assert miss_of(0.25, pairs) == pytest.approx(0.75)
    assert auc_of(pairs) == 0.5


def test_one_kind_of_record_cannot_be_ranked() -> None:
    for pairs in ([], [(0.5, True)], [(0.5, False), (0.1, False)]):
        assert isnan(auc_of(pairs))
        assert isnan(miss_of(0.2, pairs))


@settings(max_examples=80, deadline=None)
@given(scored)
def test_auc_is_scikit_learns(pairs: list[tuple[float, bool]]) -> None:
    scores, needs, _ = arrays(pairs)
    if needs.all() or not needs.any():
        assert isnan(auc_of(pairs))
    else:
        assert auc_of(pairs) == pytest.approx(metrics.roc_auc_score(needs, scores))


@settings(max_examples=80, deadline=None)
@given(scored, rates)
def test_the_miss_rate_lies_on_scikit_learns_roc_curve(pairs: list[tuple[float, bool]], rate: float) -> None:
    scores, needs, _ = arrays(pairs)
    if needs.all() or not needs.any():
        return
    alarms, found, _ = metrics.roc_curve(needs, scores, drop_intermediate=False)
    # Of a vertical piece the upper end; numpy would take either.
    on_it = found[np.isclose(alarms, rate)]
    expected = 1 - (on_it.max() if len(on_it) else np.interp(rate, alarms, found))
    assert miss_of(rate, pairs) == pytest.approx(expected)


@settings(max_examples=80, deadline=None)
@given(scored, st.data())
def test_weights_are_repetitions(pairs: list[tuple[float, bool]], data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)))
    repeated = [pair for pair, count in zip(pairs, times, strict=True) for _ in range(count)]
    scores, needs, _ = arrays(pairs)
    weights = np.array([times, times], dtype=np.float64)
    assert auc(scores, needs, weights).tolist() == pytest.approx([auc_of(repeated)] * 2, nan_ok=True)
    for rate in FALSE_ALARM_RATES:
        found = miss_at(rate, scores, needs, weights).tolist()
        assert found == pytest.approx([miss_of(rate, repeated)] * 2, nan_ok=True)
