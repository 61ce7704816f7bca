"""Comparing signatures: the contract of `accepts` and `lacking` against Python's own binding of arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.coupling.facts import Shape
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.signatures import accepts, lacking, written
from retrieval.models import Parameter, ParameterKind

_KINDS = {
    ParameterKind.POSITIONAL_ONLY: inspect.Parameter.POSITIONAL_ONLY,
    ParameterKind.POSITIONAL_OR_KEYWORD: inspect.Parameter.POSITIONAL_OR_KEYWORD,
    ParameterKind.VAR_POSITIONAL: inspect.Parameter.VAR_POSITIONAL,
    ParameterKind.KEYWORD_ONLY: inspect.Parameter.KEYWORD_ONLY,
    ParameterKind.VAR_KEYWORD: inspect.Parameter.VAR_KEYWORD,
}
_OURS = {theirs: ours for ours, theirs in _KINDS.items()}


@st.composite
def shapes(draw: st.DrawFn) -> tuple[Shape, ...]:
    """A valid signature over a few names, so that two of them meet often."""
    names = draw(st.permutations(["a", "b", "c", "d"]))[: draw(st.integers(0, 4))]
    cuts = sorted(draw(st.integers(0, len(names))) for _ in range(2))
    defaults_from = draw(st.integers(0, len(names)))
    found: list[Shape] = []
    for at, name in enumerate(names[: cuts[1]]):
        kind = ParameterKind.POSITIONAL_ONLY if at < cuts[0] else ParameterKind.POSITIONAL_OR_KEYWORD
        found.append(Shape(name, kind, at >= defaults_from))
    if draw(st.booleans()):
        found.append(Shape("args", ParameterKind.VAR_POSITIONAL, False))
    found += [Shape(name, ParameterKind.KEYWORD_ONLY, draw(st.booleans())) for name in names[cuts[1] :]]
    if draw(st.booleans()):
        found.append(Shape("kwargs", ParameterKind.VAR_KEYWORD, False))
    return tuple(found)


def upstream_of(shape: Sequence[Shape]) -> tuple[Parameter, ...]:
    return tuple(Parameter(name=one.name, kind=one.kind, default="0" if one.has_default else None) for one in shape)


def signature_of(shape: Sequence[Shape]) -> inspect.Signature:
    return inspect.Signature(
        [
            inspect.Parameter(one.name, _KINDS[one.kind], default=0 if one.has_default else inspect.Parameter.empty)
            for one in shape
        ]
    )


def function_of(shape: Sequence[Shape]) -> Callable[..., object]:
    """A function of that signature: `Signature.bind` itself errs on positional-only names beside ``**kwargs``."""
    function: Callable[..., object] = eval(f"lambda {str(signature_of(shape))[1:-1]}: 0")
    return function


def binds(function: Callable[..., object], positional: int, keywords: Sequence[str]) -> bool:
    try:
        function(*range(positional), **dict.fromkeys(keywords, 0))
    except TypeError:
        return False
    return True


def takes_all_calls(upstream: Sequence[Shape], downstream: Sequence[Shape]) -> bool:
    """The contract of `accepts`, spelt out by making every call."""
    mine, theirs = function_of(upstream), function_of(downstream)
    plain = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
    positional = [one for one in upstream if one.kind in plain]
    keywords = [one.name for one in upstream if one.kind is ParameterKind.KEYWORD_ONLY]
    for given_ in range(len(positional) + 1):
        for named in chain.from_iterable(combinations(keywords, size) for size in range(len(keywords) + 1)):
            if not binds(mine, given_, named):
                continue
            ways = [
                split
                for split in range(given_ + 1)
                if all(one.kind is not ParameterKind.POSITIONAL_ONLY for one in positional[split:given_])
            ]
            if not any(
                binds(theirs, split, [*named, *(one.name for one in positional[split:given_])]) for split in ways
            ):
                return False
    return True


@given(shapes(), shapes())
@settings(max_examples=600, deadline=None)
def test_accepts_agrees_with_python(upstream: tuple[Shape, ...], downstream: tuple[Shape, ...]) -> None:
    assert accepts(upstream_of(upstream), downstream) is takes_all_calls(upstream, downstream)


@given(shapes(), shapes())
@settings(max_examples=300, deadline=None)
def test_what_lacks_a_parameter_cannot_accept(upstream: tuple[Shape, ...], downstream: tuple[Shape, ...]) -> None:
    if lacking(upstream_of(upstream), downstream):
        assert not accepts(upstream_of(upstream), downstream)


@given(shapes())
def test_every_signature_accepts_itself(shape: tuple[Shape, ...]) -> None:
    assert accepts(upstream_of(shape), shape)
    assert lacking(upstream_of(shape), shape) == ()


@given(shapes())
@settings(deadline=None)
def test_shapes_are_read_and_written_as_python_does(shape: tuple[Shape, ...]) -> None:
    source = written(shape).replace("…", "0")
    file = PythonFile(f"def f{source}: ...\n".encode())
    assert file.shape(0) == shape
    signature = inspect.signature(eval(f"lambda {source[1:-1]}: 0"))
    ours = [(name, _OURS[one.kind], one.default is not one.empty) for name, one in signature.parameters.items()]
    assert [tuple(one) for one in shape] == ours


def _upstream(text: str) -> tuple[Parameter, ...]:
    return upstream_of(_shape(text))


def _shape(text: str) -> tuple[Shape, ...]:
    found = PythonFile(f"def f({text}): ...\n".encode()).shape(0)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("upstream", "downstream", "missing", "accepted"),
    [
        ("self, x", "self, x", (), True),
        ("self, x", "self, y", (), True),
        ("self, x, *, quiet=False", "self, x", ("quiet",), False),
        ("self, x, quiet=False", "self, x", ("quiet",), False),
        ("self, quiet, x", "self, x", ("quiet",), False),
        ("self, x, *, quiet=False", "self, x, **kwargs", (), True),
        ("self, x, quiet", "self, *args", (), True),
        ("self, *, quiet", "self, *args", ("quiet",), False),
        ("self, *, quiet", "self, quiet", (), True),
        ("self, *, quiet", "self, quiet, /", ("quiet",), False),
        ("self, x, /", "self, *, x", ("x",), False),
        ("self, x, /", "self, **kwargs", ("x",), False),
        ("self, x=1", "self, x", (), False),
        ("self, x", "self, x, y", (), False),
        ("self, x", "self, x, y=1", (), True),
        ("self, x", "self, x, *, y", (), False),
        ("self, x", "self, x, *, y=1", (), True),
        ("self, x", "self", ("x",), False),
        ("self", "", ("self",), False),
        ("self, *args, **kwargs", "self", (), True),
        ("a, b", "b", ("a",), False),
        ("", "", (), True),
    ],
)
def test_examples(upstream: str, downstream: str, missing: tuple[str, ...], accepted: bool) -> None:
    assert lacking(_upstream(upstream), _shape(downstream)) == missing
    assert accepts(_upstream(upstream), _shape(downstream)) is accepted


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("(self, x: int, *, quiet: bool = False) -> None", "(self, x, *, quiet=…)"),
        ("(a, /, b, *args: T, c=1, **kwargs)", "(a, /, b, *args, c=…, **kwargs)"),
        ("(\n    a,  # comment\n    *,\n    b: 'X' = f(1, 2),\n)", "(a, *, b=…)"),
        ("()", "()"),
    ],
)
def test_signatures_as_written(parameters: str, expected: str) -> None:
    file = PythonFile(f"def f{parameters}: ...\n".encode())
    shape = file.shape(0)
    assert shape is not None
    assert written(shape) == expected
