"""Rows of a report: how an answer stands to the people's, what became of their places, and why it is wrong."""

from __future__ import annotations

import pytest

from evals.report import words
from evals.report.explaining import explain, work_grounds
from evals.report.rows import PlaceStanding, RecordRow, Standing, build_row
from reviewbot.models import Labels
from reviewbot.words import WRITER_FAULTS
from tests.evals.report_scene import FALSE_SENTENCE, OBJECTION, PLACES, Scene
from tests.support.judged import answer
from tests.support.labelled import LABELS, labelled


def rows() -> dict[str, RecordRow]:
    return {row.record.id: row for row in Scene().report().rows}


def test_every_standing_is_told_from_the_others() -> None:
    assert {name: row.standing for name, row in rows().items()} == {
        "r001": Standing.MISSED,
        "r002": Standing.FALSE_ALARM,
        "r003": Standing.AGREED,
        "r004": Standing.AGREED,
        "r005": Standing.ERROR,
        "r006": Standing.PENDING,
    }


def test_the_likeliest_to_need_work_comes_first_and_what_has_no_answer_last() -> None:
    assert [row.record.id for row in Scene().report().rows] == ["r004", "r002", "r001", "r003", "r005", "r006"]


def test_the_teams_places_are_cited_shown_unseen_or_not_there() -> None:
    told = {(one.place.path, one.place.scope): one for one in rows()["r001"].places}
    assert {name: str(told[place].standing) for name, place in PLACES.items()} == {name: name for name in PLACES}
    assert [told[PLACES[name]].rank for name in PLACES] == [1, 2, None, None]
    assert [told[PLACES[name]].ledger_id for name in PLACES] == ["E1", "E2", None, None]


def test_without_an_answer_no_place_can_have_been_found() -> None:
    cites = ({"path": "mill_npu/gears.py", "scope": "spin", "lines": [1], "token": None},)
    assert build_row(labelled("r1", evidence=cites), None).places == ()


def test_a_removed_sentence_brings_what_was_said_against_it_and_other_objections_stand_apart() -> None:
    row = rows()["r001"]
    assert [(one.sentence, one.messages) for one in row.removed] == [(FALSE_SENTENCE, (OBJECTION,))]
    assert [one.message for one in row.objections] == ["标签与文字不符"]


def test_only_scored_labels_make_a_record_wrong() -> None:
    record = labelled("r1", needs_cann="是")
    row = build_row(record, Scene().run.outcomes[2])
    assert row.differing == ()
    assert not row.wrong


def test_why_a_record_was_missed() -> None:
    row = rows()["r001"]
    told = explain(row)
    assert told[0] == words.why_missed(["风险 medium"])
    assert words.WHY_PRIOR_RIGHT in told
    assert words.why_label("风险", "medium", "low") in told
    assert words.why_rule("test-used", "用到了被改符号；引用 spin [E1]") in told
    assert words.why_places(4, [(one, 1) for one in PlaceStanding]) in told
    assert told[-1] == words.why_removed(1)


def test_why_of_a_false_alarm_an_error_a_state_and_a_record_not_run() -> None:
    told = {name: explain(row) for name, row in rows().items()}
    assert told["r002"][:2] == (words.why_false_alarm(["风险 medium"]), words.WHY_PRIOR_KEPT)
    assert told["r005"] == (words.why_error("writer", WRITER_FAULTS["timeout"], "等了 60 秒"),)
    assert told["r006"] == (words.WHY_PENDING,)
    assert told["r004"][0] == words.why_state("证据不足，请人工判断", "")
    assert told["r003"] == ()


def test_a_prior_that_was_as_wrong_as_the_draft_is_said_so() -> None:
    missed = answer(0.1, npu_affected="是")
    row = build_row(labelled("r1", risk="high"), Scene().run.outcomes[0].model_copy(update={"answer": missed}))
    assert words.WHY_PRIOR_KEPT in explain(row)
    other = missed.model_copy(update={"prior": Labels.model_validate(LABELS)})
    row = build_row(labelled("r1", risk="high"), Scene().run.outcomes[0].model_copy(update={"answer": other}))
    assert words.WHY_PRIOR_WRONG in explain(row)


def test_labels_that_verification_changed_are_named() -> None:
    changed = answer(0.6, needs_adaptation="待确认").model_copy(
        update={"proposed": Labels.model_validate(LABELS | {"needs_adaptation": "是"})}
    )
    row = build_row(labelled("r1"), Scene().run.outcomes[0].model_copy(update={"answer": changed}))
    assert words.why_verification([words.label_change("需改码", "是", "待确认")]) in explain(row)


@pytest.mark.parametrize(
    ("labels", "grounds"),
    [
        ({}, ()),
        ({"risk": "high"}, ("风险 high",)),
        ({"verdict": "Shim", "needs_adaptation": "是"}, ("结论 Shim", "需改码 是")),
        ({"needs_adaptation": "待确认", "risk": "medium"}, ("需改码 待确认", "风险 medium")),
    ],
)
def test_grounds_are_the_labels_that_ask_for_work(labels: dict[str, str], grounds: tuple[str, ...]) -> None:
    assert work_grounds(Labels.model_validate(LABELS | labels)) == grounds
