"""Every share by hand on a few records, and the promises that comparisons build on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.scores import similarity
from evals.scores.intervals import draw_weights
from evals.scores.keys import DEFINITIONS, KEYS, Kind
from evals.scores.models import Judged
from evals.scores.prepared import Prepared, per_record, statistic
from reviewbot.models import Usage
from reviewbot.precedents import CitedPlace
from tests.support.judged import IDLE, WORK, Given, answer, failed, judged

GEAR, BELT = ("mill_npu/gears.py", "turn"), ("mill_npu/belt.py", "Belt.run")
SHIM: Given = {
    "verdict": "Shim",
    "risk": "high",
    "needs_adaptation": "是",
    "npu_affected": "是",
    "compile_stage": "Dynamo",
}
ASKED: Given = {"needs_adaptation": "待确认"}


def value(key: str, *some: Judged) -> float | None:
    return statistic(key)(some)


def cited(*places: tuple[str, str]) -> tuple[CitedPlace, ...]:
    return tuple(CitedPlace(path=path, scope=scope) for path, scope in places)


# Work: r1 found, r2 missed, r3 found by asking; idle: r4 quiet, r5 false alarm; r6 gave no answer.
SOME = (
    judged("r1", SHIM, answer(0.9, **SHIM), batch="a"),
    judged("r2", WORK, answer(0.2), batch="a"),
    judged("r3", ASKED, answer(0.6, **ASKED), batch="b"),
    judged("r4", IDLE, answer(0.1, npu_affected="是"), batch="b"),
    judged("r5", IDLE, answer(0.6, verdict="Test", risk="high"), batch="c"),
    failed("r6", WORK, batch="c"),
)

BY_HAND = {
    "miss_rate": 1 / 3,
    "false_alarm_rate": 1 / 2,
    # 0.9, 0.2, 0.6 against 0.1, 0.6: wins 2 + 1 + 1.5 of 6.
    "work_auc": 4.5 / 6,
    # Two idle records: 10 % is a fifth of the tie at 0.6, where half of the false alarms and one of three lie.
    "miss_at_fa_10": 1 - (1 + 0.2) / 3,
    "miss_at_fa_20": 1 - (1 + 0.4) / 3,
    "miss_at_fa_35": 1 - (1 + 0.7) / 3,
    "brier": (0.1**2 + 0.8**2 + 0.4**2 + 0.1**2 + 0.6**2) / 5,
    "verdict_accuracy": 4 / 5,
    # Check 2*3/(4+3), Test 0, Shim 1.
    "verdict_macro_f1": (6 / 7 + 0 + 1) / 3,
    # Chance (4*3 + 0*1 + 1*1) / 25.
    "verdict_kappa": (4 / 5 - 13 / 25) / (1 - 13 / 25),
    "risk_accuracy": 3 / 5,
    # People high medium low low low, drafts high low low low high: squared distances (1 + 4) / 5, by chance
    # (low-high 3*2*4 + medium-low 1*3*1 + medium-high 1*2*1 + high-low 1*3*4) / 25.
    "risk_kappa": 1 - (5 / 5) / (41 / 25),
    "needs_adaptation_accuracy": 1,
    "needs_adaptation_f1": 1,
    "npu_affected_accuracy": 4 / 5,
    # 否: said four times, given three times, always rightly.
    "npu_affected_f1": 6 / 7,
    "compile_stage_accuracy": 1,
}


@pytest.mark.parametrize("key", BY_HAND)
def test_labels_and_work_by_hand(key: str) -> None:
    assert value(key, *SOME) == pytest.approx(BY_HAND[key])


def test_the_rare_class_of_adaptation_is_whatever_asks_for_somebody() -> None:
    some = [judged("r1", {"needs_adaptation": "是"}, answer(needs_adaptation="待确认"))]
    assert value("needs_adaptation_f1", *some) == 1
    assert value("needs_adaptation_accuracy", *some) == 0
    assert value("needs_adaptation_f1", judged("r2", IDLE, answer())) is None


TEXT = "本 PR 改动 torch/_mill/gears.py。mill_npu/gears.py:12 引用 spin。"  # change and search
WRITTEN = (
    judged(
        "r1",
        WORK,
        answer(analysis=TEXT, cited=cited(GEAR, BELT), shown=cited(GEAR, BELT), citations=3, resolved=2),
        existing=(GEAR, ("mill_npu/belt.py", "<module>")),
    ),
    # Written, and all of it removed.
    judged("r2", WORK, answer(removed=("一句。",), shown=cited(BELT), citations=1, resolved=1), existing=(GEAR,)),
    # The rules write nothing; people cite nothing in the tree at hand.
    judged("r3", IDLE, answer(shown=cited(GEAR)), existing=(BELT,)),
    judged("r4", IDLE, answer(analysis=TEXT, cited=cited(GEAR), shown=cited(GEAR))),
)
WRITTEN_BY_HAND = {
    "cited_recall": 1 / 3,
    "cited_recall_file": 2 / 3,
    "cited_precision": 1 / 2,
    "cited_precision_file": 1,
    "shown_recall": 1 / 4,
    "shown_recall_file": 2 / 4,
    "shown_precision": 1 / 4,
    "shown_precision_file": 2 / 4,
    "citations_resolved": 3 / 4,
    "part_change": 2 / 3,
    "part_search": 2 / 3,
    "part_chain": 0,
    "part_impact": 0,
    "part_verification": 0,
    "part_risk": 0,
    "paragraph_coverage": 4 / 18,
}


@pytest.mark.parametrize("key", WRITTEN_BY_HAND)
def test_evidence_and_paragraph_by_hand(key: str) -> None:
    assert value(key, *WRITTEN) == pytest.approx(WRITTEN_BY_HAND[key])


def test_what_rules_do_not_write_is_not_scored() -> None:
    for key in ("cited_recall", "part_change", "paragraph_coverage", "citations_resolved"):
        assert value(key, judged("r1", WORK, answer(shown=cited(GEAR)), existing=(GEAR,))) is None


def test_chrf_only_where_the_team_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    same = judged("r1", IDLE, answer(analysis=TEXT), text=TEXT)
    other = judged("r2", IDLE, answer(analysis="Oil."), text=TEXT)
    untold = judged("r3", IDLE, answer(analysis=TEXT))
    assert value("chrf", same, untold) == pytest.approx(100)
    assert (value("chrf", same, other) or 0) < 60
    assert value("chrf", untold) is None
    monkeypatch.setattr(similarity, "_scorer", lambda: None)
    assert value("chrf", same) is None


def test_costs_count_what_failed_calls_cost() -> None:
    def usage(calls: int, prompt: int, cost: float | None) -> Usage:
        return Usage(calls=calls, prompt_tokens=prompt, completion_tokens=10, cost=cost)

    some = (
        judged("r1", IDLE, answer(usage=usage(1, 90, 0.5), seconds=1.0)),
        judged("r2", IDLE, answer(usage=usage(1, 190, None), seconds=3.0)),
        failed("r3", IDLE, usage=usage(2, 390, 0.25)),
        failed("r4", IDLE),
    )
    assert value("tokens_sum", *some) == 100 + 200 + 400
    assert value("tokens_median", *some) == 200
    assert value("tokens_p95", *some) == pytest.approx(380)
    assert value("money_sum", *some) == 0.75
    assert value("money_median", *some) == 0.375
    assert value("seconds_sum", *some) == 4
    assert value("seconds_median", *some) == 2
    assert value("money_sum", some[1]) is None
    assert per_record("money_sum", some) == {"r1": 0.5, "r2": None, "r3": 0.25, "r4": None}


def test_per_record_of_a_rate_is_yes_or_no_or_no_part() -> None:
    assert per_record("miss_rate", SOME) == {"r1": 0, "r2": 1, "r3": 0, "r4": None, "r5": None, "r6": None}
    assert per_record("verdict_accuracy", SOME) == {"r1": 1, "r2": 1, "r3": 1, "r4": 1, "r5": 0, "r6": None}
    for one in DEFINITIONS:
        if one.kind is Kind.RATE:
            assert set(per_record(one.key, [*SOME, *WRITTEN]).values()) <= {0, 1, None}


def test_per_record_of_a_ratio_is_the_records_own_share() -> None:
    assert per_record("cited_recall", WRITTEN) == {"r1": 1 / 2, "r2": 0, "r3": None, "r4": None}


def test_a_whole_figure_has_no_parts() -> None:
    with pytest.raises(KeyError):
        per_record("verdict_kappa", SOME)
    with pytest.raises(KeyError):
        statistic("no_such_score")


def test_batches_are_those_that_take_part() -> None:
    prepared = Prepared(SOME)
    assert prepared.clusters.tolist() == [0, 0, 1, 1, 2, 2]
    assert prepared.batches("miss_rate") == 2
    assert prepared.batches("work_auc") == 3
    assert Prepared([SOME[0], SOME[5]]).batches("work_auc") == 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(range(len(SOME))), max_size=12))
def test_weights_are_records_taken_again(taken: list[int]) -> None:
    """What comparisons rest on: a figure under weights is the figure of the records so often."""
    prepared = Prepared(SOME)
    weights = np.bincount(taken, minlength=len(SOME)).astype(np.float64)[None, :]
    for key in KEYS:
        (found,) = prepared.values(key, weights)
        again = value(key, *(SOME[at] for at in taken))
        assert found == pytest.approx(np.nan if again is None else again, nan_ok=True)


def test_two_runs_are_drawn_alike() -> None:
    """A run compared with itself differs by nothing on every draw, errors or not."""
    one, other = Prepared(SOME), Prepared(SOME)
    weights = draw_weights(one.clusters, 100)
    for key in KEYS:
        change = one.values(key, weights) - other.values(key, weights)
        assert not np.nan_to_num(change).any()
