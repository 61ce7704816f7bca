"""Intervals: closed forms against scipy, and how often they hold the truth when batches have habits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from evals.scores import agreement, work
from evals.scores.intervals import (
    FEWEST_BATCHES,
    Floats,
    Ints,
    bootstrap_interval,
    clustered_wilson,
    draw_weights,
    student_quantile,
    wilson,
)
from evals.scores.models import Method

#: Sizes of batches as they come: a few large ones, many small ones.
USUAL = (9, 8, 4, 4, 3, 3, 3, 3, 3, *[2] * 9, *[1] * 5)
SMALL = (4, 3, 2, 2, 2, *[1] * 9)
FEW = (10, 8, 4, 4, 2, 2)


def batches_of(sizes: tuple[int, ...]) -> Ints:
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (5, 5), (1, 1), (7, 22), (41, 62), (999, 1000)])
def test_wilson_is_scipys(hits: int, n: int) -> None:
    expected = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    found = wilson(hits, n)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.method is Method.WILSON


def test_wilson_by_hand() -> None:
    """1 of 2, z = 2: centre (0.5 + 4/4) / (1 + 4/2) = 0.5, reach 2 sqrt(0.25/2 + 4/16) / 3 = 0.40825."""
    found = wilson(1, 2, quantile=2.0)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.5 - 0.4082483, 0.5 + 0.4082483))


def test_no_share_of_nothing() -> None:
    assert wilson(0, 0) is None
    assert clustered_wilson(np.zeros(3), np.zeros(3), np.arange(3)) is None
    assert clustered_wilson(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)) is None


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_students_quantiles_are_scipys(level: float) -> None:
    degrees = [*range(1, 40), 99, 100]
    found = [student_quantile(freedom, level) for freedom in degrees]
    assert found == pytest.approx([stats.t.ppf((1 + level) / 2, freedom) for freedom in degrees], rel=1e-9)


def test_batches_that_agree_among_themselves_count_for_less() -> None:
    """Four batches of five that each say one thing are worth 4 records (by hand: variance 4/3 * 4 * 2.5² / 20²)."""
    clusters = batches_of((5, 5, 5, 5))
    hits = np.repeat([1.0, 0.0, 1.0, 0.0], 5)
    effect = (4 / 3 * 4 * 2.5**2 / 20**2) * 20 / 0.25
    expected = wilson(10 / effect, 20 / effect, student_quantile(3))
    assert clustered_wilson(hits, np.ones(20), clusters) == expected
    mixed = np.tile([1.0, 0.0, 1.0, 0.0, 0.5], 4)  # every batch the same half: no effect, and never a bonus for it
    assert clustered_wilson(mixed, np.ones(20), clusters) == wilson(10, 20, student_quantile(3))


def test_units_of_a_record_are_no_records_when_all_agree() -> None:
    totals = np.array([6.0, 6.0, 0.0, 6.0])
    found = clustered_wilson(totals, totals, np.arange(4))
    assert found == wilson(3, 3, student_quantile(2))


def test_one_batch_is_taken_for_independent_records() -> None:
    hits = np.array([1.0, 0.0, 0.0, 1.0])
    assert clustered_wilson(hits, np.ones(4), np.zeros(4, dtype=np.int64)) == wilson(2, 4)


def test_batches_are_drawn_whole_and_again_the_same() -> None:
    clusters = np.array([0, 0, 1, 2, 1])
    weights = draw_weights(clusters, 50, seed=3)
    assert weights.shape == (50, 5)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 2] == weights[:, 4]).all()
    assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert (weights == draw_weights(clusters, 50, seed=3)).all()
    assert (weights != draw_weights(clusters, 50, seed=4)).any()
    assert draw_weights(np.zeros(0, dtype=np.int64), 50).shape == (50, 0)


def test_the_bootstrap_interval_is_wider_than_the_percentiles() -> None:
    """Of 10 batches the tail is that of a normal at sqrt(10/9) times Student's quantile: 0.0085, not 0.025."""
    values = np.linspace(0, 1, 10001)
    tail = stats.norm.cdf(-np.sqrt(10 / 9) * stats.t.ppf(0.975, 9))
    found = bootstrap_interval(values, 10)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((tail, 1 - tail), abs=1e-6)
    assert tail < 0.01
    assert found.method is Method.BOOTSTRAP


def test_no_interval_that_would_say_too_much() -> None:
    values = np.linspace(0, 1, 100)
    assert bootstrap_interval(values, FEWEST_BATCHES) is not None
    assert bootstrap_interval(values, FEWEST_BATCHES - 1) is None
    undefined = np.where(np.arange(100) < 51, np.nan, values)
    assert bootstrap_interval(undefined, 20) is None
    assert bootstrap_interval(np.where(np.arange(100) < 50, np.nan, values), 20) is not None
    assert bootstrap_interval(np.full(100, 0.5), 20) is None
    assert bootstrap_interval(np.full(100, np.nan), 20) is None
    assert bootstrap_interval(np.zeros(0), 20) is None


# --- coverage ---------------------------------------------------------------------------------------------------------


def habits(random: np.random.Generator, share: float, alike: float, batches: int) -> Floats:
    """Each batch's own share; ``alike`` is the correlation of two records of a batch."""
    if not alike:
        return np.full(batches, share)
    scale = (1 - alike) / alike
    return random.beta(share * scale, (1 - share) * scale, batches)


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("alike", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("sizes", [USUAL, SMALL, FEW], ids=["usual", "small", "few"])
def test_shares_are_covered(sizes: tuple[int, ...], share: float, alike: float) -> None:
    random, clusters = np.random.default_rng(1), batches_of(sizes)
    ones, held = np.ones(len(clusters)), 0
    for _ in range(400):
        hits = (random.random(len(clusters)) < habits(random, share, alike, len(sizes))[clusters]).astype(np.float64)
        found = clustered_wilson(hits, ones, clusters)
        held += found is not None and found.low <= share <= found.high
    assert held >= 0.91 * 400


def test_a_plain_wilson_interval_would_not_do() -> None:
    """Why batches are allowed for: with habits, the plain interval holds the truth four times in five."""
    random, clusters = np.random.default_rng(1), batches_of(USUAL)
    held = 0
    for _ in range(1000):
        hits = random.random(len(clusters)) < habits(random, 0.5, 0.5, len(USUAL))[clusters]
        found = wilson(int(hits.sum()), len(clusters))
        held += found is not None and found.low <= 0.5 <= found.high
    assert held <= 850


def sample(random: np.random.Generator, sizes: tuple[int, ...], alike: float) -> tuple[Ints, Ints, Ints, Floats]:
    """Batches, truth with habits, an answer that is the truth half of the time, a score that knows a little."""
    clusters = batches_of(sizes)
    truth = (random.random(len(clusters)) < habits(random, 0.35, alike, len(sizes))[clusters]).astype(np.int64)
    guess = (random.random(len(clusters)) < 0.35).astype(np.int64)
    answers = np.where(random.random(len(clusters)) < 0.5, truth, guess)
    return clusters, truth, answers, 0.8 * truth + random.normal(0, 1, len(clusters))


Drawn = Callable[[Ints, Ints, Floats, Floats], Floats]
DRAWN: dict[str, tuple[Drawn, float]] = {
    # True values: half of the answers are the truth, the others chance; two normals lie 0.8 apart.
    "kappa": (lambda truth, answers, _, w: agreement.kappa(agreement.tables(truth, answers, 2, w)), 0.5),
    "auc": (lambda truth, _, scores, w: work.auc(scores, truth == 1, w), float(stats.norm.cdf(0.8 / np.sqrt(2)))),
    "miss": (
        lambda truth, _, scores, w: work.miss_at(0.35, scores, truth == 1, w),
        float(stats.norm.cdf(stats.norm.ppf(0.65) - 0.8)),
    ),
}


@pytest.mark.parametrize("figure", DRAWN)
@pytest.mark.parametrize(
    ("sizes", "alike"), [(USUAL, 0.0), (USUAL, 0.3), (SMALL, 0.2)], ids=["even", "habits", "small"]
)
def test_drawn_figures_are_covered(figure: str, sizes: tuple[int, ...], alike: float) -> None:
    random, held, trials = np.random.default_rng(5), 0, 0
    statistic, true = DRAWN[figure]
    for trial in range(250):
        clusters, truth, answers, scores = sample(random, sizes, alike)
        found = bootstrap_interval(statistic(truth, answers, scores, draw_weights(clusters, 400, trial)), len(sizes))
        if found is not None:
            trials += 1
            held += found.low <= true <= found.high
    assert trials >= 240
    assert held >= 0.91 * trials
