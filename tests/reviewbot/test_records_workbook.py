"""Workbooks: what Excel users make of a table, and what nobody should open."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import openpyxl
import pytest

from reviewbot.errors import InputFileError
from reviewbot.records import workbook
from reviewbot.records.forms import Form
from reviewbot.records.models import Severity
from reviewbot.records.reading import read_table
from reviewbot.records.rows import TableError
from reviewbot.records.writing import write_table
from tests.reviewbot.team_tables import RECORDS, team_record

HEADER = ("PR", "日期", "结论", "摘要", "分析", "风险", "需改码", "影响 NPU")
ROW = (7, datetime(2026, 7, 5, 12), "Test", "水车提速。", "未引用", "低", "否", "是")


def book_of(**sheets: Sequence[Sequence[Any]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def edited(content: bytes, part: str, edit: Callable[[str], str]) -> bytes:
    """The archive with one of its parts rewritten."""
    target = io.BytesIO()
    seen = zipfile.ZipFile(io.BytesIO(content)).read(part).decode()
    assert edit(seen) != seen
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            text = source.read(name)
            copy.writestr(name, edit(text.decode()) if name == part else text)
    return target.getvalue()


def refused(content: bytes) -> str:
    with pytest.raises(InputFileError) as caught:
        read_table(content, "t.xlsx")
    return caught.value.reason


def test_numbers_days_titles_and_gaps() -> None:
    imported = read_table(book_of(一=[["磨坊周报"], [], HEADER, ROW, [], [8.0, date(2026, 7, 6), *ROW[2:]]]))
    assert imported.form is Form.XLSX
    assert [(row.line, row.record.upstream_pr, str(row.record.date)) for row in imported.rows] == [
        (4, 7, "2026-07-05"),
        (6, 8, "2026-07-06"),
    ]
    assert [problem.line for problem in imported.problems] == [1]


def test_the_sheet_with_the_table_is_found_and_the_others_are_named() -> None:
    imported = read_table(book_of(说明=[["先看第二页"]], 记录=[HEADER, ROW], 空=[]))
    assert len(imported.records) == 1
    (notice,) = imported.of(Severity.NOTICE)
    assert notice.reason == "没有读取这些工作表：说明"


def test_formulas_are_text() -> None:
    link = '=HYPERLINK("https://github.com/pytorch/pytorch/pull/9","#9")'
    rows = [(link, *ROW[1:4], "=1+1", *ROW[5:]), (*ROW[:2], '=IF(1,"Test","Shim")', *ROW[3:])]
    imported = read_table(book_of(一=[HEADER, *rows]))
    assert [(record.upstream_pr, record.analysis) for record in imported.records] == [(9, "=1+1")]
    assert [problem.line for problem in imported.of(Severity.MALFORMED)] == [3]


def test_what_we_write_runs_nowhere() -> None:
    content = write_table([team_record(analysis="=cmd|' /C calc'!A1", title="+1", batch="@x")], Form.XLSX)
    (_, row) = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0].iter_rows()
    assert {cell.data_type for cell in row if cell.value is not None} == {"s"}
    assert [cell.value for cell in row if str(cell.value).startswith("'")] == ["'+1", "'=cmd|' /C calc'!A1", "'@x"]


def test_a_cell_that_excel_would_cut_is_refused() -> None:
    with pytest.raises(TableError, match="第 2 条记录的分析有 32768 个字符"):
        write_table([RECORDS[0], team_record(analysis="长" * 32_768)], Form.XLSX)


def test_archives_that_are_no_workbook() -> None:
    assert refused(b"not a zip") == "不是 .xlsx 工作簿"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.txt", "x")
    assert refused(target.getvalue()) == "不是 .xlsx 工作簿"
    assert refused(book_of(一=[HEADER, ROW])[:-40]) == "不是 .xlsx 工作簿"
    broken = edited(book_of(一=[HEADER, ROW]), "xl/worksheets/sheet1.xml", lambda text: text[: len(text) // 2])
    assert "已损坏" in refused(broken)


def test_a_zip_bomb_is_not_unpacked() -> None:
    target = io.BytesIO(book_of(一=[HEADER, ROW]))
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(11):
            archive.writestr(f"xl/media/{number}.bin", b"\0" * 10_000_000)
    assert len(target.getvalue()) < 1_000_000
    assert refused(target.getvalue()) == "解压后过大，已拒绝读取"
    crowd = io.BytesIO()
    with zipfile.ZipFile(crowd, "w") as archive:
        for number in range(workbook.MOST_PARTS + 1):
            archive.writestr(str(number), "")
    assert refused(crowd.getvalue()) == "解压后过大，已拒绝读取"


def test_entities_do_not_expand() -> None:
    entities = "".join(f'<!ENTITY e{depth} "{f"&e{depth - 1};" * 10 if depth else "x" * 100}">' for depth in range(9))
    content = edited(
        book_of(一=[HEADER, ROW]),
        "xl/worksheets/sheet1.xml",
        lambda text: (
            f"<!DOCTYPE worksheet [{entities}]>" + text[text.index("<worksheet") :].replace(">Test<", ">&e8;<")
        ),
    )
    assert "已损坏" in refused(content)


@pytest.mark.parametrize("row", [999_999_999_999, workbook.MOST_ROWS + 2])
def test_claimed_dimensions_cost_nothing(row: int) -> None:
    content = edited(
        book_of(一=[HEADER, ROW]),
        "xl/worksheets/sheet1.xml",
        lambda text: text.replace('<row r="2"', f'<row r="{row}"').replace('ref="A1:H2"', 'ref="A1:XFD1048576"'),
    )
    imported = read_table(content)
    assert imported.records == ()
    assert imported.problems[0].reason == f"只读前 {workbook.MOST_ROWS} 行，之后的没有读取"


def test_without_openpyxl_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    content = book_of(一=[HEADER, ROW])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert "pip install 'reviewbot[xlsx]'" in refused(content)
    with pytest.raises(TableError, match="openpyxl"):
        write_table(RECORDS, Form.XLSX)
