"""What happened to each definition, with both whole files at hand."""

from __future__ import annotations

from retrieval.models import ChangeKind, DefinitionKind, Language, Nature
from tests.support.two_sides import PATH, change_of, delta_of, kinds

GEARS = """\
import os


def turn(gear, by=1):
    total = gear.teeth * by
    return total


class Gear(Wheel):
    size = 1

    def __init__(self, teeth):
        self.teeth = teeth
        self.ready = True

    def speed(self, load):
        if load > self.teeth:
            return 0
        return self.teeth / load
"""


def test_nothing_changed_is_an_empty_delta() -> None:
    delta = delta_of({PATH: (GEARS, GEARS)})
    assert (delta.definitions, delta.operators, delta.configs, delta.tests) == ((), (), (), ())


def test_added_function() -> None:
    change = change_of(GEARS, GEARS + "\n\ndef stop(gear):\n    gear.halt()\n    return None\n")
    assert (change.kind, change.definition, change.nature) == (
        ChangeKind.ADDED,
        DefinitionKind.FUNCTION,
        Nature.CODE,
    )
    assert (change.module, change.qualname, change.symbol) == ("torch._mill.gears", "stop", "torch._mill.gears.stop")
    assert (change.old_lines, change.new_lines, change.added, change.removed) == (None, (22, 24), 3, 0)
    assert (change.signature, change.old_signature) == ("(gear)", None)
    assert [item.name for item in change.parameters] == ["gear"]


def test_removed_function() -> None:
    change = change_of(GEARS, GEARS.replace(GEARS[GEARS.index("def turn") : GEARS.index("class Gear")], ""))
    assert (change.kind, change.qualname, change.old_lines, change.new_lines) == (
        ChangeKind.REMOVED,
        "turn",
        (4, 6),
        None,
    )
    assert (change.signature, change.old_signature) == (None, "(gear, by=1)")
    assert [item.name for item in change.parameters] == ["gear", "by"]
    assert (change.added, change.removed) == (0, 3)


def test_rewritten_method_does_not_change_its_class() -> None:
    change = change_of(GEARS, GEARS.replace("return 0", "return -1"))
    assert (change.kind, change.definition, change.qualname, change.nature) == (
        ChangeKind.REWRITTEN,
        DefinitionKind.METHOD,
        "Gear.speed",
        Nature.CODE,
    )
    assert (change.added, change.removed) == (1, 1)
    assert (change.old_lines, change.new_lines) == ((16, 19), (16, 19))


def test_resigned_function() -> None:
    change = change_of(GEARS, GEARS.replace("def turn(gear, by=1):", "def turn(gear, by=1, *, twice=False):"))
    assert change.kind is ChangeKind.RESIGNED
    assert [item.words for item in change.signature_changes] == ["新增仅关键字参数 twice=False"]
    assert (change.old_signature, change.signature) == ("(gear, by=1)", "(gear, by=1, *, twice=False)")


def test_a_new_method_leaves_the_class_alone() -> None:
    assert kinds(delta_of({PATH: (GEARS, GEARS + "\n    # how it ends\n    def stop(self):\n        return 0\n")})) == {
        "Gear.stop": "added"
    }


def test_class_header_bases_and_decorators_change_the_class() -> None:
    for old, new in (("Gear(Wheel)", "Gear(Disc)"), ("class Gear", "@frozen\nclass Gear")):
        change = change_of(GEARS, GEARS.replace(old, new))
        assert (change.kind, change.qualname, change.definition) == (
            ChangeKind.REWRITTEN,
            "Gear",
            DefinitionKind.CLASS,
        )
    assert change_of(GEARS, GEARS.replace("Gear(Wheel)", "Gear(Disc)")).bases == ("Disc",)


def test_a_class_variable_changes_its_class_too() -> None:
    assert kinds(delta_of({PATH: (GEARS, GEARS.replace("size = 1", "size = 2"))})) == {
        "Gear": "rewritten",
        "Gear.size": "rewritten",
    }
    assert kinds(delta_of({PATH: (GEARS, GEARS.replace("size = 1", "size = 1\n    weight: int = 0"))})) == {
        "Gear": "rewritten",
        "Gear.weight": "added",
    }
    assert kinds(delta_of({PATH: (GEARS, GEARS.replace("size = 1", "size: int = 1"))})) == {"Gear.size": "reformatted"}


def test_an_added_class_lists_its_methods_but_nothing_deeper() -> None:
    new = GEARS + (
        "\n\nclass Mill:\n    wheels = 4\n\n    def grind(self):\n        def inner():\n            return 1\n"
        "        return inner()\n\n    class Stone:\n        pass\n"
    )
    delta = delta_of({PATH: (GEARS, new)})
    assert kinds(delta) == {"Mill": "added", "Mill.grind": "added", "Mill.Stone": "added"}
    by_name = {change.qualname: change for change in delta.definitions}
    assert by_name["Mill.grind"].added == 4  # the inner function is part of it
    assert by_name["Mill"].added == 2  # its header and its variable


def test_an_enormous_class_is_bounded() -> None:
    methods = "".join(f"    def m{index}(self):\n        return {index} * self.size\n\n" for index in range(100))
    delta = delta_of({PATH: (None, f"class Huge:\n{methods}")})
    assert len(delta.definitions) == 41
    huge = next(change for change in delta.definitions if change.qualname == "Huge")
    assert huge.added == 1 + 60 * 2  # what is not listed is part of the class


def test_nested_functions_are_told_apart() -> None:
    old = "def f(x):\n    def g(y):\n        return y\n\n    return g(x)\n"
    assert kinds(delta_of({PATH: (old, old.replace("return y", "return y + 1"))})) == {"f.g": "rewritten"}
    assert kinds(delta_of({PATH: (old, old.replace("return g(x)", "return g(x) + 1"))})) == {"f": "rewritten"}
    added = old.replace("    return g(x)", "    def h(y):\n        return y\n\n    return g(h(x))")
    assert kinds(delta_of({PATH: (old, added)})) == {"f.h": "added", "f": "rewritten"}


def test_duplicates_are_matched_in_place() -> None:
    old = "if A:\n    def f(x):\n        return 1\nelse:\n    def f(x):\n        return 2\n"
    delta = delta_of({PATH: (old, old.replace("return 2", "return 3"))})
    assert [(change.qualname, change.kind.value, change.new_lines) for change in delta.definitions] == [
        ("f", "rewritten", (5, 6))
    ]


def test_a_duplicate_put_in_front_leaves_the_others_alone() -> None:
    old = "def g():\n    return 0\n\n\ndef f(x):\n    return 1\n\n\ndef f(x):\n    return 2\n"
    delta = delta_of(
        {PATH: (old, old.replace("def f(x):\n    return 1", "def f(x):\n    return 3\n\n\ndef f(x):\n    return 1"))}
    )
    assert [(change.qualname, change.kind.value, change.new_lines) for change in delta.definitions] == [
        ("f", "added", (5, 6))
    ]


def test_overloads_on_changed_lines_are_matched_by_signature() -> None:
    old = "int f(int a) { return 1; }\nint f(float a) { return 2; }\n"
    new = "int f(float a) { return 3; }\nint f(int a) { return 4; }\n"
    delta = delta_of({"aten/src/mill.cpp": (old, new)})
    assert {(change.kind.value, change.old_signature, change.signature) for change in delta.definitions} == {
        ("rewritten", "(float a) -> int", "(float a) -> int"),
        ("rewritten", "(int a) -> int", "(int a) -> int"),
    }


def test_a_name_on_an_unchanged_line_is_neither_added_nor_removed() -> None:
    broken = "x = 'a\n\n\nclass A(:\n    def g(self): return 1\n"
    mended = "x = 'a'\n\n\nclass A(:\n    def g(self): return 1\n"
    wrapped = "def f():\n    if 1:\n        pass\n\n    def g():\n        return 1\n"
    bare = wrapped.replace("def f():", "if True:")
    for old, new in ((broken, mended), (mended, broken), (wrapped, bare), (bare, wrapped)):
        assert {"g", "f.g", "A.g"}.isdisjoint(kinds(delta_of({PATH: (old, new)})))


def test_property_setters_are_kept_apart() -> None:
    old = "class A:\n    @property\n    def x(self): return self._x\n\n    @x.setter\n    def x(self, v): self._x = v\n"
    delta = delta_of({PATH: (old, old.replace("self._x = v", "self._x = v + 1"))})
    assert [(change.qualname, change.signature) for change in delta.definitions] == [("A.x", "(self, v)")]


def test_an_overload_more() -> None:
    old = "@overload\ndef f(x: int) -> int: ...\ndef f(x):\n    return x\n"
    new = "@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x):\n    return x\n"
    change = change_of(old, new)
    assert (change.kind, change.signature, change.nature) == (ChangeKind.ADDED, "(x: str) -> str", Nature.TYPING)


def test_comments_above_a_definition_belong_to_it() -> None:
    change = change_of(GEARS, GEARS.replace("def turn", "# how fast\ndef turn"))
    assert (change.kind, change.nature, change.qualname, change.added) == (
        ChangeKind.REFORMATTED,
        Nature.COMMENT,
        "turn",
        1,
    )


def test_blank_lines_belong_to_nobody() -> None:
    assert delta_of({PATH: (GEARS, GEARS.replace("\n\n\nclass", "\n\n\n\n\nclass"))}).definitions == ()


def test_added_and_deleted_files() -> None:
    added, deleted = delta_of({PATH: (None, GEARS)}), delta_of({PATH: (GEARS, None)})
    assert kinds(added) == dict.fromkeys(["turn", "Gear", "Gear.__init__", "Gear.speed"], "added")
    assert kinds(deleted) == dict.fromkeys(["turn", "Gear", "Gear.__init__", "Gear.speed"], "removed")
    assert added.modules == deleted.modules == ("torch._mill.gears",)


def test_a_kind_that_changes_is_a_rewrite() -> None:
    change = change_of("turn = spin\n", "def turn(x):\n    return spin(x)\n")
    assert (change.kind, change.definition) == (ChangeKind.REWRITTEN, DefinitionKind.FUNCTION)


def test_order_of_importance() -> None:
    new = (
        GEARS.replace("by=1", "by").replace("return 0", "return -1").replace("size = 1", "size = 1  # mm")
        + "\n    def stop(self):\n        return 0\n"
    )
    delta = delta_of({PATH: (GEARS, new)})
    assert [(change.kind.value, change.qualname) for change in delta.definitions] == [
        ("resigned", "turn"),
        ("rewritten", "Gear.speed"),
        ("added", "Gear.stop"),
        ("reformatted", "Gear.size"),
    ]


def test_much_changed_before_little() -> None:
    old = "def a():\n    return 1\n\n\ndef b():\n    return 1\n\n\nV = 1\n"
    new = (
        "def a():\n    return 2\n\n\ndef b():\n    x = 2\n    return x\n\n\nV = [\n    2,\n    3,\n    4,\n    5,\n]\n"
    )
    assert [change.qualname for change in delta_of({PATH: (old, new)}).definitions] == ["b", "a", "V"]


def test_line_ends_are_layout() -> None:
    old = "def f():\n    return '''a\n    b'''\n"
    change = change_of(old, old.replace("\n", "\r\n"))
    assert (change.kind, change.nature) == (ChangeKind.REFORMATTED, Nature.FORMAT)


def test_the_same_input_gives_the_same_delta() -> None:
    files = {PATH: (GEARS, GEARS.replace("teeth", "cogs")), "torch/_mill/b.py": ("x = 1\n", "y = turn(x, 1)\n")}
    assert delta_of(files) == delta_of(files)


def test_other_languages_and_binary_names_are_files_only() -> None:
    delta = delta_of({"torch/_mill/table.json": ("{}\n", '{"a": 1}\n')})
    assert delta.definitions == ()
    assert [(file.language, file.nature, file.added) for file in delta.files] == [(Language.OTHER, Nature.CODE, 1)]


def test_cpp_methods_and_overloads() -> None:
    old = "int f(int a) { return a; }\nint f(float a) { return 0; }\nvoid A::g(int x) { h(x); }\n"
    delta = delta_of({"aten/src/mill.cpp": (old, old.replace("return 0", "return 1").replace("h(x)", "h(x, 1)"))})
    assert [(change.qualname, change.kind.value, change.definition.value) for change in delta.definitions] == [
        ("f", "rewritten", "function"),
        ("A.g", "rewritten", "method"),
    ]
    assert delta.definitions[0].signature == "(float a) -> int"
    assert delta.definitions[0].module == "aten/src/mill.cpp"
    assert delta.modules == ()
