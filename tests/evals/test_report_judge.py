"""A model's grades stand in the report only beside its agreement with people."""

from __future__ import annotations

from dataclasses import replace

from evals.judge import words as judge_words
from evals.judge.calibration import calibrate
from evals.judge.models import Criterion, CriterionSummary, Grade, JudgeSummary
from evals.judge.summary import Shown
from evals.report.document import as_document
from evals.report.markdown import as_markdown
from evals.report.page.html import as_html
from reviewbot.models import Usage
from tests.evals.judge_scene import JUDGE
from tests.evals.report_scene import Scene
from tests.evals.test_judge_calibration import JUDGED, PEOPLE, sides


def shown() -> Shown:
    judgements, people = sides(PEOPLE, JUDGED)
    calibration = calibrate(JUDGE, judgements, people, "0" * 64)
    grades: tuple[Grade, ...] = tuple(JUDGED)
    criteria = tuple(
        CriterionSummary(
            criterion=criterion,
            mean=sum(grades) / len(grades),
            interval=None,
            counts=(grades.count(0), grades.count(1), grades.count(2)),
            agreement=calibration.agreements[at],
        )
        for at, criterion in enumerate(Criterion)
    )
    return Shown(
        JudgeSummary(
            judge=JUDGE,
            paragraphs=13,
            judged=12,
            errors=1,
            own=False,
            criteria=criteria,
            calibration=calibration,
            usage=Usage(calls=12),
        )
    )


def test_grades_come_with_their_agreement() -> None:
    report = replace(Scene().report(), judge=shown())
    for text in (as_html(report, None), as_markdown(report)):
        assert judge_words.SUMMARY in text
        assert str(JUDGE) in text
        assert "0.75" in text, "the share of equal grades"
    assert as_document(report)["judge"]["judged"] == 12


def test_without_a_calibration_the_reason_stands_alone() -> None:
    report = replace(Scene().report(), judge=Shown(None, "没有校准。"))
    for text in (as_html(report, None), as_markdown(report)):
        assert "没有校准。" in text
        assert judge_words.SUMMARY_COLUMNS[1] not in text
    assert as_document(report)["judge"] is None


def test_a_run_that_nobody_judged_says_nothing_of_it() -> None:
    report = Scene().report()
    assert judge_words.SUMMARY not in as_html(report, None)
    assert judge_words.SUMMARY not in as_markdown(report)
