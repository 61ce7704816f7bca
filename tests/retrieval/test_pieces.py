"""The words that names are made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.pieces import pieces_of

NAMES = {
    "snake case": ("flip gear", "flip_gear"),
    "leading and doubled underscores": ("grind gear", "__grind__gear_"),
    "camel case": ("grind gear", "grindGear"),
    "capitals before a word": ("tma descriptor", "TMADescriptor"),
    "capitals at the end": ("codegen hip", "codegenHIP"),
    "capitals and a plural": ("optimization hint", "OptimizationHints"),
    "a constant": ("max teeth", "MAX_TEETH"),
    "numbers divide and are dropped": ("conv belt", "conv2d_64_belt"),
    "single letters are dropped": ("grind", "x_grind_y"),
    "a dotted name": ("mill gear spin", "mill.gears.spin"),
    "an operator": ("aten spin out", "aten::spin.out"),
    "text": ("flip both gear", "Flip (both) gears!"),
    "next to Chinese": ("gear", "创建Gear选项"),
    "nothing": ("", ""),
    "only Chinese": ("", "创建选项"),
}


@pytest.mark.parametrize(("pieces", "name"), NAMES.values(), ids=NAMES.keys())
def test_a_name_is_cut_into_pieces(pieces: str, name: str) -> None:
    assert " ".join(pieces_of(name)) == pieces


@pytest.mark.parametrize(
    "forms",
    [
        ("expand", "expands", "expanded", "expanding"),
        ("match", "matches", "matched", "matching"),
        ("loss", "losses"),
        ("gear", "gears", "Gear", "GEARS"),
    ],
    ids=lambda forms: forms[0],
)
def test_forms_of_one_word_are_one_piece(forms: tuple[str, ...]) -> None:
    assert len({pieces_of(form) for form in forms}) == 1


@pytest.mark.parametrize(("one", "other"), [("ring", "r"), ("bed", "b"), ("spin", "spine"), ("gear", "year")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert pieces_of(one) != pieces_of(other)


@pytest.mark.parametrize("name", ["torch", "self", "npu", "NPU", "_in_", "from_as", "a", "__", "42"])
def test_what_stands_in_every_file_says_nothing(name: str) -> None:
    assert pieces_of(name) == ()


@given(st.text(st.sampled_from("aBcdEFs_1.创 "), max_size=20))
def test_pieces_are_lower_case_words_of_the_name_in_its_order(name: str) -> None:
    at, lowered = 0, name.lower()
    for piece in pieces_of(name):
        assert piece.isascii()
        assert piece.isalpha()
        assert len(piece) > 1
        found = lowered.find(piece, at)
        assert found >= 0
        at = found + len(piece)


@given(st.lists(st.sampled_from(["grind", "gear", "tooth", "belt"]), min_size=1, max_size=5))
def test_one_name_in_any_spelling_has_the_same_pieces(names: list[str]) -> None:
    expected = tuple(names)
    capitalised = "".join(name.capitalize() for name in names)
    assert pieces_of("_".join(names)) == pieces_of(capitalised) == pieces_of(".".join(names).upper()) == expected
