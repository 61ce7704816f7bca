"""`subclass` and `override` in C++."""

from __future__ import annotations

import pytest

from retrieval.models import DefinitionKind, EvidenceKind, Parameter, ParameterKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition

HEADER = "torch/csrc/mill/gears.h"
GEAR = definition("torch.mill.Gear", path=HEADER, definition=DefinitionKind.CLASS)
TURN = definition("torch.mill.Gear.turn", path=HEADER)
SUBCLASS, OVERRIDE = EvidenceKind.SUBCLASS, EvidenceKind.OVERRIDE
Place = tuple[str, tuple[int, ...], str]

FORMS: dict[str, tuple[str, Place]] = {
    "qualified": ("class N : public torch::mill::Gear {};\n", ("N", (1,), "Gear")),
    "without access": ("struct N : torch::mill::Gear {};\n", ("N", (1,), "Gear")),
    "final, exported and virtual": (
        "class MILL_API N final : public virtual ::torch::mill::Gear {\n};\n",
        ("N", (1,), "Gear"),
    ),
    "second of several bases": (
        "class N : public std::enable_shared_from_this<N>,\n          public torch::mill::Gear {};\n",
        ("N", (2,), "Gear"),
    ),
    "of a template": ("class N : public torch::mill::Gear<A, b::C> {};\n", ("N", (1,), "Gear")),
    "a template": ("template <typename T>\nclass N : public torch::mill::Gear {};\n", ("N", (2,), "Gear")),
    "used by name": ("using torch::mill::Gear;\nclass N : public Gear {};\n", ("N", (2,), "Gear")),
    "by an alias": ("using Base = torch::mill::Gear;\nclass N : public Base {};\n", ("N", (2,), "Base")),
    "inside the namespace": (
        "namespace torch::mill {\nclass N : public Gear {};\n}\n",
        ("torch.mill.N", (2,), "Gear"),
    ),
    "used in a header": ("namespace n {\nclass N : public Gear {};\n}\n", ("n.N", (2,), "Gear")),
    "nested": ("class M {\n public:\n  struct N : torch::mill::Gear {};\n};\n", ("M.N", (3,), "Gear")),
    "next to Chinese": ("class N /*新*/: public torch::mill::Gear/*齿轮*/ {};\n", ("N", (1,), "Gear")),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_subclass(index_of: IndexOf, source: str, expected: Place) -> None:
    found = felt(index_of({"csrc/a.h": source}), SUBCLASS, GEAR)
    assert places(found) == [expected]
    assert {(one.relation, one.detail.base) for one in found} == {(Relation.SAME_SYMBOL, f"{HEADER}.torch.mill.Gear")}


@pytest.mark.parametrize(
    "source",
    [
        "class N : public torch::wheel::Gear {};\n",
        "class N : public Holder<torch::mill::Gear> {};\n",
        "struct Gear {};\nclass N : public Gear {};\n",
        "// class N : public torch::mill::Gear {};\n",
        'auto s = "class N : public torch::mill::Gear {};";\n',
        "class N { torch::mill::Gear gear; };\n",
        "enum class N : Gear { A };\n",
        "N::N() : Gear(1) {}\n",
        "class N : public 创建Gear {};\n",
    ],
    ids=["namespace", "argument", "own", "comment", "string", "member", "enumeration", "initialiser", "Chinese"],
)
def test_look_alikes_of_a_subclass(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"csrc/a.h": source}), SUBCLASS, GEAR) == []


def test_a_nested_class_is_a_class_of_its_own(index_of: IndexOf) -> None:
    changed = definition("torch.mill.Gear.Options", path=HEADER, definition=DefinitionKind.CLASS)
    source = "struct N : torch::mill::Gear {\n  struct Options : torch::mill::Gear::Options {};\n};\n"
    found = felt(index_of({"csrc/a.h": source}), SUBCLASS, changed)
    assert {(one.scope, one.relation) for one in found} == {
        ("N.Options", Relation.SAME_SYMBOL),
        ("N", Relation.ENCLOSING),
    }


FILES = {
    "csrc/a.h": code("""
        namespace mill_npu {
        class A : public torch::mill::Gear {
         public:
          A(int x);
          void turn(int angle) override;
          void stop() override;
        };
        class Other {
          void turn(int angle);
        };
        }
        """),
    "csrc/a.cpp": code("""
        namespace mill_npu {
        void A::turn(int angle) {
          torch::mill::Gear::turn(angle);
        }
        void Other::turn(int angle) { g(); }
        }
        """),
    "csrc/b.h": "namespace mill_npu {\nstruct B : A {\n  void turn(int) final {}\n};\n}\n",
}


def test_methods_are_found_where_they_are_declared_and_where_they_are_defined(index_of: IndexOf) -> None:
    found = felt(index_of(FILES), OVERRIDE, TURN)
    assert [(one.path, *place) for one in found for place in places([one])] == [
        ("csrc/a.cpp", "mill_npu.A.turn", (2,), "turn"),
        ("csrc/a.h", "mill_npu.A.turn", (5,), "turn"),
        ("csrc/b.h", "mill_npu.B.turn", (3,), "turn"),
    ]
    assert [one.detail.calls_original for one in found] == [True, None, False]


def test_the_changed_parameters_are_compared_with_the_method(index_of: IndexOf) -> None:
    parameters = tuple(Parameter(name=name, kind=ParameterKind.POSITIONAL_ONLY) for name in ("angle", "speed"))
    changed = definition("torch.mill.Gear.turn", path=HEADER, parameters=parameters)
    found = felt(index_of(FILES), OVERRIDE, changed)
    details = {(one.detail.downstream_signature, one.detail.signature_matches, one.detail.lacks) for one in found}
    assert details == {("(angle)", False, ("speed",)), ("(_0)", False, ("speed",))}


def test_an_override_is_no_reference_by_name_as_well(index_of: IndexOf) -> None:
    changed = definition("torch.mill.Gear.turnAround", path=HEADER)
    index = index_of({"csrc/a.h": "struct A : torch::mill::Gear {\n  void turnAround() override;\n};\n"})
    assert [one.relation for one in felt(index, EvidenceKind.REFERENCE, changed)] == [Relation.ENCLOSING]
    assert [one.relation for one in felt(index, OVERRIDE, changed)] == [Relation.SAME_SYMBOL]


def test_of_overloads_no_parameters_are_compared(index_of: IndexOf) -> None:
    source = "struct A : torch::mill::Gear {\n  void turn(int);\n  void turn(int, int);\n};\n"
    found = felt(index_of({"csrc/a.h": source}), OVERRIDE, TURN)
    assert [(one.lines, one.detail.downstream_signature) for one in found] == [((2,), None), ((3,), None)]


def test_a_constructor_overrides_nothing(index_of: IndexOf) -> None:
    changed = definition("torch.mill.Gear.Gear", path=HEADER)
    source = "struct Gear : torch::mill::Gear {\n  Gear();\n  ~Gear();\n};\n"
    assert felt(index_of({"csrc/a.h": source}), OVERRIDE, changed) == []


def test_an_override_through_an_upstream_class_between_counts_by_its_name(index_of: IndexOf) -> None:
    """That the middle class derives from the changed one is written upstream, where no fact comes from."""
    changed = definition("torch.mill.Gear.turnAround", path=HEADER)
    source = "struct A : torch::mill::BevelGear {\n  void turnAround() override;\n  void turnAround(int);\n};\n"
    (found,) = felt(index_of({"csrc/a.h": source}), EvidenceKind.REFERENCE, changed)
    assert (found.relation, found.scope, found.lines) == (Relation.SAME_NAME, "A.turnAround", (2,))


def test_uses_of_an_heir_in_other_files_count(index_of: IndexOf) -> None:
    index = index_of(
        {
            "csrc/a.h": "namespace mill_npu { struct NpuGear : torch::mill::Gear {}; NpuGear make(); }\n",
            "csrc/b.cpp": "void f() { mill_npu::NpuGear gear; mill_npu::start(gear); }\n",
            "csrc/c.cpp": "void g() { other_npu::NpuGear gear; }\n",
        }
    )
    found = [one for one in felt(index, EvidenceKind.REFERENCE, TURN) if one.relation is Relation.HEIR]
    assert [(one.path, one.scope, one.symbol) for one in found] == [("csrc/b.cpp", "f", f"{HEADER}.torch.mill.Gear")]
