"""`operators`: one spelling for every way code writes an operator."""

from __future__ import annotations

import pytest

from retrieval.coupling.operators import operator_of, quoted_operator


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
