"""Differences of signatures in words, and whether anybody can stumble over them."""

from __future__ import annotations

import pytest

from retrieval.delta.signatures import compare_signatures
from retrieval.models import Language, SignatureChangeKind
from retrieval.symbols import parse_definitions
from tests.support.two_sides import change_of


def said(old: str, new: str, language: Language = Language.PYTHON) -> list[tuple[str, bool]]:
    frame = "def f{}: ...\n" if language is Language.PYTHON else "{}"
    before, after = (parse_definitions(frame.format(text).encode(), language)[0].header() for text in (old, new))
    return [(change.words, change.breaking) for change in compare_signatures(before, after, language)]


@pytest.mark.parametrize(
    ("old", "new", "words", "breaking"),
    [
        ("(x)", "(x, *, implicit=False)", "新增仅关键字参数 implicit=False", True),
        ("(x)", "(x, *, mode)", "新增必填仅关键字参数 mode", True),
        ("(x)", "(x, y)", "新增必填参数 y", True),
        ("(x)", "(x, y=1)", "新增可选参数 y=1", True),
        ("(x)", "(x, *rest)", "新增可变位置参数 *rest", True),
        ("(x)", "(x, **rest)", "新增可变关键字参数 **rest", True),
        ("(x, y)", "(x)", "删除参数 y", True),
        ("(x, **rest)", "(x)", "删除参数 **rest", True),
        ("(a)", "(b)", "参数 a 改名为 b", True),
        ("(x, a: int, y)", "(x, b: int, y)", "参数 a 改名为 b", True),
        ("(a, /)", "(b, /)", "参数 a 改名为 b", False),
        ("(*a)", "(*b)", "参数 a 改名为 b", False),
        ("(x=1)", "(x=2)", "参数 x 的默认值由 1 改为 2", False),
        ("(x)", "(x=2)", "参数 x 由必填改为可选，默认值为 2", True),
        ("(x=1)", "(x)", "参数 x 由可选（默认值 1）改为必填", True),
        ("(x, y)", "(x, *, y)", "参数 y 改为仅关键字", True),
        ("(x, *, y)", "(x, y)", "参数 y 改为普通（位置或关键字均可）", True),
        ("(x, y)", "(x, /, y)", "参数 x 改为仅位置", True),
        ("(x, y)", "(y, x)", "参数顺序由 (x, y) 改为 (y, x)", True),
        ("(x) -> A", "(x) -> B", "返回类型由 A 改为 B", True),
        ("(x) -> A", "(x) -> A | None", "返回类型由 A 改为 A | None", False),
        ("(x) -> list[A]", "(x) -> Sequence[A]", "返回类型由 list[A] 改为 Sequence[A]", False),
        ("(x) -> tuple[A, B]", "(x) -> Pair", "返回类型由 tuple[A, B] 改为 Pair", True),
        ("(x) -> Any", "(x) -> B", "返回类型由 Any 改为 B", False),
    ],
)
def test_one_difference(old: str, new: str, words: str, breaking: bool) -> None:
    assert said(old, new) == [(words, breaking)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(x)", "(x: int)"),
        ("(x) -> A", '(x) -> "mod.A"'),
        ("(x)", "(x) -> A"),
        ("(x='a', y=[1, 2])", '(x="a", y=[\n 1,\n 2,\n])'),
        ("(self, x)", "(cls, x)"),
    ],
)
def test_no_difference(old: str, new: str) -> None:
    assert said(old, new) == []


def test_several_differences_in_order() -> None:
    assert [words for words, _ in said("(a, b, c=1)", "(c=2, a, *, d)")] == [
        "参数 c 的默认值由 1 改为 2",
        "新增必填仅关键字参数 d",
        "删除参数 b",
        "参数顺序由 (a, c) 改为 (c, a)",
    ]


def test_a_different_annotation_is_another_parameter() -> None:
    assert [words for words, _ in said("(a: int)", "(b: str)")] == ["新增必填参数 b", "删除参数 a"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("void f(int a);", "void f(int a, bool b = true);", [("新增可选参数 b=true", True)]),
        ("void f(int a);", "void f(int renamed);", []),
        ("void f(int a);", "void f(float a);", [("参数 a 的类型由 int 改为 float", True)]),
        ("void f(int);", "void f(float);", [("参数 float 的类型由 int 改为 float", True)]),
        ("void f(int a, int b);", "void f(int b);", [("删除参数 a", True)]),
        ("void f(int a = 1);", "void f(int a = 2);", [("参数 a 的默认值由 1 改为 2", False)]),
        ("int f();", "bool f();", [("返回类型由 int 改为 bool", True)]),
    ],
)
def test_cpp(old: str, new: str, expected: list[tuple[str, bool]]) -> None:
    assert said(old, new, Language.CPP) == expected


def test_values_travel_with_the_words() -> None:
    change = change_of("def f(x, *, a=1): ...\n", "def f(x, *, a=2, b): ...\n")
    assert [(item.kind, item.name, item.old, item.new) for item in change.signature_changes] == [
        (SignatureChangeKind.DEFAULT_CHANGED, "a", "1", "2"),
        (SignatureChangeKind.PARAMETER_ADDED, "b", None, "b"),
    ]


def test_annotations_alone_are_no_signature_change() -> None:
    change = change_of("def f(x) -> A:\n    return x\n", "def f(x: int) -> B:\n    return x\n")
    assert (change.kind.value, change.nature.value, change.signature_changes) == ("reformatted", "typing", ())


def test_a_return_type_that_changes_with_the_body_is() -> None:
    change = change_of("def f(x) -> A:\n    return x\n", "def f(x) -> B:\n    return B(x)\n")
    assert (change.kind.value, change.nature.value) == ("resigned", "code")
    assert [item.kind for item in change.signature_changes] == [SignatureChangeKind.RETURN_CHANGED]
