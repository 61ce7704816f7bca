"""Definitions of Python files: names, lines, headers, and sources that no compiler would take."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.definitions import Definition
from retrieval.models import DefinitionKind, Language, ParameterKind
from retrieval.symbols import Source, definitions_of, language_of, module_of, parse_definitions, parse_source
from retrieval.syntax import LineEdit, parse_edited

SOURCE = '''\
import os

LIMIT: int = 3
a, (b, *c) = one = two()
X.attribute = 1


@register(aten.mill)
@functools.wraps(
    other,
)
def outer(x, /, y: int = 1, *args, key, flag: bool = True, **rest) -> dict[str, int]:
    local = 1

    async def inner():
        def deepest(): ...

    class Local:
        field = 2

    return local


class Gear(Base, Generic[T], metaclass=Meta):
    """Doc."""

    teeth: int
    ratio: float = 1.0

    def __init__(self, teeth): self.teeth = teeth

    @property
    def speed(self): return 1

    @speed.setter
    def speed(self, value): pass

    class Tooth:
        size = 1


if os.name == "nt":
    def platform(): return 1
else:
    def platform(): return 2

try:
    FLAG = True
except ImportError:
    FLAG = False

type Alias[T] = list[T]
'''


def python(source: str | bytes) -> tuple[Definition, ...]:
    data = source.encode() if isinstance(source, str) else source
    return parse_definitions(data, Language.PYTHON)


def named(source: str, qualname: str) -> Definition:
    return next(definition for definition in python(source) if definition.qualname == qualname)


def test_every_definition_is_found_in_source_order() -> None:
    found = [(definition.qualname, definition.kind.value) for definition in python(SOURCE)]
    assert found == [
        ("LIMIT", "variable"),
        ("a", "variable"),
        ("b", "variable"),
        ("c", "variable"),
        ("one", "variable"),
        ("outer", "function"),
        ("outer.inner", "function"),
        ("outer.inner.deepest", "function"),
        ("outer.Local", "class"),
        ("outer.Local.field", "variable"),
        ("Gear", "class"),
        ("Gear.teeth", "variable"),
        ("Gear.ratio", "variable"),
        ("Gear.__init__", "method"),
        ("Gear.speed", "method"),
        ("Gear.speed", "method"),
        ("Gear.Tooth", "class"),
        ("Gear.Tooth.size", "variable"),
        ("platform", "function"),
        ("platform", "function"),
        ("FLAG", "variable"),
        ("FLAG", "variable"),
        ("Alias", "variable"),
    ]


def test_lines_include_decorators_and_name_line_does_not() -> None:
    outer = named(SOURCE, "outer")
    assert (outer.start_line, outer.name_line, outer.end_line) == (8, 12, 21)
    assert SOURCE.split("\n")[outer.name_line - 1].startswith("def outer")
    assert SOURCE.split("\n")[outer.end_line - 1].strip() == "return local"


def test_duplicates_keep_their_own_lines() -> None:
    getter, setter = (definition for definition in python(SOURCE) if definition.qualname == "Gear.speed")
    assert getter.end_line < setter.start_line
    assert (getter.decorators, setter.decorators) == (("property",), ("speed.setter",))


def test_outer_and_parent() -> None:
    deepest = named(SOURCE, "outer.inner.deepest")
    assert deepest.parent == "outer.inner"
    assert deepest.outer is not None
    assert deepest.outer.qualname == "outer.inner"
    assert named(SOURCE, "outer").parent == ""


def test_parameters_have_kind_default_and_annotation() -> None:
    found = [(item.name, item.kind, item.default, item.annotation) for item in named(SOURCE, "outer").parameters]
    assert found == [
        ("x", ParameterKind.POSITIONAL_ONLY, None, None),
        ("y", ParameterKind.POSITIONAL_OR_KEYWORD, "1", "int"),
        ("args", ParameterKind.VAR_POSITIONAL, None, None),
        ("key", ParameterKind.KEYWORD_ONLY, None, None),
        ("flag", ParameterKind.KEYWORD_ONLY, "True", "bool"),
        ("rest", ParameterKind.VAR_KEYWORD, None, None),
    ]


def test_typed_splats_and_bare_star() -> None:
    header = named("def f(*args: int, a, **kw: str): ...\ndef g(a, *, b=[\n  1,\n  2,\n]): ...\n", "f").header()
    assert [(item.name, item.kind, item.annotation) for item in header.parameters] == [
        ("args", ParameterKind.VAR_POSITIONAL, "int"),
        ("a", ParameterKind.KEYWORD_ONLY, None),
        ("kw", ParameterKind.VAR_KEYWORD, "str"),
    ]
    second = named("def g(a, *, b=[\n  1,\n  2,\n]): ...\n", "g")
    assert [(item.name, item.kind, item.default) for item in second.parameters] == [
        ("a", ParameterKind.POSITIONAL_OR_KEYWORD, None),
        ("b", ParameterKind.KEYWORD_ONLY, "[1, 2]"),
    ]


def test_signature_is_folded_as_written() -> None:
    source = (
        "def f(\n    self,  # type: ignore\n    x: 'int' = (1,),\n    *,\n    y,\n) -> Optional[\n    int,\n]: ...\n"
    )
    assert named(source, "f").signature == "(self, x: 'int' = (1,), *, y) -> Optional[int]"
    assert named(source, "f").returns == "Optional[int]"


def test_class_and_variable_headers() -> None:
    assert named(SOURCE, "Gear").bases == ("Base", "Generic[T]", "metaclass=Meta")
    assert named(SOURCE, "outer").decorators == ("register(aten.mill)", "functools.wraps(other,)")
    limit = named(SOURCE, "LIMIT").header()
    assert (limit.annotation, limit.value) == ("int", "3")
    assert named("a = b = f(1)\n", "b").header().value == "f(1)"
    assert named(SOURCE, "Gear.teeth").header().value is None


def test_byte_order_mark_crlf_and_tabs() -> None:
    plain = "def f():\n\tx = 1\n\n\tdef g():\n\t\treturn x\n\treturn g\n"
    marked = b"\xef\xbb\xbf" + plain.replace("\n", "\r\n").encode()
    expected = [("f", 1, 6), ("f.g", 4, 5)]
    for data in (plain.encode(), marked, plain.encode("utf-16")):
        assert [(item.qualname, item.start_line, item.end_line) for item in python(data)] == expected


def test_bytes_that_are_not_utf8_keep_their_lines() -> None:
    found = python(b"# caf\xe9\nNAME = '\xff\xfe'\n\ndef f():\n    return '\xe9'\n")
    assert [(item.qualname, item.start_line) for item in found] == [("NAME", 2), ("f", 4)]


def test_line_separators_of_unicode_are_no_line_ends() -> None:
    found = python("TEXT = 'a\u2028b\x0cc'\ndef f(): ...\n")
    assert [(item.qualname, item.start_line) for item in found] == [("TEXT", 1), ("f", 2)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(:\n    pass\n\ndef g(): ...\n", "g"),
        ("class A:\n    def f(self): return 1)\n\nclass B:\n    def g(self): ...\n", "B"),
        ("x = = 3\n\ndef g(): ...\n", "g"),
        ("{% if x %}\ndef g(): ...\n{% endif %}\n", "g"),
        ("def g(): ...\n\x00\x01", "g"),
    ],
)
def test_syntax_errors_leave_what_parses(source: str, expected: str) -> None:
    assert expected in {item.qualname.split(".")[-1] for item in python(source)}


def test_empty_sources() -> None:
    assert python(b"") == ()
    assert python(b"\n\n# nothing\n") == ()


def test_deep_nesting_is_no_recursion() -> None:
    depth = 3000
    assert python("x = " + "(" * depth + "1" + ")" * depth + "\n")[0].qualname == "x"
    nested = "".join(f"{' ' * level}def f{level}():\n" for level in range(200)) + " " * 200 + "pass\n"
    assert len(python(nested)) == 200
    long_sum = "total = " + " + ".join(["1"] * 20_000) + "\n"
    assert len(python(long_sum)[0].tokens()) > 20_000


def test_header_holds_no_tree_for_a_stub() -> None:
    found = python("def f(x: int = ...) -> str: ...\n@overload\ndef f(x: str) -> int: ...\n")
    assert [item.signature for item in found] == ["(x: int = ...) -> str", "(x: str) -> int"]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", Language.PYTHON),
        ("a/b.pyi", Language.PYTHON),
        ("a/b.cu", Language.CPP),
        ("a/b.mm", Language.CPP),
        ("a/b.h", Language.CPP),
        ("a/b.c", Language.CPP),
        ("a/b.md", Language.OTHER),
        ("py", Language.OTHER),
    ],
)
def test_language_of(path: str, language: Language) -> None:
    assert language_of(path) is language


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("torch/_mill/gears.py", "torch._mill.gears"),
        ("torch/_mill/__init__.py", "torch._mill"),
        ("torch/_C/_mill.pyi", "torch._C._mill"),
        ("setup.py", "setup"),
        ("__init__.py", "__init__"),
        ("aten/src/Mill.cpp", "aten/src/Mill.cpp"),
    ],
)
def test_module_of(path: str, module: str) -> None:
    assert module_of(path) == module


def test_other_languages_have_no_definitions() -> None:
    assert parse_definitions(b"# Title\n", Language.OTHER) == ()


def test_kinds_are_those_of_the_model() -> None:
    assert {item.kind for item in python(SOURCE)} == set(DefinitionKind)


def shape(source: Source) -> str:
    """The whole tree with the places of its nodes."""
    pending, parts = [source.root], []
    while pending:
        node = pending.pop()
        parts.append(f"{node.type} {node.start_byte} {node.end_byte} {node.start_point} {node.end_point}")
        pending.extend(node.children)
    return "\n".join(parts)


LINES = st.lists(
    st.sampled_from(
        [
            "def f(x):",
            "    return x",
            "class A:",
            "    y = 1",
            "    def g(self):",
            "        pass",
            "",
            "z = [",
            "]",
            "'''",
        ]
    ),
    max_size=12,
)


@given(LINES, LINES, LINES, LINES, LINES, st.sampled_from([Language.PYTHON, Language.CPP]))
@settings(max_examples=150, deadline=None)
def test_an_edited_tree_is_the_tree_of_the_new_text(
    head: list[str], old: list[str], new: list[str], middle: list[str], tail: list[str], language: Language
) -> None:
    def text(changed: list[str]) -> bytes:
        return "\n".join([*head, *changed, *middle, *changed, *tail]).encode()

    first = len(head) + 1
    second = (first + len(old) + len(middle), first + len(new) + len(middle))
    edits = [
        LineEdit(first, first + len(old), first, first + len(new)),
        LineEdit(second[0], second[0] + len(old), second[1], second[1] + len(new)),
    ]
    edited = parse_edited(text(new), parse_source(text(old), language), edits)
    fresh = parse_source(text(new), language)
    assert shape(edited) == shape(fresh)


def test_edits_that_hide_a_difference_are_not_trusted() -> None:
    old = parse_source(b"a = 1\nb = 2\nc = 3\n", Language.PYTHON)
    edited = parse_edited(b"a = 9\nb = 2\ndef f(): ...\n", old, [LineEdit(1, 2, 1, 2)])
    assert [item.qualname for item in definitions_of(edited)] == ["a", "b", "f"]
