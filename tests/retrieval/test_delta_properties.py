"""Properties that hold for any source: layout never becomes more than layout, a new name never loses the old one."""

from __future__ import annotations

from textwrap import indent

from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.change import FileSides, parse_diff
from retrieval.delta import compute_delta
from retrieval.models import ChangeKind, Language, Nature, UpstreamChange
from retrieval.symbols import parse_definitions
from tests.support.diff_writer import write_diff
from tests.support.two_sides import PATH, delta_of

NAMES = st.sampled_from(["gear", "tooth", "wheel", "belt", "axle"])
ATOMS = st.one_of(NAMES, st.integers(0, 99).map(str), st.sampled_from(["'a'", "None", "x[1:]", "g(x)"]))
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "*", "and", "or", "<", "is not"]), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        st.tuples(NAMES, st.lists(inner, min_size=1, max_size=3)).map(lambda p: f"{p[0]}({', '.join(p[1])})"),
        inner.map(lambda text: f"not ({text})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    ),
    max_leaves=6,
)
SIMPLE = st.one_of(
    st.tuples(NAMES, EXPRESSIONS).map(lambda pair: f"{pair[0]} = {pair[1]}"),
    EXPRESSIONS.map(lambda text: f"return {text}"),
    EXPRESSIONS.map(lambda text: f"assert {text}"),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.tuples(EXPRESSIONS, st.lists(inner, min_size=1, max_size=3)).map(
        lambda pair: f"if {pair[0]}:\n{indent(chr(10).join(pair[1]), '    ')}"
    ),
    max_leaves=5,
)
BODIES = st.lists(STATEMENTS, min_size=1, max_size=5).map(lambda items: indent("\n".join(items), "    "))


def reformatted(source: str, seed: int) -> str:
    """The same program with other line breaks and spacing inside brackets, and other quotes."""
    out = []
    depth = 0
    for position, character in enumerate(source):
        depth += (character in "([") - (character in ")]")
        turn = (seed >> (position % 30)) & 1
        if character == "," and depth and turn:
            out.append(",\n" + " " * 12)
        elif character == "'":
            out.append('"' if seed & 1 else "'")
        elif character == " " and depth and turn:
            out.append("  ")
        else:
            out.append(character)
    return "".join(out)


@given(BODIES, st.integers(0, 2**30))
@settings(max_examples=60, deadline=None)
def test_reformatting_is_at_most_reformatted(body: str, seed: int) -> None:
    old = f"def f(x, y):\n{body}\n\n\nclass A:\n    def g(self):\n{indent(body, '    ')}\n"
    delta = delta_of({PATH: (old, reformatted(old, seed))})
    assert {change.kind for change in delta.definitions} <= {ChangeKind.REFORMATTED}
    assert {change.nature for change in delta.definitions} <= {Nature.FORMAT}
    assert set(delta.natures) <= {Nature.FORMAT}


@given(BODIES, BODIES)
@settings(max_examples=60, deadline=None)
def test_renaming_a_function_is_a_rename(body: str, other: str) -> None:
    old = f"def first_name(x, y):\n{body}\n\n\ndef bystander(x):\n{other}\n"
    delta = delta_of({PATH: (old, old.replace("first_name", "second_name"))})
    assert [(change.kind, change.qualname, change.old_qualname, change.nature) for change in delta.definitions] == [
        (ChangeKind.RENAMED, "second_name", "first_name", Nature.RENAME)
    ]


@given(BODIES)
@settings(max_examples=40, deadline=None)
def test_comments_are_at_most_comments(body: str) -> None:
    old = f"def f(x, y):\n{body}\n"
    lines = old.split("\n")
    new = "\n".join([lines[0], "    # why", *lines[1:]])
    assert [(change.kind, change.nature) for change in delta_of({PATH: (old, new)}).definitions] == [
        (ChangeKind.REFORMATTED, Nature.COMMENT)
    ]


@given(st.binary(max_size=300), st.binary(max_size=300), st.sampled_from(["torch/a.py", "torch/a.pyi", "aten/a.cpp"]))
@settings(max_examples=80, deadline=None)
def test_no_bytes_are_too_strange(old: bytes, new: bytes, path: str) -> None:
    data = write_diff(path, old, new)
    files = parse_diff(data, "test") if data else ()
    change = UpstreamChange(files=files)
    compute_delta(change, [FileSides(file, old, new, complete=True) for file in files])
    compute_delta(change, [FileSides(file, None, None, complete=False) for file in files])


SOURCES = st.text(alphabet="def class:()[]{}\"'#\\ \n\tabx=,.@*", max_size=200)


@given(SOURCES, st.sampled_from([Language.PYTHON, Language.CPP]))
@settings(max_examples=100, deadline=None)
def test_definitions_lie_inside_their_file_and_their_outer_one(source: str, language: Language) -> None:
    last = source.count("\n") + 1
    for definition in parse_definitions(source.encode(), language):
        assert 1 <= definition.start_line <= definition.name_line <= definition.end_line <= last
        if definition.outer is not None:
            assert definition.outer.start_line <= definition.start_line
            assert definition.end_line <= definition.outer.end_line
            assert definition.qualname.startswith(definition.outer.qualname + ".")
        definition.header()
        definition.fingerprint()


@given(BODIES, BODIES)
@settings(max_examples=40, deadline=None)
def test_every_changed_line_of_code_is_counted_once(old_body: str, new_body: str) -> None:
    old, new = f"def f(x):\n{old_body}\n", f"def f(x):\n{new_body}\n"
    delta = delta_of({PATH: (old, new)})
    assert sum(change.added for change in delta.definitions) == sum(file.added for file in delta.files)
    assert sum(change.removed for change in delta.definitions) == sum(file.removed for file in delta.files)
