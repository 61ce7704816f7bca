"""Functions of C++ files as candidates of `fork`."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from retrieval.coupling.cpp import cpp_file
from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.extraction import extract_cpp_facts
from retrieval.coupling.cpp.resolution import NameTable
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import couplings
from retrieval.cpp_names import name_parts
from retrieval.delta.texts import ChangedText
from retrieval.models import CopyState, EvidenceKind
from retrieval.syntax import Source
from tests.support.tree import IndexOf, code
from tests.support.values import definition, delta

SOURCE = code("""
    namespace n {
    void declared(int x);
    template <typename T>
    T
    spin(T x, int = 1) {
      return x;
    }
    struct A {
      A() {}
      bool operator==(const A&) { return true; }
      void turn() {
        auto inner = [] { return 1; };
      }
    };
    #define RUN(x) \\
      x()
    }
    """)


def test_functions_with_a_body_are_candidates() -> None:
    facts = [fact for fact in extract_cpp_facts(CppFile(SOURCE.encode())) if fact.kind is EvidenceKind.FORK]
    assert [(fact.name, fact.target, fact.lines, fact.span) for fact in facts] == [
        ("spin", "::n.spin", (5,), (3, 7)),
        ("A", "::n.A.A", (9,), (9, 9)),
        ("turn", "::n.A.turn", (11,), (11, 13)),
    ]
    assert [(one.name, one.has_default) for one in facts[0].shape or ()] == [("x", False), ("_1", True)]


NESTED = code("""
    namespace a::b { namespace {
    namespace c {
    int inside(int x) { return x; }
    }
    int unnamed(int x) { return x; }
    } }
    namespace d { int beside(int x) { return x; } }
    """)


def test_namespaces_carry_the_names_of_those_around_them() -> None:
    file = CppFile(NESTED.encode())
    assert not file.is_broken
    assert file.namespaces == {"a.b", "a.b.c", "d"}
    assert file.defined == {"a.b.c.inside", "a.b.unnamed", "d.beside"}


def test_deeply_nested_namespaces_are_read_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    depth, named = 2000, list[Node | None]()

    def remember(source: Source, node: Node | None) -> tuple[str, ...]:
        named.append(node)
        return name_parts(source, node)

    monkeypatch.setattr(cpp_file, "name_parts", remember)
    lines = [*(f"namespace n{at} {{" for at in range(depth)), "int spin(int x) { return turn_all(x); }", "}" * depth]
    file = CppFile("\n".join(lines).encode())
    assert len(named) == depth
    assert max(file.namespaces, key=len) == ".".join(f"n{at}" for at in range(depth))


def test_of_deeply_nested_namespaces_the_nearest_are_looked_in() -> None:
    depth = 200
    inner = "int spin(int x) { return turn_near(x) + turn_far(x); }"
    heads = [f"namespace n{at} {{" + " void turn_far(int x);" * (at == 9) for at in range(depth)]
    heads[-9] += " void turn_near(int x);"
    file = CppFile("\n".join([*heads, inner, "}" * depth]).encode())
    names, at = NameTable(file), file.code.index(b"turn_near(x)")
    assert names.own(("turn_near",), at) == ".".join([*(f"n{at}" for at in range(depth - 8)), "turn_near"])
    assert names.own(("turn_far",), at) is None


BODY = """
    std::lock_guard<std::mutex> guard(mutex_);
    auto wheel = wheels_.find(angle);
    if (wheel == wheels_.end()) {
      wheel = wheels_.emplace(angle, makeWheel(angle, speed_)).first;
    }
    wheel->second->turnBy(angle * kTeeth);
    turns_.push_back(wheel->second->position());
"""


def test_a_copy_with_the_old_lines_is_found_in_another_class(index_of: IndexOf) -> None:
    changed = definition("torch.mill.CudaGear.turn", path="torch/csrc/mill/gears.cpp", old_lines=(1, 9))
    old = f"void CudaGear::turn(int angle) {{{BODY}}}"
    new = old.replace("kTeeth", "teeth()")
    copy = old.replace("CudaGear", "NpuGear").replace("guard", "lock")
    other = "void NpuGear::turn(int angle) {\n  stop(angle);\n}\n"
    index = index_of({"csrc/a.cpp": f"namespace mill_npu {{\n{copy}\n}}\n", "csrc/b.cpp": other})
    question = question_of(delta(changed), {changed.symbol: ChangedText(old, new)})
    (found,) = [one for one in couplings(question, index) if one.kind is EvidenceKind.FORK]
    assert (found.path, found.scope, found.lines) == ("csrc/a.cpp", "mill_npu.NpuGear.turn", (2,))
    assert found.detail.copy_state is CopyState.CARRIES_OLD_CODE
