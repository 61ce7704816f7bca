"""TSV, CSV, Markdown and JSON lines as people and programs write them."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

import pytest

from reviewbot.errors import InputFileError
from reviewbot.models import CompileStage, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.records.forms import Form
from reviewbot.records.models import Severity, TeamRecord
from reviewbot.records.reading import read_pr_list, read_table
from reviewbot.records.words import COLUMN_NAMES
from reviewbot.records.writing import write_table
from reviewbot.render.spreadsheet import unguard
from tests.reviewbot.team_tables import RECORDS, team_record

HEADER = "结论\t摘要\t分析\t风险\t需改码\t影响 NPU"
ROW = "Test\t水车提速。\t未引用\tlow\t否\t是"


def read_one(text: str, form: Form = Form.TSV) -> TeamRecord:
    (record,) = read_table(text.encode(), form=form).records
    return record


def refused(text: bytes, name: str = "t.csv", form: Form | None = None) -> str:
    with pytest.raises(InputFileError) as caught:
        read_table(text, name, form)
    assert name in str(caught.value)
    return caught.value.reason


# --- columns ----------------------------------------------------------------------------------------------------------


def test_columns_come_in_any_order_and_either_language() -> None:
    record = read_one(
        "Risk\t批次\tNPU_affected\tverdict\tAnalysis\t是否需要改码\tPR 号\tDate\tcompile_stage\t分析人\n"
        "High\tb7\tYES\tshim\t皮带\t是\t#4242\t2026/7/5\tcompile_stage: inductor\t磨工\n"
    )
    assert (record.upstream_pr, record.date, record.batch, record.analyst) == (4242, date(2026, 7, 5), "b7", "磨工")
    assert record.labels.model_dump() == {
        "verdict": Verdict.SHIM,
        "risk": Risk.HIGH,
        "needs_adaptation": NeedsAdaptation.YES,
        "needs_cann": None,
        "npu_affected": YesNo.YES,
        "compile_stage": CompileStage.INDUCTOR,
    }
    assert (record.summary, record.analysis) == (None, "皮带")


def test_every_name_of_a_column_is_known_and_no_two_share_one() -> None:
    names = [name.casefold() for names in COLUMN_NAMES.values() for name in names]
    assert len(names) == len(set(names))
    assert set(COLUMN_NAMES) == (set(TeamRecord.model_fields) - {"labels"}) | set(RECORDS[0].labels.model_dump())


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        *((cell, 7) for cell in ("7", "#7", "PR 7", "pytorch/pytorch#7", "7.0")),
        *((cell, None) for cell in ("", "-", "无")),
        ("https://github.com/pytorch/pytorch/pull/7/files", 7),
        ("[#7](https://example.org/a/b/pulls/7)", 7),
        ('=HYPERLINK("https://github.com/pytorch/pytorch/pull/7","#7")', 7),
    ],
)
def test_numbers_as_people_write_them(cell: str, number: int | None) -> None:
    quoted = '"' + cell.replace('"', '""') + '"'
    assert read_one(f"PR\t{HEADER}\n{quoted}\t{ROW}\n").upstream_pr == number


@pytest.mark.parametrize(
    ("row", "stage", "cann"),
    [
        ("Check\ta\tb\tlow\t否\t是", None, None),
        ("Check\ta\tb\tlow\t否\t是\tcompile_stage：Inductor", CompileStage.INDUCTOR, None),
        ("Check\ta\tb\tlow\t否\t是\tDynamo", CompileStage.DYNAMO, None),
        ("Check\ta\tb\tlow\t否\t是\t", None, None),
        ("Check\ta\tb\tlow\t否\t否\t是", None, YesNo.NO),
        ("Check\ta\tb\tlow\t否\t\t是", None, None),
        ("Check\ta\tb\tlow\t否\t否\t是\tInductor", CompileStage.INDUCTOR, YesNo.NO),
        ("Check\ta\tb\tlow\t否\t否\t是\t", None, YesNo.NO),
    ],
)
def test_without_a_header_the_last_cell_tells_the_layouts_apart(
    row: str, stage: CompileStage | None, cann: YesNo | None
) -> None:
    for text, number in ((row, None), (f"#7\t{row}", 7), (f"\t{row}", None)):
        record = read_one(f"{text}\n")
        assert (record.labels.compile_stage, record.labels.needs_cann, record.upstream_pr) == (stage, cann, number)


def test_without_a_header_an_empty_flag_is_no_missing_stage() -> None:
    (problem,) = read_table("Check\ta\tb\tlow\t否\t\n".encode(), form=Form.TSV).problems
    assert problem.reason == "影响 NPU：只能是 是、否，现在是空的"


def test_what_is_not_read_is_named() -> None:
    imported = read_table(f"磨坊周报\n{HEADER}\t水位\tPR\tPR 链接\n{ROW}\t高\t7\t-\n".encode(), form=Form.TSV)
    assert imported.records[0].upstream_pr == 7
    assert [(problem.line, problem.severity) for problem in imported.problems] == [
        (1, Severity.NOTICE),
        (2, Severity.NOTICE),
    ]
    assert "水位、PR 链接" in imported.problems[1].reason


def test_a_header_that_lacks_or_repeats_a_column_is_refused() -> None:
    assert refused("结论,分析,风险\nTest,a,low\n".encode()) == "表头缺少 需改码、影响 NPU 列"
    assert refused("结论,分析,风险,风险\n".encode()) == "表头有两列都是风险"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Maybe\ta\tb\tlow\t否\t是", "结论：只能是 Check、Test、Shim，现在是 Maybe"),
        ("Check\ta\tb\tlow\t否\t", "影响 NPU：只能是 是、否，现在是空的"),
        ("Check\ta\tb\tlow\t否\t是\t多余", "有 7 格，表头只有 6 列"),
        ('Check\t"a\tb\tlow\t否\t是', "引号没有闭合"),
        ('Check\t"a"b\tb\tlow\t否\t是', "引号没有闭合"),
        ("Check\ta", "风险：只能是"),
    ],
)
def test_a_malformed_row_is_reported_and_the_rest_imports(row: str, said: str) -> None:
    text = f"{HEADER}\n{ROW}\n{row}\n{ROW.replace('未引用', chr(34) + '两' + chr(10) + '行' + chr(34))}\n{ROW}\n"
    imported = read_table(text.encode(), form=Form.TSV)
    (problem,) = imported.of(Severity.MALFORMED)
    assert problem.line == 3
    assert said in problem.reason
    assert [row.line for row in imported.rows] == [2, 4, 6]


@pytest.mark.parametrize(
    ("header", "cell", "said"),
    [
        ("PR", "七", "PR 应为编号或链接，现在是 七"),
        ("PR", "0", "现在是 0"),
        ("日期", "2026-13-01", "现在是 2026-13-01"),
        ("底层适配说明", "缺了是否", "没有底层适配的是或否"),
    ],
)
def test_other_cells_that_fit_nothing(header: str, cell: str, said: str) -> None:
    (problem,) = read_table(f"{HEADER}\t{header}\n{ROW}\t{cell}\n".encode(), form=Form.TSV).problems
    assert problem.severity is Severity.MALFORMED
    assert said in problem.reason


def test_no_message_carries_what_a_terminal_would_obey() -> None:
    escape = "\x1b[2J"
    text = f"{HEADER}\t{escape}列\n{ROW}\tx\n{escape}Test\ta\tb\tlow\t否\t{escape}\n"
    reasons = [problem.reason for problem in read_table(text.encode(), form=Form.TSV).problems]
    assert len(reasons) == 2
    assert not any("\x1b" in reason for reason in reasons)


# --- CSV --------------------------------------------------------------------------------------------------------------


def test_csv_as_excel_in_china_saves_it() -> None:
    written = write_table(RECORDS, Form.CSV)
    assert read_table(written.removeprefix(b"\xef\xbb\xbf").decode().encode("gb18030"), "t.csv").records == RECORDS
    assert read_table(written.decode("utf-8-sig").encode("utf-16"), "t.csv").records == RECORDS
    semicolons = HEADER.replace("\t", ";") + "\r\n" + 'Test;"水车;\r\n提速。";"a,b";low;否;是\r\n'
    record = read_one(semicolons, Form.CSV)
    assert (record.summary, record.analysis) == ("水车;\n提速。", "a,b")


def test_other_readers_of_csv_see_the_same_cells() -> None:
    records = (*RECORDS, team_record(summary="=1+1", analysis='@x "y"\n,z', upstream_pr=7))
    text = write_table(records, Form.CSV).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert rows[-1]["摘要"] == "'=1+1"
    assert [unguard(row["分析"]) for row in rows] == [record.analysis for record in records]
    assert [row["结论"] for row in rows] == [record.labels.verdict for record in records]


# --- Markdown ---------------------------------------------------------------------------------------------------------


def test_a_markdown_table_amid_prose() -> None:
    imported = read_table(
        """\
# 周报

| 水位 | 高 |
|---|---|
| 1 | 2 |

| 结论 | 分析 | 风险 | 需改码 | 影响 NPU | PR |
|:--|---|:-:|---|---|--:|
| Test | 见 `a\\|b`<br/>与 C:\\Mill \\_x\\_ &lt; 3 | low | 否 | 是 | [#7](https://github.com/pytorch/pytorch/pull/7) |
| Test | 未 | 转义 | low | 否 | 是 | 8 |
Test | 无边框 | low | 否 | 是

结尾。
""".encode(),
        "weekly.md",
    )
    assert [record.analysis for record in imported.records] == ["见 `a|b`\n与 C:\\Mill _x_ < 3", "无边框"]
    assert [record.upstream_pr for record in imported.records] == [7, None]
    assert [(one.line, one.severity) for one in imported.problems if one.severity is not Severity.UNDECIDED] == [
        (3, Severity.NOTICE),
        (10, Severity.MALFORMED),
    ]


def test_markdown_without_a_table_is_refused() -> None:
    assert refused("# 周报\n\n没有表格。\n".encode(), "t.md").startswith("没有找到")


def test_names_stay_readable_in_markdown() -> None:
    text = write_table([team_record(analysis="mill_npu/_gears.py 的 __init__ <b>*x*</b>")], Form.MARKDOWN).decode()
    assert "mill_npu/\\_gears.py 的 \\_\\_init\\_\\_ \\<b\\>\\*x\\*\\</b\\>" in text


# --- JSON lines -------------------------------------------------------------------------------------------------------


def test_json_lines_with_more_than_a_table_holds() -> None:
    labels = {"verdict": "Test", "risk": "low", "needs_adaptation": "否", "needs_cann": None, "npu_affected": "是"}
    good = {"id": "x1", "upstream_pr": 7, "upstream_date": "2026-07-05", "labels": labels, "analysis": "未引用"}
    lines = [good, {**good, "analysis": ["未引用"]}, [], {**good, "labels": labels | {"risk": True}}, good]
    text = "\n".join(json.dumps(line) for line in lines) + "\n{\n"
    imported = read_table(text.encode(), "t.jsonl")
    assert [row.line for row in imported.rows] == [1, 5]
    assert imported.records[0] == imported.records[1]
    assert (imported.records[0].upstream_pr, imported.records[0].date) == (7, date(2026, 7, 5))
    assert [problem.line for problem in imported.of(Severity.MALFORMED)] == [2, 3, 4, 6]
    assert imported.of(Severity.NOTICE)[0].reason.endswith("id")


# --- numbers from a list ----------------------------------------------------------------------------------------------


def test_a_list_gives_numbers_in_the_order_of_the_rows() -> None:
    text = f"PR\t{HEADER}\n\t{ROW}\n\tMaybe\ta\tb\tlow\t否\t是\n9\t{ROW}\n\t{ROW}\n".encode()
    numbers = read_pr_list(b"7\n\nhttps://github.com/pytorch/pytorch/pull/8\n#10\n-\n", "prs.txt")
    imported = read_table(text, "t.tsv", pr_list=numbers)
    assert [record.upstream_pr for record in imported.records] == [7, 9, None]
    (notice,) = imported.of(Severity.NOTICE)
    assert (notice.line, notice.reason) == (4, "PR 列是 9，--pr-list 是 10，采用 PR 列")


def test_a_list_of_another_length_is_refused() -> None:
    with pytest.raises(InputFileError) as caught:
        read_table(f"{HEADER}\n{ROW}\nMaybe\n".encode(), "t.tsv", pr_list=[7])
    assert caught.value.reason == "有 1 个 PR，表格有 2 行（含 1 个未能读入的行），两者必须一一对应"
    with pytest.raises(InputFileError, match=r"prs.txt.*第 2 行应为 PR 编号或链接，现在是 x"):
        read_pr_list(b"7\nx\n", "prs.txt")


# --- files that are no tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 20, ".xlsx"),
        (b"\0\0\1\2", "不是文本"),
        (b"\xff\xff\xff", "编码"),
        (b" " * 50_000_001, "最多读 50 MB"),
    ],
)
def test_hostile_bytes_are_refused(content: bytes, said: str) -> None:
    assert said in refused(content)


def test_an_empty_file_holds_no_record() -> None:
    for form in (Form.TSV, Form.CSV, Form.LEGACY, Form.JSONL):
        imported = read_table(b"\n \n", form=form)
        assert (imported.rows, imported.problems) == ((), ())
