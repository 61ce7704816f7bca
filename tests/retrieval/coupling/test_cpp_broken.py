"""C++ that the parser cannot read: scopes by braces, names and registrations by text."""

from __future__ import annotations

import pytest

from retrieval.coupling.cpp.blocks import BlockKind, blocks_of
from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.extraction import extract_cpp_facts
from retrieval.coupling.cpp.masking import masked
from retrieval.models import DefinitionKind, EvidenceKind, Relation
from retrieval.word_search import lines_with
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition, operator

HEADER = "torch/csrc/mill/gears.h"

# A macro without its semicolon, one that opens a brace, and a language block that is closed under another condition.
BROKEN = code("""
    #ifdef __cplusplus
    extern "C" {
    #endif
    int mill_version() { return 1; }
    #ifdef __cplusplus
    }
    #endif
    namespace mill_npu {
    MILL_BEGIN(a, b) MILL_MORE(c)
    class MILL_ODD(x) N final : public torch::mill::Gear {
     public:
      MILL_FIELD(int, speed) MILL_FIELD(int, angle)
      void turn(int angle) override;
    };
    void N::turn(int angle) {
      MILL_TRY { torch::mill::spin(angle); } MILL_CATCH(
      // torch::mill::spin(2);
    }
    TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
      KERNEL_MILL(stop, fp32)
      KERNEL_MILL(spin, fp32)
      MILL_IF(x) m.impl("turn", TORCH_FN(turn)) MILL_END
    }
    }
    """)


def test_the_example_is_broken_for_the_parser() -> None:
    assert CppFile(BROKEN.encode()).is_broken


def test_names_in_a_broken_file_are_found_in_their_scopes(index_of: IndexOf) -> None:
    index = index_of({"csrc/a.cpp": BROKEN})
    spin = definition("torch.mill.spin", path=HEADER, definition=DefinitionKind.FUNCTION)
    found = [one for one in felt(index, EvidenceKind.REFERENCE, spin) if one.relation is Relation.SAME_SYMBOL]
    assert places(found) == [("mill_npu.N.turn", (16,), "spin")]


def test_classes_and_methods_of_a_broken_file_are_found(index_of: IndexOf) -> None:
    index = index_of({"csrc/a.cpp": BROKEN})
    turn = definition("torch.mill.Gear.turn", path=HEADER)
    assert places(felt(index, EvidenceKind.SUBCLASS, turn)) == [("mill_npu.N", (10,), "Gear")]
    assert ("mill_npu.N.turn", (15,), "turn") in places(felt(index, EvidenceKind.OVERRIDE, turn))


def test_registrations_of_a_broken_file_are_found(index_of: IndexOf) -> None:
    index = index_of({"csrc/a.cpp": BROKEN})
    found = felt(index, EvidenceKind.REGISTRATION, operator("aten.spin"), operator("aten.turn"))
    assert [(one.symbol, one.scope, one.lines) for one in found] == [
        ("aten.spin", "mill_npu.TORCH_LIBRARY_IMPL", (21,)),
        ("aten.turn", "mill_npu.TORCH_LIBRARY_IMPL", (22,)),
    ]


SOUND = code("""
    namespace a { namespace b::c {
    template <typename T = std::vector<int>, int n = 3>
    struct S : Base<T> {
      S(int x) : x_(x) {}
      explicit operator bool() const { return x_; }
      bool operator==(const S& other) { return true; }
      int turn(int angle = 0) const noexcept override { if (angle) { return 1; } return [] { return 2; }(); }
      enum class Kind { A, B };
      int x_ = {1};
    };
    }
    int table[] = {1, 2};
    static void f(std::function<int()> g) { for (;;) {} }
    int* b::c::S::run() { return nullptr; }
    TEST(Suite, works) { f(); }
    }
    """)


def test_braces_tell_what_a_sound_tree_tells() -> None:
    file = CppFile(SOUND.encode())
    assert not file.is_broken
    by_braces = {(".".join(one.names), file.line_at(one.brace)) for one in blocks_of(file.code) if _is_scope(one.kind)}
    by_tree = {(scope.qualname, file.line_at(scope.body)) for scope in file.scopes if scope.kind and scope.body >= 0}
    assert by_braces == by_tree
    assert {("a.b.c.S.turn", 7), ("a.Suite.works", 15)} <= by_tree


def _is_scope(kind: BlockKind) -> bool:
    return kind is not BlockKind.NAMESPACE


@pytest.mark.parametrize("source", [BROKEN, SOUND], ids=["broken", "sound"])
def test_every_fact_stands_where_it_says(source: str) -> None:
    data = source.encode()
    facts = extract_cpp_facts(CppFile(data))
    assert {fact.kind for fact in facts} >= {EvidenceKind.FORK, EvidenceKind.OVERRIDE, EvidenceKind.SUBCLASS}
    for fact in facts:
        assert set(fact.lines) <= set(lines_with(data, fact.token)), fact
        assert list(fact.lines) == sorted(set(fact.lines))
        assert fact.span is None or fact.span[0] <= fact.lines[0] <= fact.span[1]


def test_branches_of_a_condition_do_not_unbalance_the_rest() -> None:
    source = b"#ifdef A\nvoid f(int x) {\n#else\nvoid f(long x) {\n#endif\n  g();\n}\nvoid h() {}\n"
    named = [(block.names, block.end) for block in blocks_of(masked(source).code)]
    assert [names for names, _ in named] == [("f",), ("f",), ("h",)]
    assert named[-1][1] == len(source) - 1


def test_masking_keeps_offsets_and_lines() -> None:
    source = 'a /* 注释\n b */ c; // d \\\n e\nf("g // h", \'i\', 1\'000, R"x(j " k\n)x"); "l\\"m" n\n'.encode()
    text, code = masked(source)
    for one in (text, code):
        assert len(one) == len(source)
        assert [at for at, byte in enumerate(one) if byte == 10] == [at for at, byte in enumerate(source) if byte == 10]
    words = code.decode().split()
    assert words == ["a", "c;", 'f("', '",', "'", "',", "1'000,", 'R"x(', ')x");', '"', '"', "n"]
    assert b"g // h" in text
    assert b"b" not in text
