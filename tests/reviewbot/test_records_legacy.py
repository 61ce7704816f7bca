"""The team's old text: every oddity is understood, and what cannot be costs its own row only."""

from __future__ import annotations

import pytest

from reviewbot.models import YesNo
from reviewbot.records.forms import Form
from reviewbot.records.models import Imported, Severity
from reviewbot.records.reading import read_table
from tests.reviewbot.team_tables import LEGACY, LINES, RECORDS

BEFORE = "Check 磨盘改名。 未引用 low 否 否 是\n"
TOO_LONG = "长" * 100_001
AFTER = "Test 水车提速。 未引用 low 否 是\n"


def read(text: str) -> Imported:
    return read_table(text.encode(), form=Form.LEGACY)


def test_every_row_is_understood() -> None:
    imported = read_table(LEGACY.encode(), "export.txt")
    assert imported.form is Form.LEGACY
    assert imported.records == RECORDS
    assert tuple(row.line for row in imported.rows) == LINES


def test_a_summary_without_an_end_is_told_of() -> None:
    undecided = read(LEGACY).of(Severity.UNDECIDED)
    assert [problem.line for problem in undecided] == [5, 16]
    assert "给 belt 增加别名" in undecided[0].reason
    assert len(read(LEGACY).problems) == 2


def test_windows_line_ends_and_blank_lines_change_nothing() -> None:
    spaced = LEGACY.replace("compile_stage：Dynamo\n", "compile_stage：Dynamo\n\n  \n")
    assert read(spaced).records == RECORDS
    assert read(LEGACY.replace("\n", "\r\n")).records == RECORDS
    assert read(LEGACY.rstrip("\n")).records == RECORDS


def test_the_text_of_needs_cann_is_a_field_of_its_own() -> None:
    (record,) = read('Check 视图。 同步 low 是 "是\n• 补 ""视图"" 用例" 是\n').records
    assert (record.labels.needs_cann, record.cann_note) == (YesNo.YES, '补 "视图" 用例')
    (record,) = read('Check 视图。 同步 low 是 "是\n• 第一条\n• 第二条" 是\n').records
    assert record.cann_note == "• 第一条\n• 第二条"


def test_a_quoted_summary_is_a_summary() -> None:
    (record,) = read('Check "磨盘\n改名" "分析。 两句" low 否 否\n').records
    assert (record.summary, record.analysis) == ("磨盘\n改名", "分析。 两句")
    (record,) = read('Check "磨盘。 改名" 未引用 low 否 否\n').records
    assert (record.summary, record.analysis) == ("磨盘。 改名", "未引用")


def test_a_full_stop_inside_a_quoted_cell_ends_no_summary() -> None:
    (record,) = read('Check 磨盘重入 "检索 stone。 无命中" low 否 是\n').records
    assert (record.summary, record.analysis) == ("磨盘重入", "检索 stone。 无命中")
    (record,) = read('Check 磨盘重入。分两步 "检索 stone。 无命中\n第二行" low 否 是\n').records
    assert (record.summary, record.analysis) == ("磨盘重入。分两步", "检索 stone。 无命中\n第二行")
    (record,) = read('Check 磨盘。 分两步 "检索 stone\n第二行" low 否 是\n').records
    assert (record.summary, record.analysis) == ("磨盘。 分两步", "检索 stone\n第二行")


def test_a_lone_quote_mark_reaches_into_no_other_row() -> None:
    records = read(f'Check 磨盘 "半个引号 low 否 是\n{AFTER}Check 另一个" low 否 是\n').records
    assert [record.analysis for record in records] == ['磨盘 "半个引号', "未引用", '另一个"']


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('Test 水车。 "从未闭合\n第二行\n第三行 low 否 是\n', "引号没有闭合"),
        ('Test 水车。 "从未闭合\n第二行\n', "引号没有闭合"),
        ('Test 水车。 "闭合" 之后 "又\n开" 文字\n', "闭合后还有多余的文字"),
        ("Maybe 水车。 未引用 low 否 是\n", "应以 Check、Test、Shim 开头，现在是 Maybe"),
        ("水车。\n", "现在是 水车。"),
        ("Test 水车。 未引用 low 否\n", "现在是 1 个"),
        ("Test 水车。 未引用 low 否 否 是 是\n", "现在是 4 个"),
        ("Test 水车。 未引用 low\n", "行尾没有风险"),
        ("Test 水车。 未引用\n", "行尾没有风险"),
        ("Test 水车。 未引用 severe 否 是\n", "风险：只能是 low、medium、high，现在是 severe"),
        ("Test 水车。 未引用 low 否 待确认\n", "影响 NPU：只能是 是、否，现在是 待确认"),
        ("Test 水车。 未引用 low 否 待确认 是\n", "底层适配：只能是 是、否，现在是 待确认"),
        (
            "Test 水车。 未引用 low 否 是 compile_stage：Mill\n",
            "阶段：只能是 Dynamo、AOTAutograd、Inductor，现在是 Mill",
        ),
        ("Test 水车。 未引用 low 否 是 Check 磨盘。 未引用 low 否 是\n", "一行里有两条记录"),
        ("Test Check 水车。 未引用 low 否 是\n", "一行里有两个结论"),
        (f"Test 水车。 {TOO_LONG} low 否 是\n", "最多 100000 个"),
        (f'Test 水车。 "{TOO_LONG} low 否 是\n第二行" low 否 是\n', "最多 100000 个"),
    ],
)
def test_a_malformed_row_is_reported_and_the_rest_imports(row: str, said: str) -> None:
    imported = read(BEFORE + row + AFTER)
    (problem,) = imported.of(Severity.MALFORMED)
    assert problem.line == 2
    assert said in problem.reason
    assert [record.summary for record in imported.records] == ["磨盘改名。", "水车提速。"]
    assert imported.rows[1].line == 2 + row.count("\n")


def test_two_malformed_rows_are_two_reports() -> None:
    imported = read(f'Maybe 甲 low 否 是\nTest 乙。 "开 severe 否 是\nPerhaps 丙 low 否 是\n{AFTER}')
    assert [problem.line for problem in imported.of(Severity.MALFORMED)] == [1, 2, 3]
    assert len(imported.records) == 1
