"""`fork`: downstream copies of a changed upstream function, under any path and any name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from retrieval.copies.candidates import MOST_CANDIDATES
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import couplings
from retrieval.delta.texts import ChangedText
from retrieval.index import Index
from retrieval.models import CopyState, DefinitionChange, DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code
from tests.support.values import definition, delta, resigned

BODY = code(
    """
    def spin(gear, speed):
        gear = promote(gear)
        if isinstance(gear, Fixed):
            return Fixed.create(gear, tuple(speed))
        if tuple(gear.teeth()) == tuple(speed):
            return gear
        return Free.create(gear, tuple(speed))
    """
)
NEW = BODY.replace("isinstance(gear, Fixed)", "is_fixed(gear)")
SPIN = definition("spin")


def forks(index: Index, change: DefinitionChange = SPIN, old: str | None = BODY) -> Sequence[Coupling]:
    question = question_of(delta(change), {change.symbol: ChangedText(old, NEW)})
    return [one for one in couplings(question, index) if one.kind is EvidenceKind.FORK]


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


FORMS = {
    "at top level": (BODY, ("spin", (1,))),
    "under a decorator": ("@register(x)\n" + BODY, ("spin", (2,))),
    "inside a patching function": ("def patch_all():\n" + indented(BODY), ("patch_all.spin", (2,))),
    "as a method": ("class Gears:\n" + indented(BODY.replace("spin(gear,", "spin(self, gear,")), ("Gears.spin", (2,))),
    "with edits": (BODY.replace("promote(", "npu_promote("), ("spin", (1,))),
    "with a byte-order mark": ("\ufeff" + BODY, ("spin", (1,))),
    "with its locals renamed": (BODY.replace("gear", "wheel").replace("speed", "pace"), ("spin", (1,))),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_copy(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...]]) -> None:
    (found,) = forks(index_of({"mill_npu/own/place.py": source}))
    assert (found.scope, found.lines, found.token) == (*expected, "spin")
    assert (found.relation, found.symbol) == (Relation.SAME_SYMBOL, "torch._mill.gears.spin")
    assert found.detail.copy_state is CopyState.CARRIES_OLD_CODE
    assert found.detail.similarity is not None
    assert found.detail.original == "torch._mill.gears.spin"


def test_a_copy_under_another_name_is_found_by_its_operator(index_of: IndexOf) -> None:
    renamed = BODY.replace("def spin", "def npu_spin")
    source = "import torch\naten = torch.ops.aten\n@register_lowering(aten.spin)\n" + renamed
    (found,) = forks(index_of({"mill_npu/a.py": source}), definition("spin", operators=("aten.spin",)))
    assert (found.scope, found.lines, found.token) == ("npu_spin", (4,), "npu_spin")
    assert (found.detail.registrar, found.detail.operators) == ("register_lowering", ("aten.spin",))


OTHER_NAMES = {
    "another name": BODY.replace("def spin", "def other_turn"),
    "another name and locals": BODY.replace("def spin", "def other_turn").replace("gear", "wheel"),
    "nested in a patching function": "def patch_all():\n" + indented(BODY.replace("def spin", "def other_turn")),
    "as a method": "class Mill:\n" + indented(BODY.replace("def spin(", "def other_turn(self, ")),
}


@pytest.mark.parametrize("source", OTHER_NAMES.values(), ids=OTHER_NAMES.keys())
def test_a_copy_under_another_name_is_found_by_its_code(index_of: IndexOf, source: str) -> None:
    (found,) = forks(index_of({"mill_npu/own/place.py": source, "mill_npu/other.py": STRANGER}))
    assert found.scope.endswith("other_turn")
    assert found.detail.copy_state is CopyState.CARRIES_OLD_CODE


def test_lines_that_both_have(index_of: IndexOf) -> None:
    source = "import torch\n\n\n" + BODY.replace("    if tuple", "    log(gear)\n    if tuple")
    change = definition("spin", old_lines=(101, 107))
    (found,) = forks(index_of({"mill_npu/a.py": source}), change)
    assert [(block.upstream, block.downstream) for block in found.detail.aligned] == [
        ((101, 104), (4, 7)),
        ((105, 107), (9, 11)),
    ]


STRANGER = (
    "def spin(self):\n    for key in self.table:\n        self.write(key, self.table[key])\n    raise Stop(self)\n"
)
GETTER = "def spin(self):\n    return self._spin\n"
FIELDS = "class Gear:\n    def __init__(self, teeth, size):\n        self.teeth = teeth\n        self.size = size\n"


@pytest.mark.parametrize(
    "source",
    [
        STRANGER,
        "def spin(gear, speed):\n    return gear\n",
        f'TEXT = """\n{BODY}"""\n',
        indented(BODY).replace("    ", "# "),
        "from torch._mill.gears import spin\nspin(1)\n",
        "def spin(gear, speed):\n    check(gear)\n    return torch._mill.gears.spin(promote(gear), tuple(speed))\n",
    ],
    ids=["a namesake", "too short", "in a string", "in a comment", "an import", "a caller"],
)
def test_look_alikes(index_of: IndexOf, source: str) -> None:
    assert forks(index_of({"mill_npu/a.py": source})) == []


BOILERPLATE = {
    "a getter": (
        definition("Gear.size"),
        GETTER.replace("spin", "size"),
        "class Wheel:\n" + indented(GETTER.replace("spin", "size")),
    ),
    "a constructor that keeps its arguments": (
        definition("Gear.__init__"),
        FIELDS.partition("\n")[2],
        FIELDS.replace("class Gear", "class Wheel").replace("teeth", "spokes"),
    ),
    "fields of a data class": (
        definition("Gear", definition=DefinitionKind.CLASS),
        "class Gear:\n" + "".join(f"    field{n}: int = {n}\n" for n in range(12)),
        "class Wheel:\n" + "".join(f"    part{n}: int = {n}\n" for n in range(12)),
    ),
}


@pytest.mark.parametrize(("change", "old", "source"), BOILERPLATE.values(), ids=BOILERPLATE.keys())
def test_boilerplate(index_of: IndexOf, change: DefinitionChange, old: str, source: str) -> None:
    assert forks(index_of({"mill_npu/a.py": source}), change, old=old) == []


GEAR = "class MillGear:\n" + indented(BODY.replace("spin(", "spin(self, ") + BODY.replace("spin(", "turn(self, "))
MILL_GEAR = definition("MillGear", definition=DefinitionKind.CLASS)


def test_a_class_of_the_same_name_is_a_copy_when_its_code_is(index_of: IndexOf) -> None:
    own = "class MillGear:\n" + indented(STRANGER)
    index = index_of({"mill_npu/a.py": GEAR.replace("promote(", "x("), "mill_npu/b.py": own, "mill_npu/c.py": BODY})
    (found,) = forks(index, MILL_GEAR, old=GEAR)
    assert (found.path, found.scope, found.lines) == ("mill_npu/a.py", "MillGear", (1,))


def test_of_a_copy_and_what_is_around_it_the_copy_counts(index_of: IndexOf) -> None:
    source = (
        "def spin_all(table):\n    check(table)\n" + indented(BODY) + "    return [spin(one, 2) for one in table]\n"
    )
    (found,) = forks(index_of({"mill_npu/a.py": source}))
    assert found.scope == "spin_all.spin"


def test_what_the_copy_has_of_the_change(index_of: IndexOf) -> None:
    files = {
        "mill_npu/new.py": NEW,
        "mill_npu/old.py": BODY,
        "mill_npu/own.py": BODY.replace("isinstance(gear", "npu(gear"),
    }
    states = {one.path: one.detail.copy_state for one in forks(index_of(files))}
    assert states == {
        "mill_npu/new.py": CopyState.ALREADY_SYNCED,
        "mill_npu/old.py": CopyState.CARRIES_OLD_CODE,
        "mill_npu/own.py": CopyState.DIVERGED,
    }


def test_a_copy_that_cannot_take_a_new_parameter(index_of: IndexOf) -> None:
    change = resigned()
    lacking = change.signature_changes[0].name
    (found,) = forks(index_of({"mill_npu/a.py": BODY}), change)
    assert found.detail.lacks == (lacking,)
    assert found.detail.signature_matches is False


def test_nothing_is_said_of_a_new_function_or_without_its_text(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": BODY})
    assert forks(index, old=None) == []
    assert [one for one in couplings(question_of(delta(SPIN)), index) if one.kind is EvidenceKind.FORK] == []


def test_a_special_method_is_a_copy_in_a_class_of_the_same_name_only(index_of: IndexOf) -> None:
    method = indented(BODY.replace("def spin(gear,", "def __call__(self, gear,"))
    change = definition("Gear.__call__")
    files = {"mill_npu/a.py": "class Gear:\n" + method, "mill_npu/b.py": "class Wheel:\n" + method}
    found = forks(index_of(files), change, old=method)
    assert [(one.path, one.scope) for one in found] == [("mill_npu/a.py", "Gear.__call__")]


def test_a_cpp_function_is_no_copy_of_a_python_one(index_of: IndexOf) -> None:
    body = BODY.replace("if isinstance(gear, Fixed):", "if (isinstance(gear, Fixed))").replace("(speed):", "(speed))")
    alike = body.replace("def spin(gear, speed):", "Tensor spin(gear, speed) {").replace(")\n", ");\n") + "}\n"
    files = {
        "mill_npu/a.py": BODY,
        "csrc/gears.cpp": alike,
        "csrc/turn.cpp": alike.replace("Tensor spin", "Tensor turn"),
    }
    assert [one.path for one in forks(index_of(files))] == ["mill_npu/a.py"]


def test_of_many_equal_copies_the_first_by_path_are_told_whatever_the_cache_held(index_of: IndexOf) -> None:
    copies = {f"mill_npu/{name}.py": BODY.replace("def spin", f"def turn_{name}") for name in "hgfedcbakji"}
    index_of({path: text for path, text in copies.items() if path > "mill_npu/f.py"})  # lies in the cache first
    found = forks(index_of(copies))
    assert [one.path for one in found] == sorted(copies)[:MOST_CANDIDATES]


CPP = code(
    """
    Tensor& spin_out(const Tensor& gear, IntArrayRef speed, Tensor& out) {
      TORCH_CHECK(gear.dim() == 2, "two axes");
      auto teeth = at::native::expand_teeth(gear, speed);
      out.resize_(teeth.sizes());
      for (const auto i : c10::irange(teeth.size(0))) {
        out.select(0, i).copy_(turn_one(teeth.select(0, i)));
      }
      return out;
    }
    """
)


def test_a_copy_in_cpp_under_another_name(index_of: IndexOf) -> None:
    place = "aten/src/ATen/native/Gears.cpp"
    change = definition("at.native.spin_out", path=place, module=place)
    copy = CPP.replace("spin_out", "npu_turn_out").replace("gear", "wheel")
    other = "Tensor stop(const Tensor& gear) {\n  return at::native::stop_all(gear.contiguous(), Kind::Hard);\n}\n"
    index = index_of({"csrc/own.cpp": f"namespace npu {{\n{copy}\n}}\n", "csrc/other.cpp": other})
    (found,) = forks(index, change, old=CPP)
    assert (found.path, found.scope, found.lines) == ("csrc/own.cpp", "npu.npu_turn_out", (2,))
    assert found.detail.similarity == 1.0
