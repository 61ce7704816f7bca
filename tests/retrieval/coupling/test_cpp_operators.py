"""`registration` in C++ and in YAML operator lists."""

from __future__ import annotations

import pytest

from retrieval.coupling.cpp.operators import shim_operator
from retrieval.coupling.operator_lists import SECTIONS
from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt
from tests.support.values import operator

KIND = EvidenceKind.REGISTRATION
SPIN = operator("aten.spin")


def block(body: str, opening: str = "TORCH_LIBRARY_IMPL(aten, PrivateUse1, m)") -> str:
    return f"{opening} {{\n{body}\n}}\n"


FORMS = {
    "impl": (block('  m.impl("spin", TORCH_FN(f));'), "TORCH_LIBRARY_IMPL", 2, None),
    "impl of an overload": (block('  m.impl("spin.out", &f);'), "TORCH_LIBRARY_IMPL", 2, None),
    "impl with a namespace": (block('  m.impl("aten::spin", f);'), "TORCH_LIBRARY_IMPL", 2, None),
    "impl over lines": (block('  m.impl(\n      TORCH_SELECTIVE_NAME("aten::spin"),\n      f);'), None, 3, None),
    "impl with a function of the file": (
        "namespace n {\nvoid f(int x) {}\n" + block('m.impl("spin", TORCH_FN(f));') + "}\n",
        "TORCH_LIBRARY_IMPL",
        4,
        "::n.f",
    ),
    "schema": (block('  m.def("spin(Tensor x) -> Tensor");', "TORCH_LIBRARY(aten, m)"), "TORCH_LIBRARY", 2, None),
    "schema of a fragment": (
        block('  m.def("spin(Tensor x) -> Tensor");', "TORCH_LIBRARY_FRAGMENT(aten, m)"),
        "TORCH_LIBRARY_FRAGMENT",
        2,
        None,
    ),
    "chain of calls": ('auto l = torch::library().impl("aten::spin", f);\n', "impl", 1, None),
    "list": (block("  KERNEL_MILL(stop, fp32)\n  KERNEL_MILL(spin, fp32)"), "KERNEL_MILL", 3, None),
    "list with one argument": (block("  KERNEL_MILL(spin)"), "KERNEL_MILL", 2, None),
    "list with a wrapper": (block('  KERNEL_MILL(ADD_NS(spin), "spin.out", fp32)'), "KERNEL_MILL", 2, None),
    "structured kernel": ("TORCH_IMPL_FUNC(spin_out)(const Tensor& x) {\n}\n", "TORCH_IMPL_FUNC", 1, None),
    "C shim": ("AOTITorchError aoti_torch_npu_spin_out(AtenTensorHandle x) {\n}\n", "aoti_torch", 1, None),
    "declared C shim": ("MILL_EXPORT AOTITorchError aoti_torch_npu_spin(AtenTensorHandle x);\n", "aoti_torch", 1, None),
    "next to Chinese": (block('  m.impl(/*旋转*/"spin", f); // 旋转'), "TORCH_LIBRARY_IMPL", 2, None),
}


@pytest.mark.parametrize(("source", "registrar", "line", "replacement"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_registration(
    index_of: IndexOf, source: str, registrar: str | None, line: int, replacement: str | None
) -> None:
    (found,) = felt(index_of({"csrc/a.cpp": source}), KIND, SPIN)
    assert (found.relation, found.lines, found.detail.replacement) == (Relation.SAME_OPERATOR, (line,), replacement)
    assert registrar in (found.detail.registrar, None)


@pytest.mark.parametrize(
    "source",
    [
        block('  // m.impl("spin", f);'),
        block('  log("m.impl(spin)"); // KERNEL_MILL(spin)\n  /*\n  KERNEL_MILL(spin)\n  */'),
        block('  m.impl("spin", f);', "TORCH_LIBRARY_IMPL(mill, PrivateUse1, m)"),
        block('  m.impl("mill::spin", f);'),
        block('  m.impl("spinning", f);'),
        block('  m.impl("stop", f);') + 'void bind(py::module m) {\n  m.def("spin", f);\n}\n',
        'PYBIND11_MODULE(mill, m) {\n  m.def("spin", f);\n}\n',
        "#define KERNEL_MILL(spin) spin\nKERNEL_MILL(spin)\n",
        "void f() { aoti_torch_npu_spin(x); }\n",
        'TORCH_LIBRARY_IMPL(_, AutocastMill, m) {\n  m.impl("spin", f);\n}\n',
    ],
    ids=[
        "comment",
        "string and comments",
        "library of another namespace",
        "another namespace",
        "longer name",
        "pybind after a library",
        "pybind",
        "macro outside of a library",
        "call of a shim",
        "library of all namespaces",
    ],
)
def test_look_alikes_of_a_registration(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"csrc/a.cpp": source}), KIND, SPIN) == []


@pytest.mark.parametrize(
    ("rest", "name"),
    [
        ("spin", "spin"),
        ("spin_out", "spin"),
        ("spin_Tensor_out", "spin"),
        ("spin__Tensor", "spin_"),
        ("spin_", "spin_"),
        ("_spin", "_spin"),
        ("_spin_gear_out", "_spin_gear"),
        ("spin_gear", "spin_gear"),
        ("spin_mean_correction_out", "spin_mean"),
        ("__ispin__", "__ispin__"),
        ("__ispin___Scalar", "__ispin__"),
        ("out", "out"),
    ],
)
def test_a_shim_stands_for_the_operator_of_its_name(rest: str, name: str) -> None:
    assert shim_operator(rest) == name


LIST = code("""
    # 算子列表
    backend: MILL
    cpp_namespace: mill_npu::native

    supported:
      - stop
      - spin.out  # 旋转
      - func: spin(Tensor x) -> Tensor
        op_api: True
      # - spin
    custom:
      - func: spin(Tensor x) -> Tensor
      - func: aten::spin.gear(Tensor x) -> Tensor
    """)


def test_a_yaml_list_registers_its_entries(index_of: IndexOf) -> None:
    index = index_of({"csrc/functions.yaml": LIST})
    found = felt(index, KIND, SPIN)
    assert [(one.lines, one.detail.registrar, one.token) for one in found] == [
        ((7,), "supported", "spin"),
        ((8,), "supported", "spin"),
        ((13,), "custom", "spin"),
    ]
    (own,) = felt(index, KIND, operator("mill.spin"))
    assert own.lines == (12,)
    assert not any(one.detail.listed for one in (*found, own))


@pytest.mark.parametrize("section", sorted(SECTIONS - {"custom"}))
def test_every_section_of_a_backend_is_one_that_upstream_reads(index_of: IndexOf, section: str) -> None:
    call = "import torch\n\n@{}(torch.ops.aten.spin)\ndef f(x): ...\n"
    files = {
        "a.yaml": f"cpp_namespace: m\n{section}:\n  - spin\n",
        "same.py": call.format("register_lowering"),
        "foreign.py": call.format("register_mill_converter"),
    }
    weights = {one.path: one.weight for one in felt(index_of(files), KIND, SPIN)}
    assert weights["a.yaml"] == weights["same.py"] > weights["foreign.py"]


NESTED = {
    "a flat list": ("- func: stop(Tensor x) -> Tensor\n  tags:\n    - spin\n    - pointwise\n", []),
    "a list in a section": ("cpp_namespace: m\nsupported:\n  - func: stop\n    impl_ns:\n      - spin\n", []),
    "tabs": ("cpp_namespace: m\nsupported:\n\t- func: stop\n\t  tags:\n\t\t- spin\n", []),
    "entries behind it": ("- func: stop(Tensor x)\n  tags:\n    - core\n- func: spin(Tensor x)\n", [4]),
    "each section indents by itself": ("cpp_namespace: m\nsupported:\n  - stop\nautograd:\n- spin\n", [5]),
    "a schema behind another key": ("cpp_namespace: m\nsupported:\n- device_check: No\n  func: spin(Tensor x)\n", [4]),
    "a schema behind a list": (
        "cpp_namespace: m\nsupported:\n- tags:\n  - stop\n  func: spin(Tensor x)\n- spin\n",
        [5, 6],
    ),
}


@pytest.mark.parametrize(("source", "lines"), NESTED.values(), ids=NESTED.keys())
def test_a_list_inside_an_entry_holds_no_operators(index_of: IndexOf, source: str, lines: list[int]) -> None:
    found = felt(index_of({"a.yaml": source}), KIND, SPIN)
    assert [one.lines for one in found] == [(line,) for line in lines]


@pytest.mark.parametrize(
    "source",
    [
        "# 说明\n\n例如：\n\n```yaml\n- func: spin(Tensor x) -> Tensor\n```\n",
        "jobs:\n  - spin\n  - run: spin\n",
        "backend: MILL\ncpp_namespace: m\nsupported:\n  - spinning\n  - un_spin\n  - mill::spin\n",
    ],
    ids=["document", "another kind of list", "other names"],
)
def test_look_alikes_of_a_list(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"docs/a.md": source, "a.yaml": source}), KIND, SPIN) == []
