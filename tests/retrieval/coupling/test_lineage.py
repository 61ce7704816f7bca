"""`lineage`: upstream classes between the changed class and the downstream one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.lineage import with_lineage
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import couplings
from retrieval.models import DefinitionChange, DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code, memory_index
from tests.support.values import definition, delta

UPSTREAM = {
    "torch/_mill/gears.py": code("""
        class Gear:
            def turn(self): ...
            def rest(self): ...
        """),
    "torch/_mill/wheels.py": code("""
        from torch._mill.gears import Gear

        class Wheel(Gear):
            def rest(self): ...

        class BigWheel(Wheel): ...

        class Other: ...
        """),
}
TURN, REST = definition("Gear.turn"), definition("Gear.rest")
GEAR = definition("Gear", definition=DefinitionKind.CLASS)
Felt = Callable[[str, EvidenceKind, DefinitionChange], Sequence[Coupling]]
IMPORT = "from torch._mill.wheels import BigWheel, Wheel, Other\n"


@pytest.fixture
def felt(index_of: IndexOf, tmp_path: Path) -> Iterator[Felt]:
    upstream = memory_index(UPSTREAM, tmp_path / "upstream")

    def ask(source: str, kind: EvidenceKind, change: DefinitionChange) -> Sequence[Coupling]:
        question = with_lineage(question_of(delta(change)), upstream)
        found = couplings(question, index_of({"mill_npu/a.py": IMPORT + source}))
        return [one for one in found if one.kind is kind]

    yield ask
    upstream.close()


def test_an_override_behind_an_upstream_class_is_one(felt: Felt) -> None:
    (found,) = felt("class N(BigWheel):\n    def turn(self): ...\n", EvidenceKind.OVERRIDE, TURN)
    assert (found.scope, found.lines, found.relation) == ("N.turn", (3,), Relation.SAME_SYMBOL)
    assert found.detail.base == "torch._mill.gears.Gear"


def test_what_an_upstream_class_redefines_does_not_arrive(felt: Felt) -> None:
    source = "class N(BigWheel):\n    def rest(self): ...\n"
    assert not felt(source, EvidenceKind.OVERRIDE, REST)
    assert not felt(source, EvidenceKind.SUBCLASS, REST)


def test_a_subclass_of_an_upstream_descendant_derives_from_the_class(felt: Felt) -> None:
    (found,) = felt("class N(Wheel): ...\n", EvidenceKind.SUBCLASS, GEAR)
    assert (found.scope, found.relation, found.detail.base) == ("N", Relation.SAME_SYMBOL, "torch._mill.gears.Gear")


def test_a_patch_of_the_inherited_member_replaces_it(felt: Felt) -> None:
    (found,) = felt("def f(self): ...\nBigWheel.turn = f\n", EvidenceKind.PATCH, TURN)
    assert (found.scope, found.lines, found.relation) == ("<module>", (3,), Relation.MEMBER)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("class N(Other):\n    def turn(self): ...\n", EvidenceKind.OVERRIDE),
        ("class N(Other): ...\n", EvidenceKind.SUBCLASS),
        ("def f(self): ...\nOther.turn = f\n", EvidenceKind.PATCH),
        ("class BigWheel: ...\nclass N(BigWheel):\n    def turn(self): ...\n", EvidenceKind.OVERRIDE),
        ("class N(BigWheel):\n    x = 'def turn(self)'  # def turn(self): ...\n", EvidenceKind.OVERRIDE),
    ],
    ids=["another class", "no descendant", "its member", "a shadowed name", "comment and string"],
)
def test_look_alikes(felt: Felt, source: str, kind: EvidenceKind) -> None:
    assert not felt(source, kind, TURN)


def test_without_an_upstream_index_nobody_knows(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": IMPORT + "class N(BigWheel):\n    def turn(self): ...\n"})
    found = couplings(question_of(delta(TURN)), index)
    assert not [one for one in found if one.kind is EvidenceKind.OVERRIDE]


def test_a_class_that_everything_derives_from_says_nothing(tmp_path: Path) -> None:
    many = "".join(f"class W{number}(Gear): ...\n" for number in range(41))
    upstream = memory_index(
        {**UPSTREAM, "torch/_mill/many.py": "from torch._mill.gears import Gear\n" + many}, tmp_path / "many"
    )
    assert with_lineage(question_of(delta(TURN)), upstream).targets[0].through == ()
    upstream.close()
