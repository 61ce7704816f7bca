"""The sheet: what is counted, what is kept apart, and what an empty one looks like."""

from __future__ import annotations

import pytest

from evals.run.models import ErrorKind
from evals.scores.keys import KEYS, LABEL_KEYS, Kind, definition
from evals.scores.models import BatchRow, Judged, Method, RareCase
from evals.scores.sheet import FEW, score_sheet
from reviewbot.models import AnalysisState
from tests.support.judged import IDLE, WORK, Given, answer, failed, judged
from tests.support.labelled import labelled

TEST: Given = {"verdict": "Test"}


def many(batches: int = 8) -> list[Judged]:
    """Per batch one miss and one right answer each way; scores that mostly know."""
    some = []
    for at in range(batches):
        batch = f"b{at:02}"
        some += [
            judged(f"{batch}-0", WORK, answer(0.7 + at / 100, **WORK), batch=batch),
            judged(f"{batch}-1", WORK, answer(0.3 + at / 50), batch=batch),
            judged(f"{batch}-2", IDLE, answer(0.1 + at / 20), batch=batch),
        ]
    return some


def test_errors_are_no_wrong_answers() -> None:
    some = [
        judged("r1", IDLE, answer()),
        failed("r2", WORK),
        failed("r3", IDLE, kind=ErrorKind.INPUT),
        failed("r4", IDLE),
    ]
    sheet = score_sheet("x", some)
    assert (sheet.records, sheet.answered, sheet.errors) == (4, 1, {"input": 1, "writer": 2})
    accuracy = sheet.score("verdict_accuracy")
    assert (accuracy.value, accuracy.n, accuracy.hits) == (1, 1, 1)
    assert sheet.score("miss_rate").value is None
    assert sheet.score("miss_rate").n == 0
    assert sum(sheet.states.values()) == sheet.answered


def test_states_have_rows_of_their_own_and_are_scored_as_printed() -> None:
    asked: Given = {"needs_adaptation": "待确认"}
    some = [
        judged("r1", IDLE, answer()),
        judged("r2", IDLE, answer(**asked)),
        judged("r3", IDLE, answer(state=AnalysisState.EVIDENCE_INSUFFICIENT, **asked)),
        judged("r4", WORK, answer(state=AnalysisState.SCOPE_TOO_LARGE)),
    ]
    sheet = score_sheet("x", some)
    assert sheet.states == {"done": 1, "unclear": 1, "evidence_insufficient": 1, "scope_too_large": 1}
    assert sheet.score("false_alarm_rate").hits == 2, "giving up says that somebody has to look"
    assert sheet.score("miss_rate").hits == 1


def test_shares_say_their_counts_and_carry_wilson_and_the_rest_is_drawn() -> None:
    sheet = score_sheet("x", many())
    for one in sheet.scores:
        kind = definition(one.key).kind
        assert (one.hits is not None) == (kind in {Kind.RATE, Kind.RATIO}), one.key
        if one.hits is not None and one.n:
            assert one.value == one.hits / one.n
            assert one.interval is not None
            assert one.interval.method is Method.WILSON
        if kind is Kind.COST:
            assert one.interval is None
        if one.value is not None and one.interval is not None:
            assert one.interval.low <= one.value <= one.interval.high, one.key
    assert sheet.score("miss_rate").hits == 8
    assert sheet.score("miss_rate").n == 16
    for key in ("work_auc", "brier"):
        interval = sheet.score(key).interval
        assert interval is not None
        assert interval.method is Method.BOOTSTRAP


def test_the_same_records_give_the_same_sheet() -> None:
    assert score_sheet("x", many()) == score_sheet("x", many())


def test_a_subset_is_scored_alone() -> None:
    some = many()
    half = score_sheet("half", [one for one in some if one.record.batch < "b04"])
    assert half.records == 12
    assert [row.batch for row in half.batches] == ["b00", "b01", "b02", "b03"]
    assert half.score("work_auc").interval is None, "four batches are too few to draw from"


def test_tables_by_hand() -> None:
    some = [
        judged("r1", TEST, answer(**TEST)),
        judged("r2", TEST, answer()),
        judged("r3", IDLE, answer(compile_stage="Dynamo")),
        failed("r4", TEST),
    ]
    sheet = score_sheet("x", some)
    assert sheet.confusions["verdict"].values == ("Check", "Test", "Shim")
    assert sheet.confusions["verdict"].counts == ((1, 0, 0), (1, 1, 0), (0, 0, 0))
    assert sheet.confusions["compile_stage"].values == ("-", "Dynamo", "AOTAutograd", "Inductor")
    assert sheet.confusions["compile_stage"].counts[0] == (2, 1, 0, 0)
    assert [one.n for one in sheet.reliability] == [0, 0, 3, 0, 0]


def test_batches_show_the_habit_beside_the_draft() -> None:
    some = [
        judged("r1", TEST, answer(**TEST), batch="a"),
        judged("r2", TEST, answer(), batch="a"),
        judged("r3", WORK, answer(), batch="b"),
        judged("r4", IDLE, answer(**WORK), batch="b"),
        failed("r5", IDLE, batch="c"),
    ]
    sheet = score_sheet("x", some)
    assert sheet.batches == (
        BatchRow(batch="a", n=2, verdict_hits=1, majority_hits=2, needs_work=0, missed=0, false_alarms=0),
        BatchRow(batch="b", n=2, verdict_hits=2, majority_hits=2, needs_work=1, missed=1, false_alarms=1),
    )


def test_records_that_were_not_judged_vote_too() -> None:
    alone = [judged("r1", TEST, answer(), batch="a")]
    assert score_sheet("x", alone).batches[0].majority_hits == 0
    pool = [alone[0].record, labelled("r2", batch="a", **TEST), labelled("r3", batch="b")]
    assert score_sheet("x", alone, pool=pool).batches[0].majority_hits == 1


def test_classes_of_few_cases_are_listed_one_by_one() -> None:
    common = [judged(f"r{at}", IDLE, answer()) for at in range(FEW)]
    shim: Given = {"verdict": "Shim", "needs_adaptation": "是", "risk": "low"}
    rare = score_sheet("x", [*common, judged("s1", shim, answer(**TEST)), failed("s2", shim)]).rare
    assert rare == (
        RareCase(label="verdict", value="Shim", record="s1", answered="Test"),
        RareCase(label="verdict", value="Shim", record="s2", answered=None),
        RareCase(label="needs_adaptation", value="是", record="s1", answered="否"),
        RareCase(label="needs_adaptation", value="是", record="s2", answered=None),
    )
    assert not [one for one in rare if one.value == "Check"], "ten cases are no longer few"


@pytest.mark.parametrize("some", [[], [failed("r1", WORK), failed("r2", IDLE)]], ids=["no records", "errors only"])
def test_nothing_answered_is_an_empty_sheet(some: list[Judged]) -> None:
    sheet = score_sheet("x", some)
    assert [one.key for one in sheet.scores] == list(KEYS)
    assert {one.value for one in sheet.scores} == {None}
    assert {one.n for one in sheet.scores} == {0}
    assert {one.interval for one in sheet.scores} == {None}
    assert (sheet.answered, sheet.states, sheet.batches) == (0, {}, ())
    assert {sum(map(sum, table.counts)) for table in sheet.confusions.values()} == {0}


def test_one_class_throughout() -> None:
    sheet = score_sheet("x", [judged(f"r{at}", IDLE, answer(0.0), batch=f"b{at}") for at in range(6)])
    assert sheet.score("verdict_accuracy").value == 1
    assert sheet.score("verdict_kappa").value is None
    assert sheet.score("work_auc").value is None
    assert sheet.score("brier").value == 0
    assert sheet.score("brier").interval is None, "no draw moves it"
    assert sheet.score("false_alarm_rate").interval is not None


def test_only_the_keys_asked_for() -> None:
    sheet = score_sheet("x", many(), keys=LABEL_KEYS)
    assert [one.key for one in sheet.scores] == list(LABEL_KEYS)
    with pytest.raises(KeyError):
        sheet.score("chrf")
