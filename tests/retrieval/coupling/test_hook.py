"""`hook`: patches, subclasses and imports near what changed, nearest first."""

from __future__ import annotations

import pytest

from retrieval.coupling.hook import couple
from retrieval.coupling.question import CHANGE_WEIGHT, question_of
from retrieval.index import Index
from retrieval.models import CouplingDetail, DefinitionChange, DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt
from tests.support.values import definition, delta

KIND = EvidenceKind.HOOK
TURN = definition("Gear.turn")


def test_places_on_the_same_class_module_and_package_are_told_apart(index_of: IndexOf) -> None:
    source = code("""
        from torch._mill import gears
        from torch._mill.gears import Gear, stop
        from torch._mill.wheels import Wheel
        Gear.halt = f
        gears.stop = f
        class N(gears.Tooth): ...
        class M(Wheel): ...
        """)
    found = felt(index_of({"mill_npu/a.py": source}), KIND, TURN)
    assert sorted((one.relation, one.lines, one.symbol) for one in found) == [
        (Relation.ENCLOSING, (4,), "torch._mill.gears.Gear.halt"),
        (Relation.SAME_MODULE, (2,), "torch._mill.gears.stop"),
        (Relation.SAME_MODULE, (5,), "torch._mill.gears.stop"),
        (Relation.SAME_MODULE, (6,), "torch._mill.gears.Tooth"),
        (Relation.SAME_PACKAGE, (3,), "torch._mill.wheels.Wheel"),
        (Relation.SAME_PACKAGE, (7,), "torch._mill.wheels.Wheel"),
    ]
    weights = {(one.relation, one.lines): one.weight for one in found}
    assert (
        weights[Relation.SAME_MODULE, (5,)] > weights[Relation.SAME_MODULE, (6,)] > weights[Relation.SAME_MODULE, (2,)]
    )
    assert weights[Relation.SAME_MODULE, (6,)] > weights[Relation.SAME_PACKAGE, (7,)]


def test_what_touches_the_change_itself_is_no_hook(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\nGear.turn = f\nclass N(Gear): ...\n"
    assert felt(index_of({"mill_npu/a.py": source}), KIND, TURN) == []


def test_other_subsystems_and_look_alikes_are_no_hooks(index_of: IndexOf) -> None:
    source = code("""
        import torch
        from torch._fan.blades import Blade
        from torch._milling.gears import stop
        from .gears import own
        # from torch._mill.gears import stop
        x = "from torch._mill.gears import stop"
        torch.spin = f
        def g(gears):
            gears.stop = f
        """)
    assert felt(index_of({"mill_npu/a.py": source}), KIND, TURN) == []


def test_a_change_of_a_plain_torch_module_hooks_no_other_package(index_of: IndexOf) -> None:
    files = {"mill_npu/a.py": "from torch.nn import Gear\nfrom torch.fx import spin\n"}
    changed = definition("turn", path="torch/nn/gears.py")
    found = felt(index_of(files), KIND, changed)
    assert [(one.relation, one.symbol) for one in found] == [(Relation.SAME_PACKAGE, "torch.nn.Gear")]


def test_a_place_is_named_once_by_its_nearest_area(index_of: IndexOf) -> None:
    files = {"mill_npu/a.py": "from torch._mill.deep.gears import stop\n"}
    changed = definition("turn", path="torch/_mill/deep/gears.py")
    found = felt(index_of(files), KIND, changed)
    assert [one.relation for one in found] == [Relation.SAME_MODULE]


def test_a_hook_keeps_what_its_fact_knows(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef f(x): ...\ngears.stop = f\n"
    found = [one for one in felt(index_of({"mill_npu/a.py": source}), KIND, TURN) if one.lines == (3,)]
    assert [(one.detail.replacement, one.detail.calls_original) for one in found] == [("mill_npu.a.f", False)]


# --- what a patch puts in place ---------------------------------------------------------------------------------------


def replacements(index: Index, *changes: DefinitionChange) -> list[tuple[str, str, tuple[int, ...], str]]:
    found = felt(index, KIND, *changes)
    return sorted((one.path, one.scope, one.lines, one.symbol) for one in found if one.relation is Relation.REPLACEMENT)


def test_the_function_that_a_patch_of_the_changed_one_puts_in_place(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef npu_turn(self): ...\ndef apply():\n    gears.Gear.turn = npu_turn\n"
    index = index_of({"mill_npu/a.py": source})
    assert replacements(index, TURN) == [("mill_npu/a.py", "npu_turn", (2,), "torch._mill.gears.Gear.turn")]
    (found,) = [one for one in felt(index, KIND, TURN) if one.relation is Relation.REPLACEMENT]
    assert (found.token, found.detail, found.weight) == ("npu_turn", CouplingDetail(), CHANGE_WEIGHT[TURN.kind])


def test_the_function_that_a_patch_nearby_puts_in_place(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef npu_stop(): ...\ngears.stop = npu_stop\n"
    index = index_of({"mill_npu/a.py": source})
    assert replacements(index, TURN) == [("mill_npu/a.py", "npu_stop", (2,), "torch._mill.gears.stop")]
    patches = [one for one in felt(index, KIND, TURN) if one.relation is Relation.SAME_MODULE and one.lines == (3,)]
    (own,) = [one for one in felt(index, KIND, TURN) if one.relation is Relation.REPLACEMENT]
    assert [one.weight for one in patches] == [own.weight]


def test_a_replacement_in_another_file_and_the_function_that_makes_it(index_of: IndexOf) -> None:
    files = {
        "mill_npu/a.py": code("""
            from torch._mill import gears
            from mill_npu.b import npu_turn
            gears.Gear.turn = npu_turn

            def make(raw):
                def inner(self):
                    return raw(self)
                return inner

            gears.stop = make(gears.stop)
            """),
        "mill_npu/b.py": "def npu_turn(self): ...\ndef other(): ...\n",
    }
    assert replacements(index_of(files), TURN) == [
        ("mill_npu/a.py", "make", (5,), "torch._mill.gears.stop"),
        ("mill_npu/a.py", "make.inner", (6,), "torch._mill.gears.stop"),
        ("mill_npu/b.py", "npu_turn", (1,), "torch._mill.gears.Gear.turn"),
    ]


def test_a_class_that_a_patch_puts_in_place(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\nclass NPUGear: ...\ngears.Gear = NPUGear\n"
    changed = definition("Gear", definition=DefinitionKind.CLASS)
    assert replacements(index_of({"mill_npu/a.py": source}), changed) == [
        ("mill_npu/a.py", "NPUGear", (2,), "torch._mill.gears.Gear")
    ]


NO_REPLACEMENTS = {
    "of the same name elsewhere": (
        "from torch._mill import gears\ndef f(): ...\nclass C:\n    def f(self): ...\ngears.stop = f\n",
        [("f", (2,))],
    ),
    "the class around a method": (
        "from torch._mill import gears\nclass C:\n    def f(self): ...\ngears.stop = C.f\n",
        [("C.f", (3,))],
    ),
    "what is made where it is put in place": (
        "from torch._mill import gears\ndef apply():\n    gears.stop = lambda: 1\n",
        [],
    ),
    "a patch of another subsystem": ("from torch._fan import gears\ndef f(): ...\ngears.stop = f\n", []),
    "a function that is only used": ("from torch._mill import gears\ndef f(): ...\ngears.stop(f)\n", []),
}


@pytest.mark.parametrize(("source", "expected"), NO_REPLACEMENTS.values(), ids=NO_REPLACEMENTS.keys())
def test_look_alikes_of_a_replacement(
    index_of: IndexOf, source: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    found = replacements(index_of({"mill_npu/a.py": source}), TURN)
    assert [(scope, lines) for _, scope, lines, _ in found] == expected


# --- modules that no diff shows ---------------------------------------------------------------------------------------


def test_a_module_that_no_diff_shows_hooks_less_than_one_that_changed(index_of: IndexOf) -> None:
    source = "from torch._fan import blades\nfrom torch._mill import gears\nblades.cut = f\ngears.stop = f\n"
    index = index_of({"mill_npu/a.py": source})
    question = question_of(delta(TURN), other_paths=("torch/_fan/blades.py", "test/test_blades.py", "torch/fan.cpp"))
    found = {one.lines: one for one in couple(question, index) if one.relation is Relation.SAME_MODULE}
    assert (found[(3,)].symbol, found[(4,)].symbol) == ("torch._fan.blades.cut", "torch._mill.gears.stop")
    assert 0 < found[(3,)].weight < found[(4,)].weight


def test_packages_around_a_module_that_no_diff_shows_are_no_area(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": "from torch._fan.lamps import light\n"})
    assert list(couple(question_of(delta(TURN), other_paths=("torch/_fan/blades.py",)), index)) == []
