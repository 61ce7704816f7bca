"""`heritage`: who descends from a class, and whose methods stand before its own."""

from __future__ import annotations

from retrieval.coupling.heritage import heirs, providers
from tests.support.tree import IndexOf, code

BASE = "torch._mill.gears.Gear"


def _providers(index_of: IndexOf, source: str, heir: str) -> list[str]:
    index = index_of({"a.py": code(source)})
    found = heirs(BASE, index)
    family = {BASE, *(one.name for one in found)}
    (wanted,) = [one for one in found if one.name == f"a.{heir}"]
    return [name.removeprefix("a.") for name in providers(wanted, family, index)]


def test_nearest_descendants_first(index_of: IndexOf) -> None:
    source = """
        from torch._mill.gears import Gear
        class C(B): ...
        class B(A): ...
        class A(Gear): ...
        class Z(Gear): ...
        """
    assert [heir.name for heir in heirs(BASE, index_of({"a.py": code(source)}))] == ["a.A", "a.Z", "a.B", "a.C"]


def test_classes_of_one_name_in_two_files_are_two(index_of: IndexOf) -> None:
    files = {
        "a.py": "from torch._mill.gears import Gear\nclass N(Gear): ...\n",
        "b.py": "class N: ...\nclass M(N): ...\n",
        "c.py": "from a import N\nclass M(N): ...\n",
    }
    assert [heir.name for heir in heirs(BASE, index_of(files))] == ["a.N", "c.M"]


def test_mixins_before_the_family_provide(index_of: IndexOf) -> None:
    source = """
        from torch._mill.gears import Gear
        class Deep: ...
        class Left(Deep): ...
        class Right: ...
        class N(Left, Gear, Right): ...
        """
    assert _providers(index_of, source, "N") == ["N", "Left", "Deep"]


def test_foreign_mixins_provide_nothing_downstream(index_of: IndexOf) -> None:
    source = """
        from torch._mill.gears import Gear
        from torch._mill.mixins import Foreign
        class N(Foreign, Gear): ...
        """
    assert _providers(index_of, source, "N") == ["N"]


def test_a_mixin_of_the_family_is_its_own_heir(index_of: IndexOf) -> None:
    source = """
        from torch._mill.gears import Gear
        class Mixin(Gear): ...
        class A(Gear): ...
        class N(A, Mixin): ...
        """
    assert _providers(index_of, source, "N") == ["N"]
    assert _providers(index_of, source, "Mixin") == ["Mixin"]


def test_bases_that_circle_end(index_of: IndexOf) -> None:
    source = """
        from torch._mill.gears import Gear
        class P(Q): ...
        class Q(P): ...
        class N(P, Gear): ...
        """
    assert _providers(index_of, source, "N") == ["N", "P", "Q"]
