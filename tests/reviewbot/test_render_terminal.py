"""The record in a terminal: whole at any width, never markup, no escape sequence from outside."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from reviewbot.models import Analysis, AnalysisState
from reviewbot.render import record_panel
from reviewbot.render.flow import Flowing, break_offsets
from reviewbot.render.terminal import WIDE
from tests.reviewbot.analyses import example
from tests.reviewbot.any_value import anything
from tests.support import values


def shown(analysis: Analysis, width: int = 100, *, color: bool = False, **options: bool) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=color, color_system="truecolor" if color else None)
    console.print(record_panel(analysis, **options))
    return out.getvalue()


def test_it_shows_the_record() -> None:
    text = shown(example(), explain=True)
    for piece in ("Test", "medium", "反转齿轮方向", "mill_npu/gears.py:12", "turn 0 命中", "赋值式 patch", "V01", "E1"):
        assert piece in text
    assert "V01" not in shown(example())


def test_it_is_coloured() -> None:
    assert "\x1b[" in shown(example(), color=True)
    assert "\x1b[" not in shown(example())


@pytest.mark.parametrize("width", [20, 40, 59, 60, 80, 200])
def test_any_width_keeps_to_the_width_and_cuts_nothing(width: int) -> None:
    long = example().model_copy(update={"ledger": values.ledger(values.patch(path=f"mill_npu/{'very_' * 20}long.py"))})
    text = shown(long, width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    letters = "".join(char for char in text if char.isalnum() or char in "_/.:")
    if width >= 60:
        return
    assert f"mill_npu/{'very_' * 20}long.py:12" in letters


def test_text_from_outside_is_no_markup() -> None:
    text = shown(example(title="[red]x[/red] [/] \x1b[31mred \u202e"))
    assert "[red]x[/red]" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_state_other_than_done_is_said() -> None:
    stuck = example().model_copy(update={"state": AnalysisState.FAILED, "reason": "树读不出"})
    assert "分析失败：树读不出" in shown(stuck)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_analysis_can_be_shown(data: st.DataObject) -> None:
    shown(data.draw(anything(Analysis)), 50, explain=True).encode()


def test_no_panel_is_wider_than_is_pleasant() -> None:
    assert max(cell_len(line) for line in shown(example(), 10_000).splitlines()) == WIDE


PROSE = st.text(alphabet="齿轮，。（）“”/a_b.: 1「」\n覆", max_size=60)


@given(PROSE, st.integers(4, 30))
def test_wrapping_loses_nothing_but_blanks_at_line_ends(text: str, width: int) -> None:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, markup=False, emoji=False).print(Flowing(Text(text)))
    assert "".join(out.getvalue().split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in out.getvalue().splitlines())


def test_wrapping_keeps_marks_where_they_belong() -> None:
    text = "齿轮覆写（见 mill_npu/gears.py:12）。齿轮"
    cuts = [0, *break_offsets(text, 16), len(text)]
    lines = [text[start:end] for start, end in pairwise(cuts)]
    assert lines == ["齿轮覆写（见 ", "mill_npu/", "gears.py:12）。", "齿轮"]
