"""`subclass`: downstream classes that derive from a changed class."""

from __future__ import annotations

import pytest

from retrieval.models import DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition, renamed

KIND = EvidenceKind.SUBCLASS
GEAR = definition("Gear", definition=DefinitionKind.CLASS)

FORMS = {
    "through the module": ("from torch._mill import gears\nclass N(gears.Gear): ...\n", ("N", (2,), "Gear")),
    "by name": ("from torch._mill.gears import Gear\nclass N(Gear): ...\n", ("N", (2,), "Gear")),
    "of the same name": ("from torch._mill.gears import Gear\nclass Gear(Gear): ...\n", ("Gear", (2,), "Gear")),
    "by an alias": ("from torch._mill.gears import Gear as G\nclass N(G): ...\n", ("N", (2,), "G")),
    "by a saved alias": ("from torch._mill import gears\nG = gears.Gear\nclass N(G): ...\n", ("N", (3,), "G")),
    "from a star import": ("from torch._mill.gears import *\nclass N(Gear): ...\n", ("N", (2,), "Gear")),
    "second of several bases": (
        "from torch._mill import gears\nclass N(\n    Other,\n    gears\n    .Gear,\n    metaclass=M,\n): ...\n",
        ("N", (5,), "Gear"),
    ),
    "subscripted": ("from torch._mill import gears\nclass N(gears.Gear[int]): ...\n", ("N", (2,), "Gear")),
    "decorated": ("from torch._mill import gears\n@d\nclass N(gears.Gear): ...\n", ("N", (3,), "Gear")),
    "in a function": (
        "from torch._mill import gears\ndef f():\n    class N(gears.Gear): ...\n",
        ("f.N", (3,), "Gear"),
    ),
    "in a class": ("from torch._mill import gears\nclass A:\n    class N(gears.Gear): ...\n", ("A.N", (3,), "Gear")),
    "shadowed in its own body": (
        "from torch._mill import gears\nclass N(gears.Gear):\n    gears = None\n",
        ("N", (2,), "Gear"),
    ),
    "with carriage returns": ("from torch._mill import gears\r\nclass N(gears.Gear): ...\r\n", ("N", (2,), "Gear")),
    "behind a byte-order mark": (
        "\ufefffrom torch._mill import gears\nclass N(gears.Gear): ...\n",
        ("N", (2,), "Gear"),
    ),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_subclass(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = felt(index_of({"mill_npu/a.py": source}), KIND, GEAR)
    assert places(found) == [expected]
    assert {(one.relation, one.detail.base) for one in found} == {(Relation.SAME_SYMBOL, "torch._mill.gears.Gear")}


@pytest.mark.parametrize(
    "source",
    [
        "from torch._mill.wheels import Gear\nclass N(Gear): ...\n",
        "class Gear: ...\nclass N(Gear): ...\n",
        "# class N(gears.Gear): ...\n",
        "x = 'class N(gears.Gear): ...'\n",
        "from torch._mill import gears\nclass N(Other, metaclass=gears.Gear): ...\n",
        "from torch._mill import gears\nclass N(make(gears.Gear)): ...\n",
        "from torch._mill import gears\nclass N(List[gears.Gear]): ...\n",
        "from torch._mill import gears\ndef f(gears):\n    class N(gears.Gear): ...\n",
        "from torch._mill import gears\nclass N(gears.创建Gear): ...\n",
        "from torch._mill.gears import Gear\nclass Gear: ...\nclass N(Gear): ...\n",
    ],
    ids=["module", "own", "comment", "string", "keyword", "call", "subscript", "parameter", "Chinese", "redefined"],
)
def test_look_alikes_of_a_subclass(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": source}), KIND, GEAR) == []


def test_descendants_are_found_through_files_and_reexports(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill.gears import Gear as Upstream\n",
        "mill_npu/a.py": "from ._compat import Upstream\nclass A(Upstream): ...\n",
        "mill_npu/__init__.py": "from .a import A as Base\n",
        "mill_npu/b.py": "import mill_npu\nclass B(mill_npu.Base): ...\nclass C(B): ...\n",
    }
    found = felt(index_of(files), KIND, GEAR)
    assert [(one.path, one.scope) for one in found] == [
        ("mill_npu/a.py", "A"),
        ("mill_npu/b.py", "B"),
        ("mill_npu/b.py", "C"),
    ]


def test_each_descendant_counts_once_and_circles_end(index_of: IndexOf) -> None:
    source = code("""
        from torch._mill.gears import Gear
        class A(Gear, Gear): ...
        class B(A, Gear): ...
        class C(D, Gear): ...
        class D(C): ...
        """)
    assert [one.scope for one in felt(index_of({"mill_npu/a.py": source}), KIND, GEAR)] == ["A", "B", "C", "D"]


def test_a_changed_method_reaches_the_subclasses_of_its_class(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\nclass N(Gear): ...\n"
    (found,) = felt(index_of({"mill_npu/a.py": source}), KIND, definition("Gear.turn"))
    assert (found.relation, found.symbol, found.detail.base) == (
        Relation.ENCLOSING,
        "torch._mill.gears.Gear.turn",
        "torch._mill.gears.Gear",
    )


def test_the_old_name_of_a_renamed_class_counts(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\nclass N(Gear): ...\n"
    changed = renamed("Gear", "Cog", definition=DefinitionKind.CLASS)
    (found,) = felt(index_of({"mill_npu/a.py": source}), KIND, changed)
    assert (found.symbol, found.detail.base) == ("torch._mill.gears.Cog", "torch._mill.gears.Gear")
