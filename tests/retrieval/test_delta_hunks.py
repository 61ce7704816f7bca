"""A delta from hunks alone: what they show, and nothing that they do not."""

from __future__ import annotations

import pytest

from retrieval.delta.fragments import blocks_of
from retrieval.delta.hunk_text import hunk_text
from retrieval.models import ChangeKind, DefinitionKind, Delta, Hunk, Language, Nature
from retrieval.symbols import parse_definitions
from tests.support.two_sides import PATH, delta_of, kinds, of_hunk

GEARS = """\
import os


def turn(gear, by=1):
    total = gear.teeth * by
    total += 1
    total += 2
    total += 3
    return total


class Gear(Wheel):
    size = 1

    def __init__(self, teeth):
        self.teeth = teeth
        self.ready = True
        self.worn = False
        self.load = 0

    def speed(self, load):
        if load > self.teeth:
            for tooth in self:
                tooth.bend()
                tooth.check()
                tooth.clean()
            return 0
        return self.teeth / load

    @staticmethod
    def name():
        return "gear"
"""


def hunks(old: str, new: str, *, headings: bool = True, context: int = 3, path: str = PATH) -> Delta:
    assert old != new
    return delta_of({path: (old, new)}, hunks_only=True, headings=headings, context=context)


def test_a_change_below_a_visible_header() -> None:
    delta = hunks(GEARS, GEARS.replace("total = gear.teeth * by", "total = gear.teeth"))
    (change,) = delta.definitions
    assert (change.kind, change.qualname, change.signature) == (ChangeKind.REWRITTEN, "turn", "(gear, by=1)")
    assert (change.added, change.removed, change.old_lines) == (1, 1, (4, 8))
    assert [(file.complete, file.nature) for file in delta.files] == [(False, Nature.CODE)]


def test_a_signature_change_in_the_hunk() -> None:
    (change,) = hunks(GEARS, GEARS.replace("by=1)", "by=1, *, twice=False)")).definitions
    assert [item.words for item in change.signature_changes] == ["新增仅关键字参数 twice=False"]


def test_the_heading_names_the_function() -> None:
    new = GEARS.replace("    total += 3\n", "    total += 4\n")
    (change,) = hunks(GEARS, new, context=1).definitions
    assert (change.kind, change.qualname, change.definition) == (ChangeKind.REWRITTEN, "turn", DefinitionKind.FUNCTION)
    assert (change.signature, change.parameters, change.signature_changes) == (None, (), ())
    assert (change.old_lines, change.new_lines) == ((7, 9), (7, 9))


def test_without_a_heading_nothing_is_invented() -> None:
    new = GEARS.replace("    total += 3\n", "    total += 4\n    extra = 1\n")
    delta = hunks(GEARS, new, context=1, headings=False)
    assert delta.definitions == ()
    assert delta.natures == (Nature.CODE,)


def test_a_method_of_a_class_out_of_sight_keeps_its_bare_name() -> None:
    new = GEARS.replace("tooth.check()", "tooth.check(1)")
    (change,) = hunks(GEARS, new, context=1).definitions
    assert (change.qualname, change.definition) == ("speed", DefinitionKind.METHOD)


def test_a_method_of_a_class_that_the_heading_names() -> None:
    hunk = Hunk(
        old_start=40,
        old_count=3,
        new_start=40,
        new_count=5,
        section="class Gear(Wheel):",
        lines=("     x = 1", " ", "+    def stop(self, now=True):", "+        return now", "     y = 2"),
    )
    from_heading = [
        (item.qualname, item.kind.value)
        for item in parse_definitions(hunk_text(hunk, Language.PYTHON)[1].data, Language.PYTHON)
    ]
    assert from_heading == [
        ("Gear", "class"),
        ("Gear.x", "variable"),
        ("Gear.stop", "method"),
        ("Gear.y", "variable"),
    ]


def test_locals_of_a_method_out_of_sight_are_no_members() -> None:
    lines = ("         a = 1", "-        b = use(1)", "+        b = use(2)", "         c = 3")
    assert kinds(of_hunk(lines, "class Gear:")) == {"Gear": "rewritten"}
    assert kinds(of_hunk(lines, "")) == {}


@pytest.mark.parametrize(
    ("kept", "section", "expected"),
    [
        # the end of a header, a bracket that the hunk closes, one that it leaves open
        (("     b,", " ) -> int:", "-    return a", "+    return b"), "def turn(", {"turn": "rewritten"}),
        (("         b,", "     )", "-    return a", "+    return b"), "def turn(a):", {"turn": "rewritten"}),
        (("-    x = call(", "+    x = other(", "         a,"), "def turn(a):", {"turn": "rewritten"}),
        # a header of a function inside the class that the heading names: its own name is out of sight
        (("         b,", "     ) -> int:", "-        return a", "+        return b"), "class Gear:", {
            "Gear": "rewritten"
        }),
        # decorators and self tell methods from functions inside
        (("     return 1", " ", "+    @property", "+    def f(x):", "+        return 1"), "def g(x):", {"f": "added"}),
        (("     return 1", " ", "+    def f(self):", "+        return 1"), "def g(", {"f": "added"}),
        (("     y = 1", "+    def f(x):", "+        return 1"), "def g(a, b):", {"g.f": "added"}),
    ],
)  # fmt: skip
def test_hunks_cut_anywhere(kept: tuple[str, ...], section: str, expected: dict[str, str]) -> None:
    assert kinds(of_hunk(kept, section)) == expected


def test_a_hunk_that_ends_inside_a_docstring() -> None:
    lines = ("     x: int = 1", "+    y: int = 2", " ", " ", " def f(a):", '     """', "     Turn.")
    delta = of_hunk(lines, "class Gear:")
    assert kinds(delta) == {"Gear": "rewritten", "Gear.y": "added"}


def test_a_hunk_that_starts_inside_a_docstring() -> None:
    lines = ("     def this is prose", '     """', "-    return a", "+    return b")
    assert kinds(of_hunk(lines, "def turn(a):")) == {"turn": "rewritten"}


def test_comment_only_and_layout_only_hunks() -> None:
    commented = of_hunk(("     a = 1", "-    # old", "+    # new", "     b = 2"), "def turn(a):")
    assert [(change.kind, change.nature) for change in commented.definitions] == [
        (ChangeKind.REFORMATTED, Nature.COMMENT)
    ]
    laid_out = of_hunk(("-    a = f(1, 2)", "+    a = f(", "+        1,", "+        2,", "+    )"), "def turn(a):")
    assert laid_out.natures == (Nature.FORMAT,)


def test_hunks_of_one_definition_are_joined() -> None:
    old = "def turn(a):\n" + "".join(f"    a{index} = {index}\n" for index in range(30))
    new = old.replace("a3 = 3", "a3 = 4").replace("a25 = 25", "a25 = 26")
    (change,) = hunks(old, new).definitions
    assert (change.qualname, change.added, change.removed) == ("turn", 2, 2)
    assert (change.old_lines, change.new_lines) == ((2, 30), (2, 30))


def test_an_added_and_a_deleted_file_are_wholly_shown() -> None:
    assert kinds(delta_of({PATH: (None, GEARS)}, hunks_only=True))["Gear.speed"] == "added"
    assert kinds(delta_of({PATH: (GEARS, None)}, hunks_only=True))["turn"] == "removed"


def test_lines_are_those_of_the_file() -> None:
    (change,) = of_hunk((" def f(a):", "-    return a", "+    b = 1", "+    return b"), "x").definitions
    assert (change.old_lines, change.new_lines) == ((50, 51), (60, 62))


def test_cpp_hunks() -> None:
    path = "aten/src/mill.cpp"
    (change,) = of_hunk(
        ("   int a = 1;", "-  use(a);", "+  use(a, 1);", "   return a;", " }"), "Tensor turn(", path
    ).definitions
    assert (change.qualname, change.kind, change.signature) == ("turn", ChangeKind.REWRITTEN, None)
    delta = of_hunk((" }", " ", "+int stop(int a) {", "+  return a;", "+}", " "), "class Gear : public Wheel {", path)
    assert kinds(delta) == {"stop": "added"}
    inside = of_hunk(("   if (x) {", "-    go(1);", "+    go(2);", "   }", " }"), "void Gear::turn(int x) {", path)
    assert kinds(inside) == {"Gear.turn": "rewritten"}


def test_blocks_of_insertions_and_deletions() -> None:
    hunk = Hunk(old_start=10, old_count=0, new_start=11, new_count=2, lines=("+a", "+b"))
    assert [(b.old_start, b.old_end, b.new_start, b.new_end) for b in blocks_of([hunk])] == [(11, 11, 11, 13)]
    mixed = Hunk(old_start=5, old_count=4, new_start=5, new_count=4, lines=(" a", "-b", "+c", " d", "-e", "+f"))
    assert [(b.old_start, b.old_end, b.new_start, b.new_end) for b in blocks_of([mixed])] == [
        (6, 7, 6, 7),
        (8, 9, 8, 9),
    ]


def test_whole_files_and_hunks_agree_where_hunks_show_enough() -> None:
    new = GEARS.replace("by=1", "by=2").replace("return 0", "return -1").replace('"gear"', '"cog"')
    whole = delta_of({PATH: (GEARS, new)})
    shown = hunks(GEARS, new, context=50)
    assert shown.definitions == whole.definitions
