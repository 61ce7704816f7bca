"""Sentences and clauses: cut in the right places, nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.verification.sentences import split_clauses, split_sentences

ALPHABET = st.text(alphabet="。！？；，：、（）()[]【】“”「」`\"' \n\t.;!?abZ1/_齿轮未…", max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲。乙！丙？丁；戊", ["甲。", "乙！", "丙？", "丁；", "戊"]),
        ("甲\n乙", ["甲\n", "乙"]),
        ("甲。\n\n  乙。", ["甲。\n\n  ", "乙。"]),
        ("甲（一。二）乙。丙", ["甲（一。二）乙。", "丙"]),
        ("甲“一。二”乙。丙", ["甲“一。二”乙。", "丙"]),
        ("调用 `a。b` 后。丙", ["调用 `a。b` 后。", "丙"]),
        ("见 torch/_mill/gears.py 与 a.b，比 1.5 大…吗。是", ["见 torch/_mill/gears.py 与 a.b，比 1.5 大…吗。", "是"]),
        ("未闭合（甲。乙", ["未闭合（甲。", "乙"]),
        ("多余）甲。乙", ["多余）甲。", "乙"]),
        ("跨行（甲\n乙）。丙", ["跨行（甲\n", "乙）。", "丙"]),
        ("用 gears. 下一句; 再一句", ["用 gears. ", "下一句; ", "再一句"]),
        ("如 e.g. 这样。完", ["如 e.g. 这样。", "完"]),
        ("完了！！。", ["完了！！。"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(split_sentences(text)) == expected


@given(ALPHABET)
def test_no_character_is_lost(text: str) -> None:
    assert "".join(split_sentences(text)) == text
    assert "".join(clause.text for clause in split_clauses(text)) == text


@given(ALPHABET)
def test_clauses_know_their_place(text: str) -> None:
    for clause in split_clauses(text):
        assert text[clause.start : clause.end] == clause.text


def test_clauses_stay_whole_in_brackets() -> None:
    clauses = [clause.text for clause in split_clauses("甲覆写 x（[E1]，签名未变），并引用 y：z → 丁。")]
    assert clauses == ["甲覆写 x（[E1]，签名未变），", "并引用 y：", "z →", " 丁。"]


def test_an_end_mark_in_brackets_still_ends_a_clause() -> None:
    """Or a bracket around a paragraph would lend the ids of one claim to the next."""
    assert len(split_clauses("（甲引用 x。乙继承 y [E1]。）")) == 3
