"""Token layers: what a difference between two bodies is about, and what leaves no trace at all."""

from __future__ import annotations

import pytest

from retrieval.definitions import Layer
from retrieval.delta.natures import NameMap, difference
from retrieval.models import Language, Nature
from retrieval.symbols import parse_definitions

NO_NAMES = NameMap({})


def nature(old: str, new: str, language: Language = Language.PYTHON, names: NameMap = NO_NAMES) -> Nature:
    before, after = (parse_definitions(source.encode(), language)[0] for source in (old, new))
    return difference(before.tokens(), after.tokens(), names)


def body(text: str) -> str:
    lines = text.split("\n")
    return "def f(a, b, log):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return g(a, b)", "return g(\n    a,\n    b,\n)"),
        ("return (a + b)", "return a + b"),
        ("return a + b * a", "return (a + (b * a))"),
        ("x = 'a'", 'x = "a"'),
        ("return a, b", "return (a, b)"),
        ("x = a; y = b", "x = a\ny = b"),
        ("return (\n    a\n    and b\n)", "return a and \\\n    b"),
        ("for (x, y) in a: g(x)", "for x, y in a:\n    g(x)"),
        ("x = u'a'", "x = 'a'"),
    ],
)
def test_layout_leaves_no_trace(old: str, new: str) -> None:
    assert nature(body(old), body(new)) is Nature.FORMAT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return (a + b) * a", "return a + b * a"),
        ("return (a,)", "return (a)"),
        ("return a[1:]", "return a[:1]"),
        ("return 'a'", "return b'a'"),
        ("if a:\n    g(a)\nh(b)", "if a:\n    g(a)\n    h(b)"),
        ("return not a", "return a"),
        ("return f'{a}'", "return f'{b}'"),
        ("return g(a)(b)", "return g((a)(b))"),
        ("return [a]", "return (a)"),
    ],
)
def test_what_changes_behaviour_does(old: str, new: str) -> None:
    assert nature(body(old), body(new)) is Nature.CODE


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return a", "# why\nreturn a", Nature.COMMENT),
        ("return a", '"""Doc."""\nreturn a', Nature.COMMENT),
        ("return a  # noqa", "return a", Nature.COMMENT),
        ("return a  # type: ignore[x]", "return a", Nature.TYPING),
        ("return a", "return a  # pyrefly: ignore", Nature.TYPING),
        ("x = a", "x: int = a", Nature.TYPING),
        ("return a", "x: int\nreturn a", Nature.TYPING),
        ("return a", "return cast(int, a)", Nature.TYPING),
        ("return a", "from typing import Any\nreturn a", Nature.TYPING),
        ("return a", "if TYPE_CHECKING:\n    from x import y\nreturn a", Nature.TYPING),
        ("return a", "log.debug('x %s', a)\nreturn a", Nature.LOGGING),
        ("return a", "print(a)\nreturn a", Nature.LOGGING),
        ("return a", "graph_log.warning(a)\nreturn a", Nature.LOGGING),
        ("raise ValueError('x')", "raise ValueError('y' 'z')", Nature.LOGGING),
        ("raise ValueError('x')", "raise TypeError('x')", Nature.CODE),
        ("raise ValueError(a)", "raise ValueError(b)", Nature.CODE),
        ("return a", "catalog.info(a)\nreturn a", Nature.CODE),
        ("return a", "x = log.debug(a)\nreturn a", Nature.CODE),
    ],
)
def test_layers(old: str, new: str, expected: Nature) -> None:
    assert nature(body(old), body(new)) is expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("assert a", "if not a:\n    raise AssertionError('a')"),
        ("assert not a, 'm'", "if a:\n    raise AssertionError"),
        ("assert a is not None", "if a is None:\n    raise AssertionError(f'{a} is None')"),
        ("assert a == b, f'{a}'", "if a != b:\n    raise AssertionError(f'{a}')"),
        ("assert a in b", "if a not in b:\n    raise AssertionError('x')"),
        ("assert a and b", "if not (a and b):\n    raise AssertionError('x')"),
        ("assert a and b is None", "if not a or b is not None:\n    raise AssertionError('x')"),
        ("assert isinstance(a, b)", "if not isinstance(a, b):\n    raise AssertionError(f'expected {b}')"),
        ("assert a < b", "if a >= b:\n    raise AssertionError('x')"),
        ("assert a >= b", "if a < b:\n    raise AssertionError('x')"),
        ("assert a > b", "if a <= b:\n    raise AssertionError('x')"),
        ("assert a < b < 3", "if not (a < b < 3):\n    raise AssertionError('x')"),
    ],
)
def test_a_mechanical_assert_rewrite_is_format(old: str, new: str) -> None:
    assert nature(body(old), body(new)) is Nature.FORMAT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("assert a", "if a:\n    raise AssertionError('a')"),
        ("assert a is not None", "if a is not None:\n    raise AssertionError('x')"),
        ("assert a", "if not a:\n    raise ValueError('a')"),
        ("assert a", "if not b:\n    raise AssertionError('a')"),
        ("assert a", "if not a:\n    raise AssertionError('a')\nelse:\n    g()"),
        ("assert a and b", "if not a and not b:\n    raise AssertionError('x')"),
    ],
)
def test_an_assertion_that_changed_is_code(old: str, new: str) -> None:
    assert nature(body(old), body(new)) is Nature.CODE


def test_only_the_message_of_an_assertion_is_logging() -> None:
    assert nature(body("assert a, 'x'"), body("assert a, 'y'")) is Nature.LOGGING


def test_fields_of_a_class_are_no_mere_annotations() -> None:
    assert nature("class A:\n    x: int\n", "class A:\n    x: int\n    y: int\n") is Nature.CODE
    assert nature("class A:\n    x: int\n", "class A:\n    x: str\n") is Nature.TYPING
    assert nature("class A():\n    x = 1\n", "class A:\n    x = 1\n") is Nature.FORMAT


def test_signatures_differ_in_layers_too() -> None:
    assert nature("def f(a, b=1): ...\n", "def f(a: int, b: int = 1) -> str: ...\n") is Nature.TYPING
    assert nature("def f(a, b=1): ...\n", "def f(a, b=2): ...\n") is Nature.CODE


def test_renamed_names_are_a_rename() -> None:
    names = NameMap({"old_gear": "new_gear"})
    old, new = body("return old_gear(a, 'old_gear')"), body("return new_gear(a, 'new_gear')")
    assert nature(old, new, names=names) is Nature.RENAME
    assert nature(old, body("return new_gear(b, 'new_gear')"), names=names) is Nature.CODE
    assert nature(old, new) is Nature.CODE


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("int f() { return 1; }", "int f()\n{\n  return 1;\n}", Nature.FORMAT),
        ("int f() { return 1; }", "int f() { return 1; /* one */ }", Nature.COMMENT),
        ("int f() { return 1; }", "int f() { TORCH_WARN(x); return 1; }", Nature.LOGGING),
        ('int f() { TORCH_CHECK(a, "x"); }', 'int f() { TORCH_CHECK(a, "y", z); }', Nature.LOGGING),
        ('int f() { TORCH_CHECK(a, "x"); }', 'int f() { TORCH_CHECK(b, "x"); }', Nature.CODE),
        ("int f() { return 1; }", "MILL_API int f() { return 1; }", Nature.CODE),
        ("#define F(x) \\\n  g(x)\n", "#define F(x)   \\\n    g(x)\n", Nature.FORMAT),
        ("#define F(x) g(x)\n", "#define F(x) h(x)\n", Nature.CODE),
    ],
)
def test_cpp_layers(old: str, new: str, expected: Nature) -> None:
    assert nature(old, new, Language.CPP) is expected


def test_fingerprints_tell_looks_from_behaviour() -> None:
    def prints(source: str) -> tuple[str, str]:
        print_ = parse_definitions(source.encode(), Language.PYTHON)[0].fingerprint()
        return print_.exact, print_.code

    plain = prints("def f(a):\n    return a\n")
    assert prints("def f(\n    a,\n):\n    return (a)\n") == plain
    commented = prints("def f(a):\n    # why\n    return a\n")
    assert commented[0] != plain[0]
    assert commented[1] == plain[1]
    assert prints("def f(a):\n    return b\n")[1] != plain[1]


def test_skipped_nodes_leave_no_tokens() -> None:
    outer, inner = parse_definitions(
        b"def f():\n    @d\n    def g():\n        return 1\n    return g\n", Language.PYTHON
    )
    texts = [text for text, _ in outer.tokens({inner.whole.id})]
    assert "d" not in texts
    assert "return" in texts
    assert {layer for _, layer in outer.tokens()} == {Layer.CODE}
