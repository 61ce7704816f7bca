"""Guarded cells: no spreadsheet runs them, and nothing in them is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.render.spreadsheet import guard, unguard


@given(st.text(st.sampled_from("齿轮\t\n\r\"'=+-@,; ，。x\\|") | st.characters(codec="utf-8"), max_size=20))
def test_the_guard_round_trips_and_holds(cell: str) -> None:
    assert unguard(guard(cell)) == cell
    assert guard(cell)[:1] not in tuple("=+-@\t\r＝＋－＠")
