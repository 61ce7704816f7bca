"""`consumers`: upstream code that runs the changed definition, and downstream code that uses that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.coupling.consumers import consumers, couple_consumers, with_consumers
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import Consumer, question_of
from retrieval.index import Index
from retrieval.models import ChangeKind, DefinitionChange, EvidenceKind, Relation
from tests.support.tree import Files, IndexOf, code, memory_index, places
from tests.support.values import definition, delta, renamed

G = "torch._mill.gears"
GEARS = code("""
    def _spin(x):
        return x

    def turn(x):
        return _spin(x)

    def mill(x):
        def loop(y):
            return turn(y)
        return loop(x)

    class Gear:
        def roll(self):
            return mill(self)

        def rest(self):
            return 1

    def lonely(x):
        return x
    """)
UPSTREAM: Files = {
    "torch/_mill/__init__.py": "",
    "torch/_mill/gears.py": GEARS,
    "torch/_mill/wheels.py": code("""
        from torch._mill.gears import _spin as s
        from . import gears

        def wheel(x):
            return s(x)

        def far():
            return gears.turn(1)
        """),
}
SPIN = definition("_spin")


@pytest.fixture
def upstream_of(tmp_path: Path) -> Iterator[Callable[[Files], Index]]:
    opened: list[Index] = []

    def build(files: Files) -> Index:
        opened.append(memory_index(files, tmp_path / "upstream"))
        return opened[-1]

    yield build
    for index in opened:
        index.close()


UpstreamOf = Callable[[Files], Index]


def names(found: Sequence[Consumer]) -> list[str]:
    return [one.symbol.removeprefix("torch._mill.") for one in found]


def asked(upstream: Index, *changes: DefinitionChange, diff_complete: bool = True) -> Sequence[Consumer]:
    return consumers(question_of(delta(*changes)).targets, upstream, diff_complete=diff_complete)


def test_users_are_consumers_the_nearest_first(upstream_of: UpstreamOf) -> None:
    found = asked(upstream_of(UPSTREAM), SPIN)
    assert names(found) == ["gears.turn", "wheels.wheel", "gears.mill", "wheels.far", "gears.Gear.roll"]
    assert {one.target for one in found} == {f"{G}._spin"}
    first, _, second, _, third = (one.weight for one in found)
    assert 0.9 > first > second > third > 0
    assert second / first == pytest.approx(third / second)


@pytest.mark.parametrize("kind", [ChangeKind.REMOVED, ChangeKind.RESIGNED, ChangeKind.REWRITTEN])
def test_what_happened_weighs(upstream_of: UpstreamOf, kind: ChangeKind) -> None:
    question = question_of(delta(definition("_spin", kind)))
    (nearest, *_) = consumers(question.targets, upstream_of(UPSTREAM))
    assert nearest.weight == pytest.approx(0.6 * question.targets[0].weight)


def test_what_is_changed_itself_is_no_consumer(upstream_of: UpstreamOf) -> None:
    found = asked(upstream_of(UPSTREAM), SPIN, definition("turn"))
    assert f"{G}.turn" not in {one.symbol for one in found}
    weights = {one.symbol: one.weight for one in found}
    assert weights[f"{G}.mill"] == weights["torch._mill.wheels.wheel"], "each is next to a changed definition"


def test_a_change_of_layout_has_no_consumers(upstream_of: UpstreamOf) -> None:
    assert asked(upstream_of(UPSTREAM), definition("_spin", ChangeKind.REFORMATTED)) == ()


def test_both_names_of_a_rename_have_users(upstream_of: UpstreamOf) -> None:
    found = asked(upstream_of(UPSTREAM), renamed("_spin", "rotate"))
    assert {"gears.turn", "wheels.wheel"} <= set(names(found))


def test_a_special_method_goes_by_no_name(upstream_of: UpstreamOf) -> None:
    files = {
        "torch/_mill/gears.py": "class Gear:\n    def __len__(self): ...\n\ndef f(x: Gear):\n    return x.__len__()\n"
    }
    assert asked(upstream_of(files), definition("Gear.__len__")) == ()


def test_users_in_a_circle_end(upstream_of: UpstreamOf) -> None:
    files = {"torch/_mill/gears.py": "def _spin():\n    b()\ndef a():\n    _spin()\n    b()\ndef b():\n    a()\n"}
    assert names(asked(upstream_of(files), SPIN)) == ["gears.a", "gears.b"]


def test_the_users_of_users_end_after_three_steps(upstream_of: UpstreamOf) -> None:
    steps = "".join(f"def step{n}():\n    step{n - 1}()\n" for n in range(1, 7))
    found = asked(upstream_of({"torch/_mill/gears.py": f"def step0(): ...\n{steps}"}), definition("step0"))
    assert names(found) == ["gears.step1", "gears.step2", "gears.step3"]


def test_a_step_that_reaches_everything_is_not_taken(upstream_of: UpstreamOf) -> None:
    """Which of two hundred users would be kept is chance, so none is."""
    many = "".join(f"def f{n}():\n    wide()\n" for n in range(200))
    files = {"torch/_mill/gears.py": f"def _spin(): ...\ndef wide():\n    _spin()\n{many}"}
    assert names(asked(upstream_of(files), SPIN)) == ["gears.wide"]
    assert asked(upstream_of(files), definition("wide")) == ()


def test_an_attribute_of_an_unknown_object_counts_for_a_name_that_few_functions_have(upstream_of: UpstreamOf) -> None:
    gears = "class Gear:\n    def grind(self): ...\n"
    user = "def f(x):\n    x.grind()\n"
    others = "".join(f"class C{n}:\n    def grind(self): ...\n" for n in range(8))
    rare = upstream_of({"torch/_mill/gears.py": gears, "torch/_mill/a.py": user})
    assert names(asked(rare, definition("Gear.grind"))) == ["a.f"]
    common = upstream_of({"torch/_mill/gears.py": gears + others, "torch/_mill/a.py": user})
    assert asked(common, definition("Gear.grind")) == ()


def test_nobody_runs_an_added_definition_yet(upstream_of: UpstreamOf) -> None:
    """What calls it now is among the other definitions of a change that is all in sight."""
    assert asked(upstream_of(UPSTREAM), definition("brand_new", ChangeKind.ADDED)) == ()


def test_an_added_definition_of_a_partial_diff_is_stood_for_by_its_module(upstream_of: UpstreamOf) -> None:
    index = upstream_of(UPSTREAM)
    added = asked(index, definition("brand_new", ChangeKind.ADDED), diff_complete=False)
    assert "wheels.far" in names(added), "it uses a function of the module"
    (far,) = [one for one in added if one.symbol == "torch._mill.wheels.far"]
    assert far.target == f"{G}.brand_new"
    elsewhere = definition("brand_new", ChangeKind.ADDED, path="torch/_mill/none.py")
    assert asked(index, elsewhere, diff_complete=False) == ()


def test_an_added_definition_takes_no_weight_from_a_changed_one_beside_it(upstream_of: UpstreamOf) -> None:
    index, added = upstream_of(UPSTREAM), definition("brand_new", ChangeKind.ADDED)
    for changes in ((SPIN, added), (added, SPIN)):
        weights = {one.symbol: one.weight for one in asked(index, *changes, diff_complete=False)}
        assert weights["torch._mill.wheels.wheel"] == pytest.approx(0.6 * 0.9)


def test_a_module_of_very_many_functions_stands_for_nothing(upstream_of: UpstreamOf) -> None:
    many = "".join(f"def f{n}(): ...\n" for n in range(41))
    files = {"torch/_mill/gears.py": many, "torch/_mill/a.py": "from .gears import f3\ndef g():\n    f3()\n"}
    assert asked(upstream_of(files), definition("brand_new", ChangeKind.ADDED), diff_complete=False) == ()


def test_cpp_has_no_consumers(upstream_of: UpstreamOf) -> None:
    assert asked(upstream_of(UPSTREAM), definition("_spin", path="torch/csrc/spin.cpp")) == ()


# --- downstream -------------------------------------------------------------------------------------------------------

Felt = Callable[[Files], Sequence[Coupling]]


@pytest.fixture
def felt_by(upstream_of: UpstreamOf, index_of: IndexOf) -> Felt:
    question = with_consumers(question_of(delta(SPIN)), upstream_of(UPSTREAM))
    return lambda files: list(couple_consumers(question, index_of(files)))


FORMS = {
    "a use": (
        "from torch._mill import gears\ndef f(x):\n    gears.turn(x)\n",
        (EvidenceKind.REFERENCE, "f", (3,), "turn", f"{G}.turn"),
    ),
    "a use under another name": (
        "from torch._mill.gears import turn as t\ndef f(x):\n    t(x)\n",
        (EvidenceKind.REFERENCE, "f", (3,), "t", f"{G}.turn"),
    ),
    "a patch": (
        "from torch._mill import gears\ndef f(x): ...\ngears.turn = f\n",
        (EvidenceKind.PATCH, "<module>", (3,), "turn", f"{G}.turn"),
    ),
    "an import": (
        "from torch._mill.wheels import wheel\n",
        (EvidenceKind.IMPORT, "<module>", (1,), "wheel", "torch._mill.wheels.wheel"),
    ),
    "a method of an object nobody could name": (
        "def f(x):\n    x.roll()\n",
        (EvidenceKind.REFERENCE, "f", (2,), "roll", f"{G}.Gear.roll"),
    ),
    "a name that downstream exports under another": (
        "from mill_npu.compat import npu_turn\ndef f(x):\n    npu_turn(x)\n",
        (EvidenceKind.REFERENCE, "f", (3,), "npu_turn", f"{G}.turn"),
    ),
}
COMPAT = {"mill_npu/compat.py": "from torch._mill.gears import turn as npu_turn\n"}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_downstream_uses_of_a_consumer(felt_by: Felt, source: str, expected: tuple[object, ...]) -> None:
    found = [one for one in felt_by({**COMPAT, "mill_npu/a.py": source}) if one.path == "mill_npu/a.py"]
    assert expected in [(one.kind, one.scope, one.lines, one.token, one.symbol) for one in found]
    assert {one.relation for one in found} == {Relation.CONSUMER}
    assert all(0 < one.weight < 0.9 for one in found)


LOOK_ALIKES = {
    "the changed definition itself": "from torch._mill.gears import _spin\n_spin(1)\n",
    "a bystander of the module": "from torch._mill.gears import lonely\nlonely(1)\n",
    "a bystander of the class": "from torch._mill.gears import Gear\nGear.rest(1)\n",
    "another module's": "from torch._mill.lamps import turn\nturn(1)\n",
    "another package's": "from mill.gears import turn\nturn(1)\n",
    "its own": "def turn(x): ...\nturn(1)\n",
    "a local": "def f(turn):\n    turn(1)\n",
    "a string": "x = 'gears.turn'  # gears.turn\n",
    "a longer name": "from torch._mill import gears\ngears.turn_back(1)\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_use(felt_by: Felt, source: str) -> None:
    assert felt_by({"mill_npu/a.py": source}) == []


def test_without_an_upstream_index_nobody_consumes(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": FORMS["a use"][0]})
    assert list(couple_consumers(question_of(delta(SPIN)), index)) == []


def test_a_nearer_consumer_weighs_more(felt_by: Felt) -> None:
    found = felt_by({"mill_npu/a.py": "from torch._mill import gears\ndef f(x):\n    gears.turn(gears.mill(x))\n"})
    weights = {one.token: one.weight for one in found if one.scope == "f"}
    assert weights["turn"] > weights["mill"]
    assert places(found) == [("f", (3,), "mill"), ("f", (3,), "turn")]
