"""`chains`: every dotted chain of the code, and nothing that is text."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.coupling.chains import chains, code_of, dotted, names_of
from retrieval.coupling.python_source import PythonSource


def _chains(source: str) -> list[str]:
    """Chains as ``a.b``, and ``.b`` for those on an expression."""
    found = chains(PythonSource(source.encode()))
    return [".".join(names_of(text)) for _, text in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.b.c\n", ["a.b.c"]),
        ("a . b\n", ["a.b"]),
        ("f(a).b.c\n", ["f", "a", ".b.c"]),
        ("a[0].b\n", ["a", ".b"]),
        ("'x'.join(a)\n", [".join", "a"]),
        ("{}.get(a)\n", [".get", "a"]),
        ("(a\n .b\n .c)\n", ["a.b.c"]),
        ("(a  # comment.x\n .b)\n", ["a.b"]),
        ("(f()  # comment\n  # another\n  .b)\n", ["f", ".b"]),
        ("a.\\\nb\n", ["a.b"]),
        ("x = a \\\n    .b\n", ["x", "a.b"]),
        ("a if b else c\n", ["a", "b", "c"]),
        ("not a\n", ["a"]),
        ("lambda: a\n", ["a"]),
        ("1.e5 + .5 + 0xFF + 1_0j + 1.0.real\n", []),
        ("x = ...\ny\n", ["x", "y"]),
        ("f'{a.b} text {c!r:>{d.e}.2f} {{g}}'\n", ["a.b", "c", "d.e"]),
        ("rb'x' + B'y' + F'{z}'\n", ["z"]),
        ("a; b\n", ["a", "b"]),
        ("@a.b\ndef f(): ...\n", ["a.b"]),
        ("f(a=b, **c)\n", ["f", "b", "c"]),
        ("from a.b import c\nimport d.e\nfrom __future__ import annotations\nf\n", ["f"]),
        ("创建View = View创建.x\n", ["View创建.x"]),
        ("a.创建.b\n", ["a.创建.b"]),
        ("a['b.c']\n", ["a"]),
        ('"""a.b\nc.d\n"""\ne\n', ["e"]),
        ("a # b\n", ["a"]),
        ("for _ in a: ...\n", ["a"]),
        ("class C(a.B, metaclass=M): ...\n", ["a.B", "M"]),
        ("", []),
    ],
)
def test_what_is_a_chain(source: str, expected: list[str]) -> None:
    assert _chains(source) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b", ("a", "b")),
        (" a . b ", ("a", "b")),
        ("a", ("a",)),
        ("a.b()", None),
        ("a.if", None),
        ("a..b", None),
        ("", None),
        ("1.x", None),
        ("a.创建", ("a", "创建")),
    ],
)
def test_dotted_text(text: str, expected: tuple[str, ...] | None) -> None:
    assert dotted(text) == expected


def test_blanking_moves_nothing() -> None:
    source = PythonSource("x = 'a\\nb'  # 创建\n'''c\nd'''\ny\n".encode())
    blanked = code_of(source)
    assert len(blanked) == len(source.data)
    assert blanked.rindex(b"y") == source.data.rindex(b"y")
    assert b"a" not in blanked


_names = st.sampled_from(["a", "bb", "c_c", "D", "_e"])
_chain = st.lists(_names, min_size=1, max_size=4).map(".".join)
_text = st.text(alphabet="ab.c创{}'\"#\\ \n", max_size=8)


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """Valid expressions of chains, calls, strings and f-strings."""
    leaf = st.one_of(
        _chain,
        _text.map(repr),
        st.builds(lambda chain, text: f"f{f'{chain}'!r}".replace(chain, f"{{{chain}}}") + repr(text), _chain, _text),
    )
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return draw(leaf)
    if kind == 1:
        return f"{draw(_chain)}({draw(leaf)}, k={draw(leaf)})"
    if kind == 2:
        return f"({draw(leaf)} + {draw(leaf)})  # {draw(_chain)}"
    if kind == 3:
        return f"[{draw(leaf)}, {draw(leaf)}]"
    return f"{draw(_chain)}[{draw(leaf)}]"


def _chains_of_ast(tree: ast.AST) -> list[str]:
    """Maximal chains that start with a name."""
    found: list[str] = []

    def visit(node: ast.AST) -> None:
        names: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            found.append(".".join([inner.id, *reversed(names)]))
            return
        for child in ast.iter_child_nodes(inner if names else node):
            visit(child)

    visit(tree)
    return sorted(found)


@given(st.lists(expressions(), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_rooted_chains_are_those_of_the_syntax_tree(lines: list[str]) -> None:
    source = "\n".join(lines) + "\n"
    expected = _chains_of_ast(ast.parse(source))
    assert sorted(chain for chain in _chains(source) if not chain.startswith(".")) == expected
