"""`fork`: downstream copies of a changed upstream function, under any path, name by name or operator by operator."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import couplings
from retrieval.delta.texts import ChangedText
from retrieval.index import Index
from retrieval.models import CopyState, DefinitionChange, EvidenceKind, Relation
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
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_copy(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...]]) -> None:
    (found,) = forks(index_of({"mill_npu/own/place.py": source}))
    assert (found.scope, found.lines, found.token) == (*expected, "spin")
    assert (found.relation, found.symbol) == (Relation.SAME_SYMBOL, "torch._mill.gears.spin")
    assert found.detail.copy_state is CopyState.CARRIES_OLD_CODE
    assert found.detail.similarity is not None


def test_a_copy_under_another_name_is_found_by_its_operator(index_of: IndexOf) -> None:
    renamed = BODY.replace("def spin", "def npu_spin")
    source = "import torch\naten = torch.ops.aten\n@register_lowering(aten.spin)\n" + renamed
    (found,) = forks(index_of({"mill_npu/a.py": source}), definition("spin", operators=("aten.spin",)))
    assert (found.scope, found.lines, found.token) == ("npu_spin", (4,), "npu_spin")
    assert (found.detail.registrar, found.detail.operators) == ("register_lowering", ("aten.spin",))


@pytest.mark.parametrize(
    "source",
    [
        "def spin(self):\n    for key in self.table:\n        self.write(key, self.table[key])\n    raise Stop(self)\n",
        "def spin(gear, speed):\n    return gear\n",
        BODY.replace("def spin", "def other"),
        f'TEXT = """\n{BODY}"""\n',
        indented(BODY).replace("    ", "# "),
        "from torch._mill.gears import spin\nspin(1)\n",
    ],
    ids=["a namesake", "too short", "another name", "in a string", "in a comment", "an import"],
)
def test_look_alikes(index_of: IndexOf, source: str) -> None:
    assert forks(index_of({"mill_npu/a.py": source})) == []


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
