"""`operators`: one spelling for every way code writes an operator."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.coupling.operators import are_relatives, operator_of, quoted_operator, relatives


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("torch.ops.aten.spin", "aten.spin"),
        ("torch.ops.aten.spin.default", "aten.spin"),
        ("torch.ops.mill_npu.spin.out", "mill_npu.spin"),
        ("torch.ops.aten", None),
        ("torch.ops.load_library", None),
        ("aten.spin.default", "aten.spin"),
        ("aten", None),
        ("torch._mill.lowering.aten.spin", "aten.spin"),
        ("torch._mill.lowering.prims.spin", "prims.spin"),
        ("torch._mill.prims.deep.spin", None),
        ("torch._mill.inductor_prims.spin", "inductor_prims.spin"),
        ("torch._mill.quantized_decomposed.spin.tensor", "quantized_decomposed.spin"),
        ("quantized.spin", "quantized.spin"),
        ("torch.ao.nn.quantized.Spin", None),
        ("torch._mill.gears.spin", None),
        ("@.aten", None),
    ],
)
def test_dotted_names(target: str, expected: str | None) -> None:
    assert operator_of(target) == expected


@pytest.mark.parametrize(
    ("text", "namespace", "expected"),
    [
        ("aten::spin", "", "aten.spin"),
        ("aten::spin.out", "", "aten.spin"),
        ("aten::spin(Tensor x) -> Tensor", "mill", "aten.spin"),
        ("spin.out", "aten", "aten.spin"),
        ("spin(Tensor x) -> Tensor", "aten", "aten.spin"),
        ("spin", "", None),
        ("", "aten", None),
        ("(x)", "aten", None),
        ("at::kCPU", "", None),
        ("torch::spin", "", None),
        ("a text with aten::spin in it", "", None),
        ("aten::创建", "", None),
    ],
)
def test_string_literals(text: str, namespace: str, expected: str | None) -> None:
    assert quoted_operator(text, namespace) == expected


FAMILIES = [
    ("aten.spin", "aten.spin_as"),
    ("aten.spin", "aten._spin"),
    ("aten.spin", "aten.spin_"),
    ("aten.spin", "aten.spin_backward"),
    ("aten._spin_v2", "aten.spin"),
    ("aten.spin_forward", "aten.spin_backward"),
    ("aten.spin_out_backward", "aten._spin_copy"),
    ("aten.max_spin_with_indices", "aten.max_spin"),
    ("mill.spin_functional", "mill.spin"),
]


@pytest.mark.parametrize(("one", "other"), FAMILIES)
def test_operators_of_one_family(one: str, other: str) -> None:
    assert are_relatives(one, other)
    assert are_relatives(other, one)


STRANGERS = [
    ("aten.spin", "prims.spin"),
    ("aten.spin", "aten.spinas"),
    ("aten.spin", "aten.respin"),
    ("aten.spin", "aten.spin_up"),
    ("aten.spin", "aten.spin_v9"),
    ("aten.as", "aten.out"),
    ("aten.copy", "aten.out"),
    ("aten.backward", "aten.forward"),
]


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_operators_of_different_families(one: str, other: str) -> None:
    assert not are_relatives(one, other)
    assert other not in relatives(one)


@given(
    st.sampled_from(["spin", "_spin", "spin_as", "spin_", "_spin_backward", "spin_v2_out", "a", "copy"]),
    st.sampled_from(["aten", "mill"]),
)
def test_the_usual_relatives_are_relatives_and_not_the_operator_itself(name: str, namespace: str) -> None:
    operator = f"{namespace}.{name}"
    found = relatives(operator)
    assert operator not in found
    assert len(set(found)) == len(found)
    assert all(are_relatives(operator, one) for one in found)
    assert are_relatives(operator, operator)
