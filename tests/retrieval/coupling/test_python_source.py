"""`python_source`: scopes, lines and literals of one file."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.coupling.python_source import PythonSource
from tests.support.tree import code

SOURCE = code("""
    import a

    @deco(
        1)
    class C(Base):
        x = 1

        @prop
        def m(self, y=2):
            def inner():
                return 3
            return inner

        async def n(self): ...

    def f(): pass
    z = 4
    """)


def _scope_of(source: PythonSource, text: str) -> str:
    return source.qualname(source.scope_at(source.data.index(text.encode())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import", "<module>"),
        ("@deco", "C"),
        ("1)", "C"),
        ("class C", "C"),
        ("Base", "C"),
        ("x = 1", "C"),
        ("@prop", "C.m"),
        ("def m", "C.m"),
        ("y=2", "C.m"),
        ("def inner", "C.m.inner"),
        ("return 3", "C.m.inner"),
        ("return inner", "C.m"),
        ("async def n", "C.n"),
        ("pass", "f"),
        ("z = 4", "<module>"),
    ],
)
def test_the_innermost_scope(text: str, expected: str) -> None:
    assert _scope_of(PythonSource(SOURCE.encode()), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@deco", "<module>"),
        ("Base", "<module>"),
        ("x = 1", "C"),
        ("@prop", "C"),
        ("y=2", "C"),
        ("return 3", "C.m.inner"),
    ],
)
def test_headers_see_the_names_around_them(text: str, expected: str) -> None:
    source = PythonSource(SOURCE.encode())
    assert source.qualname(source.naming_scope_at(source.data.index(text.encode()))) == expected


def test_nodes_come_in_source_order() -> None:
    text = "".join(f"a{n} = f('x{n}', g(h('y')))\nif x:\n    b = lambda: k(1)\n" for n in range(300))
    source = PythonSource(text.encode())
    for name in ("call", "assignment", "text", "lambda"):
        starts = [(node.start_byte, -node.end_byte) for node in source.nodes(name)]
        assert starts == sorted(starts)
        assert len(starts) >= 300


def test_lines_are_counted_in_line_feeds_alone() -> None:
    source = PythonSource("a\x0cb\u2028c\r\nd\re\nf".encode())
    assert [source.line_at(source.data.index(letter)) for letter in (b"a", b"c", b"d", b"e", b"f")] == [1, 1, 2, 2, 3]


def test_a_mark_and_carriage_returns_shift_no_line() -> None:
    source = PythonSource(b"\xef\xbb\xbfdef f():\r\n    return 1\r\n")
    assert [scope.qualname for scope in source.scopes] == ["f"]
    assert source.line_at(source.data.index(b"return")) == 2


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'a'", "a"),
        ('"""a\nb"""', "a\nb"),
        ("b'a'", "a"),
        ("f'a'", "a"),
        ("f'{a}'", None),
        ("f'a{b}'", None),
        ("''", None),
        ("'a' 'b'", None),
        ("a", None),
    ],
)
def test_plain_literals(expression: str, expected: str | None) -> None:
    source = PythonSource(f"x = {expression}\n".encode())
    right = source.assignments[0].right
    assert right is not None
    literal = source.literal(right)
    assert (None if literal is None else source.text(literal)) == expected


def test_a_broken_file_gives_what_can_be_read() -> None:
    source = PythonSource(b"def f():\n    return 1\n\ndef (:\n\nclass C:\n    def m(self): ...\n")
    assert {"f", "C", "C.m"} <= {scope.qualname for scope in source.scopes}


def test_an_empty_file() -> None:
    source = PythonSource(b"")
    assert (list(source.scopes), source.scope_at(0), source.line_at(0)) == ([], -1, 1)


_BLOCK = st.recursive(
    st.sampled_from(["x = 1", "f(1)", "# comment", "@d\ndef g(a=1): pass", "y = [\n    1,\n]"]),
    lambda inner: st.builds(
        lambda head, body: (
            head + "\n" + "\n".join("    " + line for part in body for line in part.split("\n")) + "\n    pass"
        ),
        st.sampled_from(
            ["def f(a, b=2):", "class C(A):", "if x:", "@d\ndef h():", "@d(\n  1\n)\nclass D:", "for i in z:"]
        ),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


def scopes_by_line(tree: ast.Module, lines: int) -> list[str]:
    """The innermost scope of each line, as the standard library sees it."""
    owners = ["<module>"] * lines

    def visit(node: ast.AST, outer: str) -> None:
        for child in ast.iter_child_nodes(node):
            qualname = outer
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                qualname = f"{outer}.{child.name}".removeprefix("<module>.")
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                last = child.end_lineno or child.lineno
                owners[first - 1 : last] = [qualname] * (last - first + 1)
            visit(child, qualname)

    visit(tree, "<module>")
    return owners


@given(st.lists(_BLOCK, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_scopes_are_those_of_the_standard_library(blocks: list[str]) -> None:
    text = "\n".join(blocks) + "\n"
    source = PythonSource(text.encode())
    expected = scopes_by_line(ast.parse(text), text.count("\n"))
    position = 0
    for line, owner in zip(text.split("\n"), expected, strict=False):
        at = position + len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith("#"):
            assert source.qualname(source.scope_at(at)) == owner
        position += len(line) + 1
    assert all(one.start < other.start for one, other in pairwise(source.runs()))
