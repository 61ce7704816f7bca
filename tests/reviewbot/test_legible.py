"""What is proved is what a reader sees: by example, and as properties over hostile text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.legible import legible
from reviewbot.render.scrub import scrub

TEXTS = st.text(st.sampled_from("继承无需 \u3000\u200b\u202e\u034fａＺ９＿，（。⽆𝐍①é\n`_x1"), max_size=20) | st.text(
    max_size=12
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("继\u200b承了", "继承了"),
        ("ｔｏｒｃｈ＿ｎｐｕ", "torch_npu"),
        ("\U0001d40d\U0001d40f\U0001d414", "NPU"),
        ("\u2f46需", "无需"),
        ("无 需\u3000修 改", "无需修改"),
        ("引用 stretch 的地方", "引用 stretch 的地方"),
        ("甲，乙（丙）。", "甲，乙（丙）。"),
        ("第①处", "第①处"),
        ("一\n二", "一\n二"),
    ],
)
def test_examples(text: str, seen: str) -> None:
    assert legible(text) == seen


@given(TEXTS)
def test_twice_is_once(text: str) -> None:
    assert legible(legible(text)) == legible(text)


@given(TEXTS)
def test_printing_takes_nothing_more_away(text: str) -> None:
    """Scrubbing what is legible changes marks, never which letters are there."""
    letters = [char for char in legible(text) if char.isalpha()]
    assert [char for char in scrub(legible(text)) if char.isalpha()] == letters
    assert not [char for char in legible(text) if unicodedata.category(char) == "Cf"]
