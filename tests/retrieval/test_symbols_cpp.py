"""Definitions of C++ files: namespaces, out-of-line members, macros that no grammar knows."""

from __future__ import annotations

import pytest

from retrieval.definitions import Definition
from retrieval.models import Language, ParameterKind
from retrieval.symbols import parse_definitions

SOURCE = """\
#include <mill.h>
#define LIMIT 3
#define TWICE(x, ...) \\
  ((x) * 2)

namespace at::mill {
namespace {
static int counter = 0;
}
using Teeth = std::vector<int>;

class MILL_API Gear final : public Wheel, private Box<int> {
 public:
  explicit Gear(int teeth) : teeth_(teeth) {}
  ~Gear() override = default;
  Tensor turn(const Tensor& input, std::optional<int64_t> by = std::nullopt) const override;
  bool operator==(const Gear& other) const { return true; }
  struct Tooth { int size; };

 private:
  int teeth_ = 0;
};

Tensor Gear::turn(const Tensor& input, std::optional<int64_t> by) const {
  int local = 1;
  auto f = [&](int q) { return q; };
  return input;
}

template <typename T>
__global__ void grind(T* out, int, int n = 3) {
  out[0] = n;
}

enum class Mode : int { Slow, Fast };
}  // namespace at::mill

extern "C" {
MILL_EXPORT int mill_open(void);
}

TORCH_IMPL_FUNC(mill_out)(const Tensor& self, const Tensor& out) {
  run(self, out);
}

TEST(GearTest, Turns) {
  EXPECT_EQ(1, 1);
}
"""


def cpp(source: str) -> tuple[Definition, ...]:
    return parse_definitions(source.encode(), Language.CPP)


def named(qualname: str, source: str = SOURCE) -> Definition:
    return next(definition for definition in cpp(source) if definition.qualname == qualname)


def test_every_definition_is_found_in_source_order() -> None:
    found = [(definition.qualname, definition.kind.value) for definition in cpp(SOURCE)]
    assert found == [
        ("LIMIT", "variable"),
        ("TWICE", "function"),
        ("at.mill.counter", "variable"),
        ("at.mill.Teeth", "variable"),
        ("at.mill.Gear", "class"),
        ("at.mill.Gear.Gear", "method"),
        ("at.mill.Gear.~Gear", "method"),
        ("at.mill.Gear.turn", "method"),
        ("at.mill.Gear.operator==", "method"),
        ("at.mill.Gear.Tooth", "class"),
        ("at.mill.Gear.Tooth.size", "variable"),
        ("at.mill.Gear.teeth_", "variable"),
        ("at.mill.Gear.turn", "method"),
        ("at.mill.grind", "function"),
        ("at.mill.Mode", "class"),
        ("mill_open", "function"),
        ("mill_out", "function"),
        ("GearTest.Turns", "method"),
    ]


def test_lines_include_the_template_header() -> None:
    grind = named("at.mill.grind")
    assert (grind.start_line, grind.name_line, grind.end_line) == (30, 31, 33)


def test_parameters() -> None:
    found = [(item.name, item.annotation, item.default, item.kind) for item in named("at.mill.grind").parameters]
    assert found == [
        ("out", "T*", None, ParameterKind.POSITIONAL_ONLY),
        ("", "int", None, ParameterKind.POSITIONAL_ONLY),
        ("n", "int", "3", ParameterKind.POSITIONAL_ONLY),
    ]
    assert named("mill_open").parameters == ()
    assert [item.name for item in named("TWICE").parameters] == ["x", "..."]


def test_layout_of_a_type_makes_no_difference() -> None:
    tight = named("f", "void f(std::function<void(int, A)> g, const T& t);\n")
    loose = named("f", "void f(std::function< void(int,\n    A) > g,\n  const T & t);\n")
    assert tight.parameters == loose.parameters


def test_headers() -> None:
    assert named("at.mill.Gear").bases == ("Wheel", "Box<int>")
    turn = named("at.mill.Gear.turn")
    assert turn.returns == "Tensor"
    assert turn.signature == ("(const Tensor& input, std::optional<int64_t> by = std::nullopt) const -> Tensor")
    counter = named("at.mill.counter").header()
    assert (counter.annotation, counter.value) == ("int", "0")
    assert named("f", "auto f(int x) -> std::vector<int> { return {}; }\n").returns == "std::vector<int>"
    assert named("g", "static const std::string& g() { return s; }\n").returns == "const std::string&"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int (*handler)(int) = nullptr;\n", [("handler", "variable")]),
        ("int a = 1, *b, c[3];\n", [("a", "variable"), ("b", "variable"), ("c", "variable")]),
        ("Foo::operator bool() const { return true; }\n", [("Foo.operator bool", "method")]),
        ("namespace a { void b::c() {} }\n", [("a.b.c", "function")]),
        ("struct S;\n", []),
        ("void f() { int x; struct L { int y; }; }\n", [("f", "function"), ("f.L", "class"), ("f.L.y", "variable")]),
        ("DEFINE_DISPATCH(mill_stub);\n", []),
        ("#if A\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n", [("f", "function")] * 2),
    ],
)
def test_shapes(source: str, expected: list[tuple[str, str]]) -> None:
    assert [(item.qualname, item.kind.value) for item in cpp(source)] == expected


def test_overloads_are_kept_apart() -> None:
    found = cpp("int f(int a);\nint f(float a);\nint f(int a) { return a; }\n")
    assert [(item.qualname, item.start_line, item.signature) for item in found] == [
        ("f", 1, "(int a) -> int"),
        ("f", 2, "(float a) -> int"),
        ("f", 3, "(int a) -> int"),
    ]


def test_broken_source_yields_what_parses() -> None:
    found = {item.qualname for item in cpp("}}} garbage\nint good() { return 1; }\n")}
    assert "good" in found


def test_macros_are_blanked_for_the_parser_only() -> None:
    source = "struct MILL_HIDDEN A { int x; };\n#define MILL_HIDDEN\n"
    definition = named("A", source)
    assert ("MILL_HIDDEN", 0) in [(text, int(layer)) for text, layer in definition.tokens()]
    assert named("MILL_HIDDEN", source).start_line == 2


def test_deep_nesting_is_no_recursion() -> None:
    depth = 3000
    assert cpp("int x = " + "(" * depth + "1" + ")" * depth + ";\n")[0].qualname == "x"
    assert cpp("namespace n {" * 500 + "int y;" + "}" * 500)[0].name == "y"
