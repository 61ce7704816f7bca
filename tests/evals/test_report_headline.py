"""The sentences on top, the comparison with baselines behind them, and the curve of thresholds."""

from __future__ import annotations

import pytest

from evals.report import words
from evals.report.beating import FALSE_ALARM, MAIN_KEYS, MISS, Contest, compare_with_baselines, sum_of_rates
from evals.report.headline import headline
from evals.report.operating import operating_points
from evals.run.models import Engine
from evals.scores.baselines import BATCH_MAJORITY, CONSTANT, NEAREST_EARLIER, RULES
from evals.scores.keys import LABEL_KEYS
from evals.scores.models import Interval, Method, Score, ScoreSheet, Scoring

NARROW = 0.01


def sheet(name: str, miss: float | None, false_alarm: float | None, reach: float = NARROW) -> ScoreSheet:
    """Both figures over a hundred records, with an interval of ``reach`` to either side."""
    scores = tuple(_score(key, value, reach) for key, value in ((MISS, miss), (FALSE_ALARM, false_alarm)))
    return ScoreSheet(
        name=name,
        records=200,
        answered=200,
        errors={},
        states={"done": 200},
        scores=scores,
        confusions={},
        reliability=(),
        batches=(),
        rare=(),
    )


def _score(key: str, value: float | None, reach: float) -> Score:
    if value is None:
        return Score(key=key, value=None, n=0, hits=0)
    interval = Interval(low=max(0, value - reach), high=min(1, value + reach), method=Method.WILSON)
    return Score(key=key, value=value, n=100, hits=round(100 * value), interval=interval)


NEVER, ALWAYS = sheet(f"{CONSTANT}:Check/low", 1, 0), sheet(f"{CONSTANT}:Test/medium", 0, 1)


def contests(ours: ScoreSheet, *baselines: ScoreSheet) -> list[tuple[Contest, bool]]:
    compared = compare_with_baselines(Scoring(sheet=ours, baselines=baselines))
    return [(one.contest, one.certain) for one in compared]


def said(ours: ScoreSheet, *baselines: ScoreSheet, engine: Engine = Engine.TEMPLATE) -> str:
    return headline(engine, ours, compare_with_baselines(Scoring(sheet=ours, baselines=baselines)))[1]


@pytest.mark.parametrize(
    ("miss", "false_alarm", "contest"),
    [
        (0.2, 0.2, Contest.WON),
        (0.4, 0.2, Contest.WON),
        (0.4, 0.4, Contest.EVEN),
        (0.2, 0.6, Contest.MIXED),
        (0.6, 0.4, Contest.LOST),
        (0.6, 0.6, Contest.LOST),
        (None, 0.6, Contest.OPEN),
    ],
)
def test_a_baseline_is_beaten_on_both_figures_or_not_at_all(
    miss: float | None, false_alarm: float, contest: Contest
) -> None:
    assert contests(sheet("x", miss, false_alarm), sheet(RULES, 0.4, 0.4))[0][0] is contest


@pytest.mark.parametrize(
    ("miss", "false_alarm", "contest"),
    [(0.3, 0.4, Contest.WON), (0.3, 0.7, Contest.EVEN), (0.6, 0.6, Contest.LOST)],
)
def test_a_constant_answer_is_beaten_by_a_smaller_sum(miss: float, false_alarm: float, contest: Contest) -> None:
    assert [one for one, _ in contests(sheet("x", miss, false_alarm), NEVER, ALWAYS)] == [contest] * 2


def test_a_difference_within_the_intervals_is_not_certain() -> None:
    rules = sheet(RULES, 0.4, 0.4)
    assert contests(sheet("x", 0.2, 0.2), rules) == [(Contest.WON, True)]
    assert contests(sheet("x", 0.2, 0.2, reach=0.2), rules) == [(Contest.WON, False)]
    assert contests(sheet("x", 0.2, 0.39), rules) == [(Contest.WON, False)], "one overlapping figure is enough"
    assert contests(sheet("x", 0.4, 0.4, reach=0.15), NEVER) == [(Contest.WON, False)], "0.55 and 0.55 sum to more"


def test_figures_without_intervals_tell_nothing_apart() -> None:
    ours = sheet("x", 0.2, 0.2)
    bare = ours.model_copy(update={"scores": tuple(one.model_copy(update={"interval": None}) for one in ours.scores)})
    assert contests(bare, sheet(RULES, 0.4, 0.4), NEVER) == [(Contest.WON, False)] * 2


def test_the_sum_is_unknown_when_a_part_is() -> None:
    assert sum_of_rates(sheet("x", 0.1, None)) is None
    assert sum_of_rates(sheet("x", 0.1, 0.2)) == 0.3


def test_a_clear_win_is_said_plainly() -> None:
    told = said(sheet("x", 0.2, 0.2), NEVER, ALWAYS, sheet(BATCH_MAJORITY, 0.6, 0.3))
    assert told.startswith("胜过全部基线：漏报率与误报率之和 40%，低于")
    assert "「同批多数」" in told
    assert "分不出" not in told


def test_a_win_within_the_noise_is_not_called_one() -> None:
    told = said(sheet("x", 0.2, 0.2, reach=0.2), NEVER, sheet(BATCH_MAJORITY, 0.3, 0.3, reach=0.2))
    assert told.startswith("点估计胜过全部基线，但样本太小，不能断定：")
    assert "「同批多数」（计入区间后分不出高下）" in told


def test_a_baseline_that_is_not_beaten_is_named() -> None:
    told = said(sheet("x", 0.5, 0.3), NEVER, sheet(RULES, 0.2, 0.2), sheet(NEAREST_EARLIER, 0.4, 0.4))
    assert told.startswith("没有胜过全部基线：")
    assert "没有一项低于「只用规则」" in told
    assert "一项低、一项高于「最相近的早先记录」" in told


def test_the_rules_are_no_baseline_of_themselves() -> None:
    ours, rules = sheet("x", 0.2, 0.2), sheet(RULES, 0.2, 0.2)
    assert said(ours, NEVER, rules, engine=Engine.RULES).startswith("胜过全部基线")
    assert said(ours, NEVER, rules, engine=Engine.MODEL).startswith("没有胜过全部基线")


def test_the_first_sentence_says_who_how_many_and_both_figures_with_intervals() -> None:
    first = headline(Engine.RULES, sheet("x", 0.18, 0.25), ())[0]
    assert first == (
        "规则引擎，200 条记录，全部给出了草稿。"
        "漏报率 18%（18/100，95% 区间 17% – 19%）；误报率 25%（25/100，95% 区间 24% – 26%）。"
    )


def test_a_model_is_named() -> None:
    first = headline(Engine.MODEL, sheet("x", 0.18, 0.25), (), "told-7b")[0]
    assert first.startswith("语言模型 told-7b，200 条记录")


def test_what_cannot_be_measured_is_said_and_not_compared() -> None:
    ours = sheet("x", None, 0.2)
    assert "漏报率无从计算" in headline(Engine.RULES, ours, ())[0]
    assert said(ours, NEVER) == words.NOTHING_TO_COMPARE
    assert said(ours) == words.NO_BASELINES


def test_the_main_figures_are_those_that_baselines_have() -> None:
    assert set(MAIN_KEYS) <= set(LABEL_KEYS)


def test_thresholds_run_from_flagging_nothing_to_flagging_everything() -> None:
    points = operating_points([(0.9, True), (0.6, False), (0.6, True), (0.1, False)])
    assert [(one.threshold, one.miss, one.false_alarm) for one in points] == [
        (float("inf"), 1, 0),
        (0.9, 0.5, 0),
        (0.6, 0, 0.5),
        (0.1, 0, 1),
    ]


@pytest.mark.parametrize("scored", [[], [(0.5, True)], [(0.5, False), (0.1, False)]])
def test_no_curve_without_records_of_both_kinds(scored: list[tuple[float, bool]]) -> None:
    assert operating_points(scored) == ()
