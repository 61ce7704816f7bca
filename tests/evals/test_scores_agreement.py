"""Agreement of labels: by hand, and as scikit-learn has it."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from evals.scores.agreement import accuracy, f1, kappa, macro_f1, tables
from evals.scores.intervals import Floats

CLASSES = 3
#: People say A A A B B C, the draft A A B B C C.
BY_HAND = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])

pairs = st.lists(st.tuples(st.integers(0, CLASSES - 1), st.integers(0, CLASSES - 1)), min_size=1, max_size=40)


def table_of(said: list[tuple[int, int]], weights: list[float] | None = None) -> Floats:
    truth, answers = (np.array(side, dtype=np.int64) for side in zip(*said, strict=True))
    (table,) = tables(truth, answers, CLASSES, np.array([weights or [1.0] * len(said)]))
    return np.asarray(table)


def test_by_hand() -> None:
    assert float(accuracy(BY_HAND)) == pytest.approx(4 / 6)
    assert f1(BY_HAND).tolist() == pytest.approx([4 / 5, 2 / 4, 2 / 3])
    assert float(macro_f1(BY_HAND)) == pytest.approx((4 / 5 + 2 / 4 + 2 / 3) / 3)
    # Observed 4/6; expected (3*2 + 2*2 + 1*2) / 36 = 1/3.
    assert float(kappa(BY_HAND)) == pytest.approx((4 / 6 - 1 / 3) / (1 - 1 / 3))
    # Squared distances: observed (1 + 1) / 6; expected (3*2*1 + 3*2*4 + 2*2*1 + 2*2*1 + 1*2*4 + 1*2*1) / 36.
    assert float(kappa(BY_HAND, quadratic=True)) == pytest.approx(1 - (2 / 6) / (48 / 36))


def test_a_class_that_nobody_gives_is_left_out_of_the_mean() -> None:
    table = np.array([[3.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert isnan(f1(table)[2])
    assert float(macro_f1(table)) == pytest.approx((6 / 7 + 4 / 5) / 2)


def test_a_class_that_only_one_side_gives_counts_as_zero() -> None:
    table = np.array([[3.0, 1.0], [0.0, 0.0]])
    assert float(macro_f1(table)) == pytest.approx((6 / 7 + 0) / 2)


@pytest.mark.parametrize("quadratic", [False, True])
def test_a_constant_answer_is_worth_nothing_and_one_class_cannot_be_judged(quadratic: bool) -> None:
    assert float(kappa(np.array([[4.0, 0.0], [3.0, 0.0]]), quadratic)) == 0
    assert isnan(kappa(np.array([[4.0, 0.0], [0.0, 0.0]]), quadratic))
    assert isnan(kappa(np.zeros((2, 2)), quadratic))


def test_nothing_to_measure() -> None:
    nothing = np.zeros((CLASSES, CLASSES))
    assert isnan(accuracy(nothing))
    assert isnan(macro_f1(nothing))


@settings(max_examples=80, deadline=None)
@given(pairs)
def test_as_scikit_learn_has_it(said: list[tuple[int, int]]) -> None:
    truth, answers = zip(*said, strict=True)
    table = table_of(said)
    assert table.tolist() == metrics.confusion_matrix(truth, answers, labels=range(CLASSES)).tolist()
    assert float(accuracy(table)) == pytest.approx(metrics.accuracy_score(truth, answers))
    assert float(macro_f1(table)) == pytest.approx(metrics.f1_score(truth, answers, average="macro"))
    if len({*truth, *answers}) > 1:  # scikit-learn warns where kappa is undefined
        labels = list(range(CLASSES))
        for weights in (None, "quadratic"):
            expected = metrics.cohen_kappa_score(truth, answers, labels=labels, weights=weights)
            assert float(kappa(table, weights is not None)) == pytest.approx(expected)


@settings(max_examples=80, deadline=None)
@given(pairs, st.data())
def test_weights_are_repetitions(said: list[tuple[int, int]], data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(said), max_size=len(said)))
    repeated = [pair for pair, count in zip(said, times, strict=True) for _ in range(count)]
    weighted = table_of(said, [float(count) for count in times])
    assert weighted.tolist() == (table_of(repeated).tolist() if repeated else np.zeros((CLASSES, CLASSES)).tolist())


def test_many_tables_at_once_are_each_alone() -> None:
    stacked = np.stack([BY_HAND, BY_HAND.T, np.zeros((3, 3)), np.eye(3)])
    for measure in (accuracy, macro_f1, kappa, lambda table: kappa(table, quadratic=True)):
        together = measure(stacked)
        assert together.tolist() == pytest.approx([float(measure(one)) for one in stacked], nan_ok=True)
