"""How alike definitions are, in order and up to one renaming, and which lines they share."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from retrieval.copies.alignment import Piece, align, ceiling
from retrieval.models import AlignedBlock, Language
from tests.support.tree import code

SPIN = code(
    """
    def spin(gear, speed, quiet=False):
        gear = promote(gear)

        if isinstance(gear, Fixed):
            return Fixed.create(gear, tuple(speed))
        assert isinstance(gear, Free)
        if tuple(gear.teeth()) == tuple(speed):
            return gear
        return Free.create(gear, tuple(speed), quiet)
    """
)


def similarity(one: str, other: str) -> float:
    return align(Piece(one, Language.PYTHON), Piece(other, Language.PYTHON)).similarity


def lines_of(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    blocks = align(Piece(SPIN, Language.PYTHON), Piece(text, Language.PYTHON)).blocks
    return [(block.upstream, block.downstream) for block in blocks]


def test_a_copy_with_its_locals_renamed_is_a_whole_copy() -> None:
    renamed = SPIN.replace("gear", "wheel").replace("speed", "pace").replace("def spin", "def turn_round")
    assert similarity(SPIN, renamed) == 1.0


def test_names_that_no_renaming_makes_equal_are_not_alike() -> None:
    mixed = SPIN.replace("create(gear, tuple(speed))", "create(speed, tuple(gear))")
    assert 0.8 < similarity(SPIN, mixed) < 1.0


def test_a_local_edit_costs_its_own_tokens() -> None:
    assert 0.95 < similarity(SPIN, SPIN.replace("promote(", "npu_promote(")) < 1.0


def test_a_method_turned_function_is_nearly_whole() -> None:
    assert similarity(SPIN, SPIN.replace("spin(gear,", "spin(self, gear,")) > 0.9


def test_order_counts() -> None:
    head, *body = SPIN.splitlines(keepends=True)
    assert similarity(SPIN, "".join((head, *reversed(body)))) < 0.8


def test_short_pieces_are_like_any_other() -> None:
    getter = "def name(self):\n    return self._name\n"
    assert similarity(getter, getter) == 0.0


def test_arithmetic_on_locals_shares_no_telling_words() -> None:
    one = Piece("def f(a, b, c):\n" + "    a = a * b + c\n" * 6, Language.PYTHON)
    other = Piece("def g(x, y, z):\n" + "    x = x * y + z\n" * 6, Language.PYTHON)
    assert one.telling & other.telling == frozenset()
    assert Piece(SPIN, Language.PYTHON).telling >= {"promote(", "Fixed", ".create(", ".teeth("}


def test_the_ceiling_of_equal_pieces_and_of_strangers() -> None:
    stranger = Piece("def f(table):\n" + "    for key in table.keys(): yield Key(key)\n" * 3, Language.PYTHON)
    assert ceiling(Piece(SPIN, Language.PYTHON), Piece(SPIN, Language.PYTHON)) == 1.0
    assert ceiling(Piece(SPIN, Language.PYTHON), stranger) < 0.2


def test_lines_that_both_have() -> None:
    assert lines_of(SPIN) == [((1, 9), (1, 9))]
    edited = SPIN.replace("        return gear\n", "        log(gear)\n        return gear\n").replace("Fixed", "Solid")
    assert lines_of(edited) == [((1, 2), (1, 2)), ((5, 7), (5, 7)), ((8, 9), (9, 10))]


def test_blank_lines_and_comments_do_not_part_a_block() -> None:
    loose = SPIN.replace("    assert", "    # both kinds\n\n    assert")
    assert lines_of(loose) == [((1, 9), (1, 11))]


def test_a_table_with_many_equal_runs_takes_no_time() -> None:
    table = "def table():\n    return {\n" + "        'a': Kind.FIRST,\n" * 3000 + "    }\n"
    assert similarity(table, table.replace("table():", "other():") + "    # end\n") == 1.0
    assert similarity(table, table.replace("return {", "return Table({").replace("    }\n", "    })\n")) < 1.0


NAMES = st.sampled_from(["gear", "speed", "x", "Gear", "turn", "size"])
CALLS = st.builds("{}.{}({})".format, NAMES, NAMES, NAMES)
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, NAMES, CALLS),
    st.builds("if {}: {} = {}({})".format, NAMES, NAMES, NAMES, CALLS),
    st.builds("return {}".format, CALLS),
)
FUNCTIONS = st.lists(STATEMENTS, min_size=4, max_size=14).map(
    lambda body: "def f(gear, speed):\n" + "".join(f"    {line}\n" for line in body)
)


@given(FUNCTIONS, FUNCTIONS)
def test_similarity_is_symmetric_and_one_on_itself(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, one) == 1.0


@given(FUNCTIONS, FUNCTIONS, st.integers(0, 3), st.sampled_from(["# gear.turn(", "#", "# it's"]))
def test_white_space_and_comments_change_nothing(one: str, other: str, blank: int, comment: str) -> None:
    loose = one.replace("\n", f"  {comment}\n" + "\n" * blank).replace(" = ", "  =   ").replace("(", "( ")
    assert similarity(loose, other) == similarity(one, other)
    assert similarity(loose, one) == 1.0


@given(FUNCTIONS, FUNCTIONS)
def test_blocks_ascend_and_lie_within_the_texts(one: str, other: str) -> None:
    blocks = align(Piece(one, Language.PYTHON), Piece(other, Language.PYTHON)).blocks
    for block in blocks:
        assert 1 <= block.upstream[0] <= block.upstream[1] <= one.count("\n")
        assert 1 <= block.downstream[0] <= block.downstream[1] <= other.count("\n")
    for before, after in pairwise(blocks):
        assert ends_before(before, after)


def ends_before(one: AlignedBlock, other: AlignedBlock) -> bool:
    return one.upstream[1] < other.upstream[0] and one.downstream[1] < other.downstream[0]
