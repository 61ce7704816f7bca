"""One form for judge and people, and the sheet that people fill in and send back."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judge import words
from evals.judge.errors import GradesError
from evals.judge.form import form_text, judge_prompt
from evals.judge.grades import read_grades
from evals.judge.models import GRADES, Criterion, Judgement
from evals.judge.prompt import prefix
from evals.judge.sheet import SheetRow, drawn, rows_of, sheet
from evals.run.errors import SelectionError
from tests.evals.judge_scene import Scene, paragraph

#: By version, what a judge is told and people are asked. A changed text is a new version, lest old grades pass for new.
FORMS = {1: "2a15ae3b0326c6e2"}


def cells(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def filled(content: bytes, *grades: object, analyst: str = "") -> bytes:
    """The sheet with the same grades in every row."""
    out = io.StringIO()
    head, *rows = cells(content)
    csv.writer(out).writerows([head, *([*row[:3], *grades, analyst] for row in rows)])
    return out.getvalue().encode("utf-8-sig")


# --- one form ---------------------------------------------------------------------------------------------------------


def test_the_form_has_the_criteria_of_the_model_and_three_grades_each() -> None:
    assert list(words.CRITERIA) == [one.value for one in Criterion] == list(Judgement.model_fields)
    assert {len(one.grades) for one in words.CRITERIA.values()} == {len(GRADES)}


@pytest.mark.parametrize("criterion", Criterion)
def test_judge_and_people_are_told_the_same(criterion: Criterion) -> None:
    heading = cells(sheet([]))[0][3 + list(Criterion).index(criterion)]
    definition = words.CRITERIA[criterion]
    for text in (definition.name, definition.asks, *definition.grades):
        assert text in prefix()
        assert text in heading
        assert text in form_text()
    assert heading.startswith(criterion.value)


def test_a_changed_form_is_a_new_version() -> None:
    told = hashlib.sha256(prefix().encode()).hexdigest()[:16]
    assert FORMS.get(judge_prompt().version) == told, f"raise the version in prompts/judge.md and note {told} here"


# --- the sheet --------------------------------------------------------------------------------------------------------


def test_the_sheet_opens_in_excel_and_runs_nothing() -> None:
    content = sheet([SheetRow("r001", "=cmd|x", "@SUM 一段\n两行", needs_work=True)])
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\r\n") == 2
    head, row = cells(content)
    assert len(head) == len(row) == 7
    assert row == ["r001", "'=cmd|x", "'@SUM 一段 两行", "", "", "", ""]


def test_the_sheet_shows_no_label(tmp_path: Path) -> None:
    scene = Scene(tmp_path).lay()
    head, *rows = cells(sheet(rows_of(scene.run, scene.records)))
    assert [row[0] for row in rows] == scene.ids
    assert rows[0] == ["r001", "#1 Turn gear 1", paragraph("r001"), "", "", "", ""]
    assert "medium" not in str(rows)
    assert head[0].startswith("record")


def test_records_of_another_file_are_refused(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    with pytest.raises(SelectionError, match="r001"):
        rows_of(scene.run, scene.records[1:])


def rows(work: int, rest: int) -> list[SheetRow]:
    return [SheetRow(f"w{at}", "", "x", needs_work=True) for at in range(work)] + [
        SheetRow(f"z{at}", "", "x", needs_work=False) for at in range(rest)
    ]


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40), st.integers(0, 5))
def test_half_of_the_drawn_need_work_as_far_as_there_are(work: int, rest: int, size: int, seed: int) -> None:
    chosen = drawn(rows(work, rest), size, seed)
    assert len(chosen) == len(set(chosen)) == min(size, work + rest)
    share = sum(row.needs_work for row in chosen)
    if work >= size and rest >= size:
        assert share == size - size // 2
    assert chosen == drawn(list(reversed(rows(work, rest))), size, seed)


def test_seeds_draw_differently_and_kinds_are_mixed() -> None:
    first, second = drawn(rows(30, 30), 20, 0), drawn(rows(30, 30), 20, 1)
    assert set(first) != set(second)
    kinds = [row.needs_work for row in first]
    assert kinds not in (sorted(kinds), sorted(kinds, reverse=True))


# --- what comes back --------------------------------------------------------------------------------------------------


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path, count=3)


def paragraphs(scene: Scene) -> dict[str, str]:
    return {one: paragraph(one) for one in scene.ids}


def problems(path: Path, scene: Scene) -> list[tuple[int, str, str]]:
    with pytest.raises(GradesError) as caught:
        read_grades(path, paragraphs(scene))
    assert all(f"{path}:{one.line}" in str(caught.value) for one in caught.value.problems)
    return [(one.line, one.column, one.reason) for one in caught.value.problems]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "gb18030", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_our_own_sheet_comes_back_however_it_is_saved(scene: Scene, encoding: str, separator: str) -> None:
    content = filled(sheet(rows_of(scene.run, scene.records)), 2, "１", "0.0", analyst="甲")
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(cells(content))
    path = scene.root / "grades.csv"
    path.write_bytes(out.getvalue().encode(encoding))
    found = read_grades(path, paragraphs(scene))
    assert [one.record for one in found] == scene.ids
    assert {one.analyst for one in found} == {"甲"}
    assert [one.grades[criterion] for one in found[:1] for criterion in Criterion] == [2, 1, 0]


def test_paragraphs_that_look_like_formulas_come_back(scene: Scene) -> None:
    told = {one: f"=1+1 {one}" for one in scene.ids}
    path = scene.root / "grades.csv"
    path.write_bytes(filled(sheet(SheetRow(one, "", text, needs_work=False) for one, text in told.items()), 1, 1, 1))
    assert len(read_grades(path, told)) == 3


def test_rows_that_nobody_got_to_are_left_out(scene: Scene) -> None:
    found = read_grades(scene.sheet(lambda at: (1, 1, 1) if at else ("", " ", "")), paragraphs(scene))
    assert [one.record for one in found] == ["r002", "r003"]


def test_sheets_of_several_people_in_one_file(scene: Scene) -> None:
    first, second = scene.sheet(lambda _: (1, 1, 1), "甲"), scene.sheet(lambda _: (2, 2, 2), "乙", "second.csv")
    first.write_bytes(first.read_bytes() + second.read_bytes())
    assert [one.analyst for one in read_grades(first, paragraphs(scene))] == ["甲"] * 3 + ["乙"] * 3


def test_every_fault_is_told_by_line_and_column(scene: Scene) -> None:
    given = [(3, 1, 1), (1, "", 1), (1, 1, "good")]
    path = scene.sheet(lambda at: given[at])
    assert problems(path, scene) == [
        (2, "faithful", words.bad_grade("3")),
        (3, "complete", words.NOT_FILLED),
        (4, "useful", words.bad_grade("good")),
    ]


def test_records_that_are_not_of_the_run_and_second_grades(scene: Scene) -> None:
    path = scene.sheet(lambda _: (1, 1, 1))
    text = path.read_text(encoding="utf-8-sig").replace("r003,", "r777,", 1)
    path.write_text(text + text.splitlines()[1] + "\n", encoding="utf-8")
    assert problems(path, scene) == [
        (4, "record", words.unknown_record("r777")),
        (5, "record", words.graded_twice("r001", "")),
    ]


def test_grades_of_another_text_are_refused(scene: Scene) -> None:
    path = scene.sheet(lambda _: (1, 1, 1))
    path.write_text(path.read_text(encoding="utf-8").replace("替换了 spin", "覆写了 spin", 1), encoding="utf-8")
    assert problems(path, scene) == [(2, "paragraph", words.OTHER_PARAGRAPH)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", [(1, "", words.EMPTY_FILE)]),
        ("record,faithful,complete\nr001,1,1\n", [(1, "useful", words.NO_COLUMN)]),
        ("record,record,faithful,complete,useful\n", [(1, "record", words.TWO_COLUMNS)]),
    ],
)
def test_a_sheet_that_is_none(scene: Scene, content: str, expected: list[tuple[int, str, str]]) -> None:
    path = scene.root / "grades.csv"
    path.write_text(content, encoding="utf-8")
    assert problems(path, scene) == expected


def test_an_open_quote_costs_one_row(scene: Scene) -> None:
    path = scene.root / "grades.csv"
    path.write_text('record,faithful,complete,useful\nr001,"1,1,1\nr002,9,1,1\n', encoding="utf-8")
    assert [(line, column) for line, column, _ in problems(path, scene)] == [(2, ""), (3, "faithful")]


def test_a_file_that_is_not_there(scene: Scene) -> None:
    assert problems(scene.root / "none.csv", scene)[0][0] == 1
