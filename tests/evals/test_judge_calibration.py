"""Agreement of a judge with people: figures against hand and scikit-learn, and what is shown without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from sklearn.metrics import cohen_kappa_score

from evals.judge import command, words
from evals.judge.calibration import FEWEST, agreement, calibrate, chosen_judge
from evals.judge.cases import digest
from evals.judge.errors import JudgeError
from evals.judge.grades import PersonsGrades
from evals.judge.models import Calibration, Criterion, Grade, Judge, JudgedParagraph, JudgeFault, Judgement
from evals.judge.storage import Judgements, load_calibration, standing
from evals.judge.summary import judge_summary
from evals.judge.view import leaning, summary_rows
from evals.scores.intervals import wilson
from reviewbot.cli import runner
from reviewbot.cli.help import ChineseCommand, ChineseGroup
from reviewbot.errors import WriterFault
from tests.evals.judge_scene import JUDGE, Scene, judgement, paragraph

Typed = Callable[..., int]
PEOPLE: list[Grade] = [2, 2, 1, 0, 1, 2, 0, 1, 2, 2, 1, 1]
JUDGED: list[Grade] = [2, 1, 1, 0, 2, 2, 0, 1, 2, 2, 1, 2]


def said(record: str, grade: Grade, analyst: str = "") -> PersonsGrades:
    return PersonsGrades(record=record, analyst=analyst, grades=dict.fromkeys(Criterion, grade))


def sides(people: list[Grade], judged: list[Grade]) -> tuple[dict[str, Judgement], list[PersonsGrades]]:
    ids = [f"r{at:03}" for at in range(len(people))]
    return (
        {one: judgement(grade, grade, grade) for one, grade in zip(ids, judged, strict=True)},
        [said(one, grade) for one, grade in zip(ids, people, strict=True)],
    )


# --- figures ----------------------------------------------------------------------------------------------------------


def test_figures_of_one_person() -> None:
    found = agreement(Criterion.USEFUL, *sides(PEOPLE, JUDGED))
    assert (found.records, found.pairs, found.same) == (12, 12, 9)
    assert found.share == 0.75
    assert found.share_interval == wilson(9, 12)
    assert found.kappa == pytest.approx(cohen_kappa_score(PEOPLE, JUDGED, weights="quadratic"))
    assert found.difference == pytest.approx((sum(JUDGED) - sum(PEOPLE)) / 12)
    assert found.table == ((2, 0, 0), (0, 3, 2), (0, 1, 4))
    assert found.kappa is not None
    assert found.kappa_interval is not None
    assert found.kappa_interval.low < found.kappa < found.kappa_interval.high
    assert (found.people_pairs, found.people_same) == (0, 0)


def test_a_judge_that_says_one_thing_throughout_shows_nothing() -> None:
    found = agreement(Criterion.USEFUL, *sides([2] * 12, [2] * 12))
    assert (found.share, found.kappa, found.kappa_interval, found.difference) == (1.0, None, None, 0.0)
    assert found.share_interval == wilson(12, 12)


@pytest.mark.parametrize(("gap", "word"), [(1, words.KINDER), (-1, words.STRICTER), (0, words.EVEN)])
def test_kinder_and_stricter(gap: int, word: str) -> None:
    people: list[Grade] = [1] * 14
    judged = [1 + gap if at % 7 else 1 for at in range(14)]
    found = agreement(Criterion.USEFUL, *sides(people, judged))  # type: ignore[arg-type]
    assert leaning(found) == word
    assert found.difference == pytest.approx(gap * 12 / 14)


def test_second_opinions_on_the_same_records_are_no_new_records() -> None:
    judgements, people = sides(PEOPLE, JUDGED)
    twice = [*people, *(one.model_copy(update={"analyst": "other"}) for one in people)]
    once, both = agreement(Criterion.USEFUL, judgements, people), agreement(Criterion.USEFUL, judgements, twice)
    assert (both.records, both.pairs, both.same) == (12, 24, 18)
    assert (both.people_pairs, both.people_same) == (12, 12)
    assert (both.share, both.kappa, both.difference) == (once.share, once.kappa, once.difference)
    assert both.share_interval is not None
    assert once.share_interval is not None
    width = once.share_interval.high - once.share_interval.low
    assert both.share_interval.high - both.share_interval.low >= width
    assert both.kappa_interval == once.kappa_interval


def test_people_among_themselves() -> None:
    judgements, people = sides(PEOPLE, JUDGED)
    others = [said(one.record, 1, "other") for one in people]
    found = agreement(Criterion.USEFUL, judgements, [*people, *others])
    assert (found.people_pairs, found.people_same) == (12, PEOPLE.count(1))


def test_too_few_common_records_are_refused() -> None:
    judgements, people = sides(PEOPLE, JUDGED)
    kept = dict(list(judgements.items())[: FEWEST - 1])
    with pytest.raises(JudgeError) as caught:
        calibrate(JUDGE, kept, people, "0")
    assert str(caught.value) == words.too_few(9, FEWEST, 12, 9)
    twice = [*people[:9], *(one.model_copy(update={"analyst": "b"}) for one in people[:9])]
    with pytest.raises(JudgeError):
        calibrate(JUDGE, judgements, twice, "0")
    assert calibrate(JUDGE, judgements, people[:FEWEST], "0").records == FEWEST


# --- which judge, which judgement -------------------------------------------------------------------------------------


def line(record: str, judge: Judge = JUDGE, *, good: bool = True, text: str | None = None) -> JudgedParagraph:
    error = JudgeFault(fault=WriterFault.TIMEOUT, message="waited")
    return JudgedParagraph(
        record=record,
        judge=judge,
        text=digest(paragraph(record) if text is None else text),
        judgement=judgement(1, 1, 1) if good else None,
        error=None if good else error,
    )


def test_the_judge_is_the_only_one_or_named() -> None:
    newer, other = Judge(model=JUDGE.model, prompt="judge-2"), Judge(model="other", prompt="judge-1")
    assert chosen_judge([line("r1"), line("r1", newer)], None, "trial") == newer
    lines = [line("r1"), line("r1", other), line("r2", Judge(model="failed", prompt="p"), good=False)]
    assert chosen_judge(lines, "other", "trial") == other
    with pytest.raises(JudgeError, match=r"arbiter-1、other"):
        chosen_judge(lines, None, "trial")
    with pytest.raises(JudgeError, match="nobody"):
        chosen_judge(lines, "nobody", "trial")
    with pytest.raises(JudgeError, match="eval judge run"):
        chosen_judge(lines[2:], None, "trial")


def test_what_stands_is_the_last_judgement_of_this_judge_on_this_text() -> None:
    texts = {one: paragraph(one) for one in ("r1", "r2", "r3")}
    good, bad = line("r1"), line("r1", good=False)
    assert standing([good, bad], JUDGE, texts) == {"r1": good}
    assert standing([bad, good], JUDGE, texts) == {"r1": good}
    assert standing([bad], JUDGE, texts) == {"r1": bad}
    others = [line("r1", text="another"), line("r2", Judge(model="other", prompt="p")), line("r9")]
    assert standing(others, JUDGE, texts) == {}


# --- commands and what may be shown -----------------------------------------------------------------------------------


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.chdir(tmp_path)
    return Scene(tmp_path).lay()


@pytest.fixture
def typed(scene: Scene) -> Typed:
    app = typer.Typer(cls=ChineseGroup)
    app.command("form", cls=ChineseCommand)(command.form)
    app.command("calibrate", cls=ChineseCommand)(command.calibrate)
    return lambda *arguments: runner.run(typer.main.get_command(app), [str(one) for one in arguments])


def by_people(at: int) -> tuple[int, int, int]:
    return PEOPLE[at], 1, PEOPLE[at]


def by_judge(at: int) -> tuple[int, int, int]:
    return JUDGED[at], 1, JUDGED[at]


def test_grades_are_shown_only_with_their_agreement(
    scene: Scene, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge_summary(scene.folder) == (None, "")
    scene.judge(by_judge)
    assert judge_summary(scene.folder) == (None, words.not_calibrated([str(JUDGE)], "trial"))
    assert typed("calibrate", "trial", "--grades", scene.sheet(by_people)) == 0
    assert words.calibrated(str(JUDGE), 12, 12, 1) in capsys.readouterr().out
    summary, reason = judge_summary(scene.folder)
    assert summary is not None
    assert reason == ""
    faithful, complete, _ = summary.criteria
    assert (summary.judge, summary.paragraphs, summary.judged, summary.errors, summary.own) == (JUDGE, 12, 12, 0, False)
    assert summary.usage.cost == pytest.approx(6.0)
    assert faithful.mean == pytest.approx(sum(JUDGED) / 12)
    assert faithful.counts == tuple(JUDGED.count(grade) for grade in (0, 1, 2))
    assert faithful.interval is not None
    assert faithful.interval.low < faithful.mean < faithful.interval.high
    assert (faithful.agreement.same, complete.interval) == (9, None)
    assert [len(row) for row in summary_rows(summary)] == [len(words.SUMMARY_COLUMNS)] * 3


def test_a_calibration_is_kept_with_what_it_rests_on(
    scene: Scene, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = scene.judge(by_judge).sheet(by_people)
    assert typed("calibrate", "trial", "--grades", sheet, "--json") == 0
    kept = load_calibration(scene.folder)
    assert kept is not None
    assert Calibration.model_validate(json.loads(capsys.readouterr().out)) == kept
    assert kept.judge == JUDGE
    assert [one.criterion for one in kept.agreements] == list(Criterion)
    sheet.write_bytes(sheet.read_bytes() + b"\n")
    assert typed("calibrate", "trial", "--grades", sheet) == 0
    again = load_calibration(scene.folder)
    assert again is not None
    assert again.grades != kept.grades
    assert again.agreements == kept.agreements


@pytest.mark.parametrize("newer", [Judge(model=JUDGE.model, prompt="judge-2"), Judge(model="other", prompt="judge-1")])
def test_a_calibration_speaks_for_no_other_judge(scene: Scene, typed: Typed, newer: Judge) -> None:
    sheet = scene.judge(by_judge).sheet(by_people)
    assert typed("calibrate", "trial", "--grades", sheet) == 0
    Judgements(scene.folder).path.unlink()
    scene.judge(by_judge, newer)
    assert judge_summary(scene.folder) == (None, words.calibrated_other(str(JUDGE), [str(newer)]))


def test_judgements_of_texts_that_changed_are_not_shown(scene: Scene, typed: Typed) -> None:
    sheet = scene.judge(by_judge).sheet(by_people)
    assert typed("calibrate", "trial", "--grades", sheet) == 0
    path = Judgements(scene.folder).path
    kept = [one.model_copy(update={"text": "0" * 64}) for one in Judgements(scene.folder).read()]
    path.write_text("".join(one.model_dump_json() + "\n" for one in kept), encoding="utf-8")
    assert judge_summary(scene.folder) == (None, words.NONE_STANDS)


def test_a_judge_of_its_own_paragraphs_is_marked(scene: Scene, typed: Typed) -> None:
    sheet = scene.judge(by_judge, own=True).sheet(by_people)
    assert typed("calibrate", "trial", "--grades", sheet) == 0
    summary, _ = judge_summary(scene.folder)
    assert summary is not None
    assert summary.own


def test_an_empty_form_comes_back_filled_in(scene: Scene, typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    scene.judge(by_judge)
    out = scene.root / "forms" / "sheet.csv"
    form = ("form", "trial", "--out", out, "--n", 11, "--records", scene.records_file)
    assert typed(*form) == 0
    assert words.CRITERIA["useful"].grades[2] in capsys.readouterr().out
    content = out.read_bytes()
    assert typed(*form) == 1
    assert words.file_exists(str(out)) in capsys.readouterr().err
    assert out.read_bytes() == content
    assert typed("calibrate", "trial", "--grades", out) == 1
    assert words.too_few(0, FEWEST, 0, 12) in capsys.readouterr().err
    out.write_bytes(content.replace(b",,,,\r\n", ",2,1,0,甲\r\n".encode()))
    assert typed("calibrate", "trial", "--grades", out) == 0
    kept = load_calibration(scene.folder)
    assert kept is not None
    assert (kept.records, kept.analysts) == (11, 1)


def test_fewer_paragraphs_than_asked_for_are_said(
    scene: Scene, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("form", "trial", "--out", "sheet.csv", "--records", scene.records_file) == 0
    assert words.fewer_paragraphs(20, 12) in capsys.readouterr().err
