"""`hook`: patches, subclasses and imports near what changed, nearest first."""

from __future__ import annotations

from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt
from tests.support.values import definition

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
