"""Operators whose registration or registered body a change touches."""

from __future__ import annotations

import pytest

from retrieval.models import Delta
from tests.support.two_sides import PATH, delta_of

LOWERINGS = """\
aten = torch.ops.aten
quantized = torch.ops.quantized
lib = torch.library.Library("mill", "FRAGMENT")


@register_lowering([aten.turn, aten.turn_.default], type_promotion_kind=None)
def turn(x, by=1):
    def inner(index):
        return index * by

    return Pointwise(inner, x)


@register_decomposition(torch.ops.mill.grind.default)
def grind(x):
    return x * 2


@torch.library.register_fake("mill::open")
def open_fake(x):
    return x.new_empty(3)


make_fallback(aten.mill_sort)
make_fallback(aten.halt, layout, warn=False)
lowerings[aten.stop] = halt
lib.impl("close", close_kernel, "CPU")
lib.define("spin(Tensor x) -> Tensor")


def close_kernel(x):
    return x


core_decompositions = [
    aten.one,
    aten.two.Tensor,
]
"""


def operators(delta: Delta) -> list[tuple[str, str, str, str]]:
    return [(item.operator, item.role.value, item.kind.value, item.qualname) for item in delta.operators]


def touched(old: str, new: str) -> list[tuple[str, str, str, str]]:
    assert old in LOWERINGS
    return operators(delta_of({PATH: (LOWERINGS, LOWERINGS.replace(old, new))}))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "return index * by",
            "return index + by",
            [("aten.turn", "lowering", "rewritten", "turn"), ("aten.turn_", "lowering", "rewritten", "turn")],
        ),
        (
            "def turn(x, by=1)",
            "def turn(x, by=1, *, implicit=False)",
            [("aten.turn", "lowering", "resigned", "turn"), ("aten.turn_", "lowering", "resigned", "turn")],
        ),
        (
            "type_promotion_kind=None",
            "broadcast=True",
            [("aten.turn", "lowering", "rewritten", "turn"), ("aten.turn_", "lowering", "rewritten", "turn")],
        ),
        ("[aten.turn, aten.turn_.default]", "aten.turn", [("aten.turn_", "lowering", "removed", "turn")]),
        ("return x * 2", "return x * 3", [("mill.grind", "decomposition", "rewritten", "grind")]),
        ("new_empty(3)", "new_empty(4)", [("mill.open", "meta", "rewritten", "open_fake")]),
        ("make_fallback(aten.mill_sort)\n", "", [("aten.mill_sort", "fallback", "removed", "<module>")]),
        (
            "make_fallback(aten.mill_sort)",
            "make_fallback(aten.mill_sort)\nmake_fallback(quantized.add)",
            [("quantized.add", "fallback", "added", "<module>")],
        ),
        ("warn=False", "warn=True", [("aten.halt", "fallback", "rewritten", "<module>")]),
        ("lowerings[aten.stop]", "lowerings[aten.end]", [
            ("aten.end", "lowering", "added", "<module>"),
            ("aten.stop", "lowering", "removed", "<module>"),
        ]),
        ('"CPU")', '"CUDA")', [("mill.close", "kernel", "rewritten", "close_kernel")]),
        ("spin(Tensor x)", "spin(Tensor x, int y)", []),
        (
            "    aten.one,\n",
            "    aten.one,\n    aten.three,\n",
            [("aten.three", "decomposition", "added", "core_decompositions")],
        ),
        ("    aten.two.Tensor,\n", "", [("aten.two", "decomposition", "removed", "core_decompositions")]),
        ("return x * 2", "# twice\n    return x * 2", []),
        ("def grind(x):", "def grind(x: Tensor) -> Tensor:", []),
    ],
)  # fmt: skip
def test_python_registrations(old: str, new: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert touched(old, new) == expected


def test_the_definition_names_its_operators() -> None:
    delta = delta_of({PATH: (LOWERINGS, LOWERINGS.replace("index * by", "index + by"))})
    assert [(change.qualname, change.operators) for change in delta.definitions] == [
        ("turn.inner", ("aten.turn", "aten.turn_"))
    ]


def test_a_registration_moved_from_fallback_to_lowering() -> None:
    old = "make_fallback(aten.mill)\n"
    new = "@register_lowering(aten.mill)\ndef mill(x):\n    return x\n"
    assert operators(delta_of({PATH: (old, new)})) == [
        ("aten.mill", "lowering", "added", "mill"),
        ("aten.mill", "fallback", "removed", "<module>"),
    ]


def test_neighbours_of_an_inserted_line_are_untouched() -> None:
    old = "make_fallback(aten.a)\nmake_fallback(aten.b)\n"
    delta = delta_of({PATH: (old, old.replace("make_fallback(aten.b)", "x = 1\nmake_fallback(aten.b)"))})
    assert delta.operators == ()


def test_what_is_no_operator() -> None:
    old = "register_lowering(helper.turn)(f)\nmake_fallback(name)\nimpl('x')\nregister_fake(f)\n"
    assert delta_of({PATH: (old, "")}).operators == ()


KERNELS = """\
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("add.Tensor", TORCH_FN(add_kernel));
  m.impl("mill::sub", &sub_kernel);
}

TORCH_LIBRARY(mill, m) {
  m.def("open(Tensor x) -> Tensor");
}

TORCH_IMPL_FUNC(mul_out)(const Tensor& a, const Tensor& out) {
  run(a, out);
}

Tensor add_kernel(const Tensor& a) {
  return a;
}

TORCH_LIBRARY_IMPL(aten, Autocast, m) {
  KERNEL_CPU(conv2d, lower_precision_fp)
}
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  return a;", "  return a + a;", [("aten.add", "kernel", "rewritten", "add_kernel")]),
        ("run(a, out)", "run(out, a)", [("aten.mul", "kernel", "rewritten", "mul_out")]),
        ("open(Tensor x)", "open(Tensor x, int y)", [("mill.open", "schema", "rewritten", "TORCH_LIBRARY")]),
        ('  m.impl("mill::sub", &sub_kernel);\n', "", [("mill.sub", "kernel", "removed", "TORCH_LIBRARY_IMPL")]),
        ("lower_precision_fp", "fp32", [("aten.conv2d", "kernel", "rewritten", "TORCH_LIBRARY_IMPL")]),
        ("KERNEL_CPU(conv2d", "KERNEL_CPU(conv3d", [
            ("aten.conv3d", "kernel", "added", "TORCH_LIBRARY_IMPL"),
            ("aten.conv2d", "kernel", "removed", "TORCH_LIBRARY_IMPL"),
        ]),
    ],
)  # fmt: skip
def test_cpp_registrations(old: str, new: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert old in KERNELS
    assert operators(delta_of({"aten/src/Mill.cpp": (KERNELS, KERNELS.replace(old, new))})) == expected


def test_schemas_of_native_functions() -> None:
    path = "aten/src/ATen/native/native_functions.yaml"
    old = "- func: add.Tensor(Tensor self) -> Tensor\n  variants: function\n\n- func: sub(Tensor self) -> Tensor\n"
    new = old.replace("variants: function", "variants: method") + "\n- func: mill::mul(Tensor self) -> Tensor\n"
    assert operators(delta_of({path: (old, new)})) == [
        ("aten.add", "schema", "rewritten", "add"),
        ("mill.mul", "schema", "added", "mul"),
    ]
