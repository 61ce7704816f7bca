"""`reference` in C++: what names the changed definition, and what only looks like it."""

from __future__ import annotations

import pytest

from retrieval.models import DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition

KIND = EvidenceKind.REFERENCE
HEADER = "torch/csrc/mill/gears.h"
SPIN = definition("torch.mill.spin", path=HEADER, definition=DefinitionKind.FUNCTION)
GEAR = definition("torch.mill.Gear", path=HEADER, definition=DefinitionKind.CLASS)
TURN = definition("torch.mill.Gear.turnAround", path=HEADER)
Place = tuple[str, tuple[int, ...], str]

FORMS: dict[str, tuple[str, Place]] = {
    "qualified": ("void f() { torch::mill::spin(1); }\n", ("f", (1,), "spin")),
    "from the global namespace": ("void f() { ::torch::mill::spin(1); }\n", ("f", (1,), "spin")),
    "over lines": ("void f() {\n  torch::mill::\n      spin(1);\n}\n", ("f", (3,), "spin")),
    "with template arguments": ("void f() { torch::mill::spin<int>(1); }\n", ("f", (1,), "spin")),
    "as a template argument": ("void f() { g<decltype(torch::mill::spin)>(); }\n", ("f", (1,), "spin")),
    "by an alias of the namespace": (
        "namespace m = torch::mill;\nvoid f() { m::spin(1); }\n",
        ("f", (2,), "spin"),
    ),
    "used by name": ("using torch::mill::spin;\nvoid f() { spin(1); }\n", ("f", (2,), "spin")),
    "used with its namespace": ("using namespace torch::mill;\nvoid f() { spin(1); }\n", ("f", (2,), "spin")),
    "inside the namespace": (
        "namespace torch { namespace mill {\nvoid f() { mill::spin(1); }\n}}\n",
        ("torch.mill.f", (2,), "spin"),
    ),
    "with its front in a header": ("void f() { mill::spin(1); }\n", ("f", (1,), "spin")),
    "in a method": ("void N::f() { torch::mill::spin(1); }\n", ("N.f", (1,), "spin")),
    "in a class body": ("class N {\n  int a = torch::mill::spin(1);\n};\n", ("N", (2,), "spin")),
    "at file level": ("namespace n {\nauto a = torch::mill::spin(1);\n}\n", ("<module>", (2,), "spin")),
    "in a macro": ("#define RUN(x) \\\n  torch::mill::spin(x)\n", ("RUN", (2,), "spin")),
    "between Chinese comments": ("void f() { /*旋转*/torch::mill::spin/*齿轮*/(1); } // 旋转\n", ("f", (1,), "spin")),
    "next to a Chinese string": ('void f() { g("旋转"torch::mill::spin(1)); }\n', ("f", (1,), "spin")),
    "with carriage returns": ("void f() {\r\n  torch::mill::spin(1);\r\n}\r\n", ("f", (2,), "spin")),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_reference(index_of: IndexOf, source: str, expected: Place) -> None:
    found = [one for one in felt(index_of({"csrc/a.cpp": source}), KIND, SPIN) if one.relation is Relation.SAME_SYMBOL]
    assert expected in places(found)
    assert {one.scope for one in found} <= {expected[0], "<module>"}  # a `using` stands at file level


@pytest.mark.parametrize(
    "source",
    [
        "// torch::mill::spin(1);\n",
        "/* torch::mill::spin(1);\n torch::mill::spin */\n",
        'void f() { g("torch::mill::spin(1)"); }\n',
        'void f() { g(R"x(torch::mill::spin(1))x"); }\n',
        "void f() { torch::wheel::spin(1); }\n",
        "void f() { torch::mill::spinning(1); }\n",
        "void f() { torch::mill::旋spin(1); }\n",
        "namespace torch { namespace mill { void spin(int); }}\nvoid f() { mill_npu::spin(1); }\n",
        "struct mill { static void spin(int); };\nvoid f() { mill::spin(1); }\n",
        "void f() { std::spin(1); }\n",
    ],
    ids=[
        "comment",
        "comment over lines",
        "string",
        "raw string",
        "another namespace",
        "longer name",
        "Chinese in the name",
        "downstream namespace",
        "own class of that name",
        "standard library",
    ],
)
def test_look_alikes_of_a_reference(index_of: IndexOf, source: str) -> None:
    found = felt(index_of({"csrc/a.cpp": source}), KIND, SPIN)
    assert [one for one in found if one.relation is not Relation.SAME_NAME] == []


def test_each_step_of_a_name_counts(index_of: IndexOf) -> None:
    source = "void f() { torch::mill::Gear::make(); }\nvoid g(const torch::mill::Gear& x);\n"
    found = felt(index_of({"csrc/a.cpp": source}), KIND, GEAR)
    assert {(one.relation, *place) for one in found for place in places([one])} == {
        (Relation.SAME_SYMBOL, "f", (1,), "Gear"),
        (Relation.SAME_SYMBOL, "g", (2,), "Gear"),
    }


def test_a_class_whose_namespace_a_header_brings_counts_by_its_rare_name(index_of: IndexOf) -> None:
    source = "void f() { Gear::make(); }\n"
    (found,) = felt(index_of({"csrc/a.cpp": source}), KIND, GEAR)
    assert (found.relation, found.scope, found.token) == (Relation.SAME_NAME, "f", "Gear")
    inside = f"namespace torch::mill {{\n{source}}}\n"
    (found,) = felt(index_of({"csrc/a.cpp": inside}), KIND, GEAR)
    assert (found.relation, found.scope, found.lines) == (Relation.SAME_SYMBOL, "torch.mill.f", (2,))


def test_a_member_of_an_unknown_object_counts_by_its_rare_name_alone(index_of: IndexOf) -> None:
    rare = {"csrc/a.cpp": "void f(X* x) { x->turnAround(1); }\n"}
    (found,) = felt(index_of(rare), KIND, TURN)
    assert (found.relation, found.scope, found.token) == (Relation.SAME_NAME, "f", "turnAround")
    common = {f"csrc/{n}.cpp": f"void f{n}(X* x) {{ x->turnAround(1); }}\n" for n in range(13)}
    assert felt(index_of(common), KIND, TURN) == []


def test_the_same_method_of_another_class_is_no_reference(index_of: IndexOf) -> None:
    source = "void f() { torch::mill::Wheel::turnAround(1); Wheel::turnAround(2); }\n"
    assert felt(index_of({"csrc/a.cpp": source}), KIND, TURN) == []


def test_a_python_name_is_no_c_plus_plus_name(index_of: IndexOf) -> None:
    python = definition("spin", path="torch/mill.py")
    index = index_of({"csrc/a.cpp": "void f() { torch::mill::spin(1); }\n", "a.py": "import torch.mill\n"})
    assert felt(index, KIND, python) == []
    assert felt(index_of({"a.py": "import torch\ntorch.mill.spin(1)\n"}), KIND, SPIN) == []


def test_a_name_of_c_is_global_wherever_it_is_used(index_of: IndexOf) -> None:
    changed = definition("THPGear_Wrap", path="torch/csrc/gear.h", definition=DefinitionKind.FUNCTION)
    source = "using namespace torch::mill;\nnamespace torch { void f() { THPGear_Wrap(x); } }\n"
    (found,) = felt(index_of({"csrc/a.cpp": source}), KIND, changed)
    assert (found.relation, found.scope) == (Relation.SAME_SYMBOL, "torch.f")


def test_macros_of_upstream_are_references_and_those_of_every_file_are_none(index_of: IndexOf) -> None:
    source = code("""
        #ifdef C10_TURBO
        #endif
        C10_TURBO void f() { TORCH_CHECK(x); }
        """)
    index = index_of({"csrc/a.cpp": source})
    turbo = definition("C10_TURBO", path="c10/macros.h", definition=DefinitionKind.FUNCTION)
    assert [one.lines for one in felt(index, KIND, turbo)] == [(3,)]
    check = definition("TORCH_CHECK", path="c10/macros.h", definition=DefinitionKind.FUNCTION)
    assert felt(index, KIND, check) == []


def test_a_string_names_an_operator(index_of: IndexOf) -> None:
    changed = definition("spin", operators=("aten.spin",))
    source = 'static std::set<std::string> slow = {"aten::spin.out", "aten::spinning"};\n// "aten::spin"\n'
    (found,) = felt(index_of({"csrc/a.cpp": source}), KIND, changed)
    assert (found.relation, found.lines, found.token) == (Relation.SAME_OPERATOR, (1,), "spin")


def test_counts_use_ascii_word_boundaries_next_to_chinese(index_of: IndexOf) -> None:
    index = index_of({"csrc/a.cpp": "// 创建Gear选项\nGear g; // GearBox\n", "csrc/b.h": "/* 旧Gear */\n"})
    assert index.count("Gear") == (3, 2)
    assert index.count("GearBox") == (1, 1)
    assert index.count("Gea") == (0, 0)


def test_code_under_any_condition_counts(index_of: IndexOf) -> None:
    source = "#if 0\nvoid f() { torch::mill::spin(1); }\n#else\nvoid f() { torch::mill::spin(2); }\n#endif\n"
    found = felt(index_of({"csrc/a.cpp": source}), KIND, SPIN)
    assert {line for one in found for line in one.lines} == {2, 4}
