"""Baselines by hand: what is answered, with which score, and what happens where nothing is known."""

from __future__ import annotations

import pytest

from evals.records import LabelledRecord
from evals.scores.baselines import answers_to_give, baselines, constant, nearest_earlier, rules_alone, score
from evals.scores.keys import LABEL_KEYS
from evals.scores.majority import WITHOUT_RECORDS, batch_majority, batch_verdict, earlier, majority
from evals.scores.models import Judged, ScoreSheet
from evals.scores.words import baseline_name
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo
from tests.support.judged import IDLE, WORK, Given, answer, failed, judged
from tests.support.labelled import LABELS, labelled

TEST: Given = {"verdict": "Test", "risk": "medium", "npu_affected": "是"}


def pool_of(*rows: tuple[str, str, Given]) -> list[LabelledRecord]:
    return [labelled(name, batch=batch, **labels) for name, batch, labels in rows]


POOL = pool_of(
    ("r1", "a", TEST),
    ("r2", "a", TEST),
    ("r3", "a", IDLE),
    ("r4", "b", IDLE),
    ("r5", "c", IDLE),
    ("r6", "c", TEST),
)


def sheet_of(sheets: tuple[ScoreSheet, ...], name: str) -> ScoreSheet:
    (found,) = (sheet for sheet in sheets if sheet.name == name)
    return found


def test_the_majority_is_taken_label_by_label() -> None:
    mixed = pool_of(("r1", "a", TEST), ("r2", "a", {"verdict": "Test"}), ("r3", "a", {"compile_stage": "Dynamo"}))
    guess = majority(mixed)
    assert (guess.labels.verdict, guess.labels.risk, guess.labels.compile_stage) == (Verdict.TEST, Risk.LOW, None)
    assert guess.score == pytest.approx(1 / 3)


def test_a_tie_goes_to_what_is_more_common_around_then_to_the_first() -> None:
    tied = pool_of(("r1", "a", TEST), ("r2", "a", IDLE))
    assert majority(tied).labels.verdict is Verdict.CHECK
    assert majority(tied, [*tied, *pool_of(("r3", "b", TEST))]).labels.verdict is Verdict.TEST


def test_a_record_does_not_vote_on_itself() -> None:
    said = {record.id: batch_majority(record, POOL) for record in POOL}
    assert said["r3"].labels.verdict is Verdict.TEST
    assert said["r3"].score == 1
    assert said["r5"].labels.verdict is Verdict.TEST
    assert said["r6"].labels.verdict is Verdict.CHECK
    assert not said["r3"].fell_back


def test_alone_in_its_batch_all_others_answer() -> None:
    guess = batch_majority(POOL[3], POOL)
    assert guess.fell_back
    assert guess.labels.verdict is Verdict.TEST
    assert guess.score == pytest.approx(3 / 5)
    nobody = batch_majority(POOL[3], [POOL[3]])
    assert (nobody.labels, nobody.score, nobody.fell_back) == (WITHOUT_RECORDS, 0, True)


def test_the_verdict_alone_is_that_of_the_whole_answer() -> None:
    for pool in (POOL, POOL[:1], [*POOL, *pool_of(("r7", "b", TEST), ("r8", "c", IDLE))]):
        assert [batch_verdict(one, pool) for one in pool] == [batch_majority(one, pool).labels.verdict for one in pool]


def test_earlier_batches_are_those_that_come_before() -> None:
    assert [one.id for one in earlier(POOL[4], POOL)] == ["r1", "r2", "r3", "r4"]
    assert earlier(POOL[0], POOL) == []
    assert earlier(labelled("new", batch="new"), POOL) == POOL


def test_who_has_no_neighbour_gets_the_majority_of_earlier_batches() -> None:
    near = Labels.model_validate(LABELS | {"verdict": "Shim", "needs_adaptation": "是"})
    nearest: dict[str, Labels | None] = {"r4": near, "r5": None}
    found = nearest_earlier(POOL[3], POOL, nearest)
    assert (found.labels, found.score, found.fell_back) == (near, 1, False)
    told = nearest_earlier(POOL[4], POOL, nearest)
    assert (told.labels.verdict, told.score, told.fell_back) == (Verdict.CHECK, 0.5, True)
    first = nearest_earlier(POOL[0], POOL, nearest)
    assert (first.labels, first.fell_back) == (WITHOUT_RECORDS, True)


def test_constants_are_what_the_rubric_can_say_and_what_people_said() -> None:
    without = answers_to_give([])
    assert (Verdict.CHECK, Risk.LOW) in without
    assert (Verdict.TEST, Risk.MEDIUM) in without
    assert (Verdict.SHIM, Risk.LOW) not in without
    odd = pool_of(("r1", "a", {"verdict": "Shim", "needs_adaptation": "是"}))
    assert set(answers_to_give(odd)) == {*without, (Verdict.SHIM, Risk.LOW)}


def test_a_constant_takes_its_other_labels_from_the_records_that_have_it() -> None:
    guess = constant(Verdict.TEST, Risk.MEDIUM, POOL)
    assert guess.labels.npu_affected is YesNo.YES
    assert guess.score == 0.5
    shim = constant(Verdict.SHIM, Risk.HIGH, POOL).labels
    assert (shim.needs_adaptation, shim.npu_affected) == (NeedsAdaptation.YES, YesNo.YES)
    assert constant(Verdict.CHECK, Risk.MEDIUM, POOL).labels.npu_affected is YesNo.NO


def test_the_rules_score_is_the_one_that_was_kept() -> None:
    kept = rules_alone(answer(0.9, prior=TEST, prior_score=0.4))
    assert (kept.labels.verdict, kept.score, kept.fell_back) == (Verdict.TEST, 0.4, False)
    lost = rules_alone(answer(0.9, prior=TEST))
    assert (lost.score, lost.fell_back) == (1, True)


def answered() -> list[Judged]:
    return [
        judged("r1", TEST, answer(0.9, prior=TEST, prior_score=0.8, **TEST), batch="a"),
        judged("r2", TEST, answer(0.2, prior={}, prior_score=0.3), batch="a"),
        judged("r3", IDLE, answer(0.1, prior={}, prior_score=0.1), batch="a"),
        judged("r4", IDLE, answer(0.3, prior=WORK, prior_score=0.6), batch="b"),
        failed("r5", IDLE, batch="c"),
    ]


def test_baselines_are_scored_over_the_answered_records_by_the_same_figures() -> None:
    sheets = baselines(answered(), POOL, {"r4": None})
    names = [sheet.name for sheet in sheets]
    assert names[-3:] == ["batch-majority", "nearest-earlier", "rules"]
    assert {"constant:Check/low", "constant:Test/low", "constant:Test/medium"} <= set(names)
    for sheet in sheets:
        assert (sheet.records, sheet.answered) == (4, 4)
        assert [one.key for one in sheet.scores] == list(LABEL_KEYS)
        assert baseline_name(sheet.name)
    always = sheet_of(sheets, "constant:Check/low")
    assert (always.score("miss_rate").value, always.score("false_alarm_rate").value) == (1, 0)
    assert (always.score("work_auc").value, always.score("verdict_kappa").value) == (0.5, 0)
    assert always.score("brier").value == 0.25
    rules = sheet_of(sheets, "rules")
    assert (rules.score("miss_rate").value, rules.score("false_alarm_rate").value) == (0.5, 0.5)
    assert rules.score("work_auc").value == pytest.approx(3 / 4)
    assert sheet_of(sheets, "batch-majority").fallbacks == 1
    assert sheet_of(sheets, "batch-majority").score("verdict_accuracy").hits == 0
    assert sheet_of(sheets, "nearest-earlier").fallbacks == 4


def test_without_neighbours_that_baseline_is_left_out() -> None:
    assert "nearest-earlier" not in {sheet.name for sheet in baselines(answered(), POOL)}


def test_a_scoring_is_the_run_beside_its_baselines() -> None:
    scoring = score("run", answered())
    assert (scoring.sheet.name, scoring.sheet.records, scoring.sheet.answered) == ("run", 5, 4)
    assert {sheet.answered for sheet in scoring.baselines} == {4}


def test_a_run_without_an_answer_has_baselines_without_a_figure() -> None:
    scoring = score("run", [failed("r1", WORK)])
    assert {one.value for sheet in scoring.baselines for one in sheet.scores} == {None}
