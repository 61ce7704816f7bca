"""`reference` where a name is not the changed one itself: heirs put to work, attributes of what an object holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.facts import is_held
from retrieval.coupling.rarity import RARE_FILES
from retrieval.models import DefinitionChange, DefinitionKind, EvidenceKind, Relation
from tests.support.tree import Files, IndexOf, code, facts_of, felt, places
from tests.support.values import definition, renamed

KIND = EvidenceKind.REFERENCE
TURN = definition("Gear.turn")
GEAR = definition("Gear", definition=DefinitionKind.CLASS)
COG = renamed("Gear", "Cog", definition=DefinitionKind.CLASS)

# --- heirs ------------------------------------------------------------------------------------------------------------

HEIRS: Files = {
    "mill_npu/gears.py": code("""
        from torch._mill.gears import Gear
        class NPUGear(Gear): ...
        class Deep(NPUGear): ...
        x = NPUGear()
        """),
    "mill_npu/use.py": "from .gears import NPUGear\n\ndef f():\n    return NPUGear()\n",
}


def by_heir(found: Sequence[Coupling]) -> list[tuple[str, str, tuple[int, ...], str]]:
    return sorted((one.path, one.scope, one.lines, one.token) for one in found if one.relation is Relation.HEIR)


@pytest.mark.parametrize("changed", [TURN, GEAR, COG], ids=["a member", "the class", "a class renamed"])
def test_where_downstream_puts_an_heir_of_the_changed_class_to_work(
    index_of: IndexOf, changed: DefinitionChange
) -> None:
    found = felt(index_of(HEIRS), KIND, changed)
    assert by_heir(found) == [("mill_npu/use.py", "f", (4,), "NPUGear")]
    assert {one.symbol for one in found if one.relation is Relation.HEIR} == {"torch._mill.gears.Gear"}


USES = {
    "under another name": ("from .gears import NPUGear as N\ndef f():\n    N()\n", ("f", (3,), "N")),
    "through its module": ("from mill_npu import gears\ndef f():\n    gears.NPUGear()\n", ("f", (3,), "NPUGear")),
    "of an heir of an heir": ("from .gears import Deep\ndef f():\n    Deep()\n", ("f", (3,), "Deep")),
    "as a type": ("from .gears import NPUGear\ndef f(x: NPUGear): ...\n", ("f", (2,), "NPUGear")),
}


@pytest.mark.parametrize(("source", "expected"), USES.values(), ids=USES.keys())
def test_ways_to_use_an_heir(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = felt(index_of({**HEIRS, "mill_npu/use.py": source}), KIND, TURN)
    assert expected in [one[1:] for one in by_heir(found)]


NO_HEIRS = {
    "in its own file": {"mill_npu/use.py": "x = 1\n"},
    "a class of its name elsewhere": {
        "mill_npu/use.py": "from .others import NPUGear\nNPUGear()\n",
        "mill_npu/others.py": "class NPUGear: ...\n",
    },
    "an own class of its name": {"mill_npu/use.py": "class NPUGear: ...\ndef f():\n    NPUGear()\n"},
    "an import alone": {"mill_npu/use.py": "from .gears import NPUGear\n"},
    "a string": {"mill_npu/use.py": "x = 'NPUGear'  # NPUGear\n"},
    "a class of another base": {
        "mill_npu/gears.py": "from torch._mill.wheels import Gear\nclass NPUGear(Gear): ...\n",
    },
}


@pytest.mark.parametrize("files", NO_HEIRS.values(), ids=NO_HEIRS.keys())
def test_look_alikes_of_a_used_heir(index_of: IndexOf, files: Files) -> None:
    assert by_heir(felt(index_of({**HEIRS, **files}), KIND, TURN)) == []


def test_a_changed_function_has_no_heirs(index_of: IndexOf) -> None:
    assert by_heir(felt(index_of(HEIRS), KIND, definition("spin"))) == []


# --- attributes of what an object holds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "held"),
    [
        ("torch._mill.virtual.V.graph.size_hint", True),
        ("torch._mill.gears.Gear.tooth.turn", True),
        ("torch._mill.gears.TABLE.x.y", True),
        ("torch._mill.gears.Gear.turn", False),
        ("torch._mill.gears.Gear", False),
        ("torch._mill.gears.Gear.Tooth.bite", False),
        ("torch._mill.gears._Gear.Tooth.root.bite", True),
        ("torch._C._mill.gears.spin", False),
        ("torch._mill.gears.spin", False),
        ("torch", False),
        ("", False),
    ],
)
def test_what_an_object_holds(target: str, held: bool) -> None:
    assert is_held(target) is held


HELD = "from torch._mill.virtual import V\n\ndef f():\n    return V.graph.turn(1)\n"


def test_a_rare_attribute_of_what_an_object_holds_may_be_the_changed_member(index_of: IndexOf) -> None:
    found = felt(index_of({"mill_npu/a.py": HELD}), KIND, TURN)
    assert places(found) == [("f", (4,), "turn")]
    assert [(one.relation, one.symbol) for one in found] == [(Relation.SAME_NAME, "torch._mill.gears.Gear.turn")]


NOT_HELD = {
    "a function": ("spin", "from torch._mill.virtual import V\nV.graph.spin(1)\n"),
    "an attribute of the class itself": ("Gear.turn", "from torch._mill.virtual import V\nV.turn(1)\n"),
    "of a module": ("Gear.turn", "from torch._mill.virtual import graph\ngraph.deep.turn(1)\n"),
    "a longer name": ("Gear.turn", "from torch._mill.virtual import V\nV.graph.turns(1)\n"),
    "on the way to another": ("Gear.turn", "from torch._mill.virtual import V\nV.turn.stop(1)\n"),
    "its class": ("Gear.turn", "from torch._mill.virtual import V\nV.graph.Gear(1)\n"),
}


@pytest.mark.parametrize(("qualname", "source"), NOT_HELD.values(), ids=NOT_HELD.keys())
def test_look_alikes_of_a_held_attribute(index_of: IndexOf, qualname: str, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": source}), KIND, definition(qualname)) == []


def test_a_common_attribute_of_what_an_object_holds_says_nothing(index_of: IndexOf) -> None:
    files = {f"mill_npu/m{n}.py": f"{HELD}# {n}\n" for n in range(RARE_FILES + 1)}
    assert felt(index_of(files), KIND, TURN) == []


# --- names of the file itself -----------------------------------------------------------------------------------------


def test_a_use_of_the_files_own_function_is_kept_as_such(index_of: IndexOf) -> None:
    """It couples nothing downstream; asked of upstream, it tells who runs a private helper."""
    source = "def spin(x): ...\n\ndef f(x):\n    return spin(x)\n"
    assert [(one.name, one.target, one.scope, one.lines) for one in facts_of(source, KIND)] == [
        ("spin", "@.spin", "f", (4,))
    ]
    (located,) = index_of({"torch/_mill/gears.py": source}).named(("spin",), KIND)
    assert located.target == "torch._mill.gears.spin"
    assert felt(index_of({"mill_npu/a.py": source}), KIND, definition("spin")) == []
