"""Ids in prose become ``path:line`` and counted misses, readable by people and by machines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.citations import cite_item, cited_ids, line_ranges, render_citations
from tests.support import values

LEDGER = values.ledger(
    values.registration(lines=(948,)),
    values.override(path="mill_npu/wheel.py", lines=(12, 40, 41)),
    values.fork(path="mill_npu/copied.py", lines=()),
    values.missing("halt"),
    values.missing("brake_now"),
)


@pytest.mark.parametrize(
    ("lines", "printed"),
    [((3,), "3"), ((3, 4), "3-4"), ((12, 40, 41, 42), "12,40-42"), ((2, 1, 1), "1-2"), ((), "")],
)
def test_line_ranges(lines: tuple[int, ...], printed: str) -> None:
    assert line_ranges(lines) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("见 [E1]。", "见 mill_npu/gears.py:948。"),
        ("在[E1]覆写", "在 mill_npu/gears.py:948 覆写"),
        ("（[E1]、[E2]）", "（mill_npu/gears.py:948、mill_npu/wheel.py:12,40-41）"),
        ("[E1][E2] 覆写", "mill_npu/gears.py:948、mill_npu/wheel.py:12,40-41 覆写"),
        ("[E1, Z1]", "mill_npu/gears.py:948、halt 0 命中"),
        ("[E3] 是副本", "mill_npu/copied.py 是副本"),
        ("全词检索 [Z1]、[Z2]。", "全词检索 halt 0 命中、brake_now 0 命中。"),
        ("[Z1] 0 命中。", "halt 0 命中。"),
        ("[Z1][Z2] 均 0 命中，", "halt 0 命中、brake_now 0 命中，"),
        ("[E1][E1]", "mill_npu/gears.py:948"),
        ("aten[E] 与 [x]", "aten[E] 与 [x]"),
        ("没有编号", "没有编号"),
    ],
)
def test_in_prose(text: str, printed: str) -> None:
    assert render_citations(text, LEDGER) == printed


def test_an_unknown_id_is_never_printed() -> None:
    with pytest.raises(KeyError):
        render_citations("见 [E9]。", LEDGER)


def test_ids_in_order_of_first_use() -> None:
    assert cited_ids("[Z1] 与 [E2][E1]、[E2]") == ("Z1", "E2", "E1")


@given(st.lists(st.sampled_from(["[E1]", "[E2]", "[Z1]", "引用", "，", " ", "x", "（", "）", "。"]), max_size=12))
def test_a_machine_reads_back_every_place(pieces: list[str]) -> None:
    """An independent reader finds exactly the cited places in the printed text, whatever stands around them."""
    text = "".join(pieces)
    printed = render_citations(text, LEDGER)
    read = set(re.findall(r"[\w./-]+\.py:[\d,-]*\d", printed, re.ASCII))
    assert read == {cite_item(item) for item in LEDGER.items if item.id in cited_ids(text)}
    assert set(re.findall(r"(\S+) 0 命中", re.sub(r"[（）、，。]", " ", printed))) <= {"halt"}
    assert "[E" not in printed
