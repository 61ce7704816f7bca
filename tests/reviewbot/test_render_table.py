"""The team's table: both layouts, and nothing in a cell breaks a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.models import CompileStage, Labels, NeedsAdaptation, Record, Risk, Verdict, YesNo
from reviewbot.render.spreadsheet import guard, unguard
from reviewbot.render.table import Layout, TableError, read_rows, row_new, row_old, rows

CELL = st.text(st.sampled_from("齿轮覆写\t\n\r\"'=+-@,; ，。x\\|") | st.characters(codec="utf-8"), max_size=20)
LABELS = st.builds(
    Labels,
    verdict=st.sampled_from(Verdict),
    risk=st.sampled_from(Risk),
    needs_adaptation=st.sampled_from(NeedsAdaptation),
    needs_cann=st.none() | st.sampled_from(YesNo),
    npu_affected=st.sampled_from(YesNo),
    compile_stage=st.none() | st.sampled_from(CompileStage),
)
RECORDS = st.builds(
    Record, upstream_pr=st.none(), title=st.just(""), date=st.none(), labels=LABELS, summary=CELL, analysis=CELL
)


def record(**labels: object) -> Record:
    given = {"verdict": "Test", "risk": "medium", "needs_adaptation": "否", "npu_affected": "是", **labels}
    return Record(
        upstream_pr=1,
        title="t",
        date=None,
        labels=Labels.model_validate(given),
        summary="反转齿轮方向。",
        analysis="见 mill_npu/gears.py:12。",
    )


def test_old_layout() -> None:
    assert row_old(record()) == "Test\t反转齿轮方向。\t见 mill_npu/gears.py:12。\tmedium\t否\t是"
    staged = row_old(record(compile_stage="Inductor", needs_cann="否"))
    assert staged.split("\t")[3:] == ["medium", "否", "是", "compile_stage：Inductor"]


def test_new_layout() -> None:
    staged = row_new(record(compile_stage="Dynamo", needs_cann="否"))
    assert staged.split("\t")[3:] == ["medium", "否", "否", "是", "compile_stage：Dynamo"]
    assert row_new(record()).split("\t")[3:] == ["medium", "否", "", "是"]


def _without_cann(record: Record) -> Record:
    return record.model_copy(update={"labels": record.labels.model_copy(update={"needs_cann": None})})


@given(st.lists(RECORDS, max_size=3), st.sampled_from(Layout))
def test_rows_round_trip(records: list[Record], layout: Layout) -> None:
    kept = [one if layout is Layout.NEW else _without_cann(one) for one in records]
    assert list(read_rows(rows(records, layout))) == kept


@given(CELL)
def test_the_guard_round_trips_and_holds(cell: str) -> None:
    assert unguard(guard(cell)) == cell
    assert guard(cell)[:1] not in tuple("=+-@\t\r＝＋－＠")


def test_seven_cells_are_told_apart_by_the_last() -> None:
    old = read_rows("Check\ta\tb\tlow\t否\t是\tcompile_stage：Inductor\n")[0].labels
    new = read_rows("Check\ta\tb\tlow\t否\t否\t是\n")[0].labels
    assert (old.needs_cann, old.compile_stage) == (None, CompileStage.INDUCTOR)
    assert (new.needs_cann, new.compile_stage) == (YesNo.NO, None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Check\ta\tb\tlow\t否\t是\nCheck\ta\n", 2),
        ('Check\t"a\nb"\tc\tlow\t否\t是\nMaybe\ta\tb\tlow\t否\t是\n', 3),
        ("Check\ta\tb\tlow\t否\t大概\n", 1),
        ('Check\t"a\tb\tlow\t否\t是\n', 1),
    ],
)
def test_a_bad_row_is_named_by_its_line(text: str, line: int) -> None:
    with pytest.raises(TableError) as caught:
        read_rows(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"第 {line} 行")
