"""`near_names`: rare parts of changed names, and downstream functions of the changed name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.near_names import couple_near_names
from retrieval.coupling.question import question_of
from retrieval.index import Index
from retrieval.models import ChangeKind, DefinitionChange, EvidenceKind, Relation
from tests.support.tree import Files, IndexOf, places
from tests.support.values import definition, delta, renamed

WRITE = definition("write_grind_wheel")
USE = "from torch._mill import wheels\n\ndef f():\n    wheels.grind_wheel()\n"


def near(index: Index, *changes: DefinitionChange) -> Sequence[Coupling]:
    return list(couple_near_names(question_of(delta(*changes)), index))


def test_a_rare_part_of_a_changed_name_is_akin(index_of: IndexOf) -> None:
    found = near(index_of({"mill_npu/a.py": USE}), WRITE)
    assert places(found) == [("f", (4,), "grind_wheel")]
    assert [(one.kind, one.relation, one.symbol) for one in found] == [
        (EvidenceKind.REFERENCE, Relation.AKIN, "torch._mill.wheels.grind_wheel")
    ]


PARTS = {
    "of an attribute nobody could name": ("def f(x):\n    x.grind_wheel()\n", "grind_wheel", WRITE.symbol),
    "in code that a string writes": (
        "def f():\n    emit('g = torch._mill.wheels.grind_wheel')\n",
        "grind_wheel",
        "torch._mill.wheels.grind_wheel",
    ),
    "in the middle of the name": ("def f(x):\n    x.write_grind()\n", "write_grind", WRITE.symbol),
}


@pytest.mark.parametrize(("source", "token", "symbol"), PARTS.values(), ids=PARTS.keys())
def test_where_a_part_may_stand(index_of: IndexOf, source: str, token: str, symbol: str) -> None:
    """Where nobody could tell what it is, it stands for the changed name that it is a part of."""
    (found,) = near(index_of({"mill_npu/a.py": source}), WRITE)
    assert (found.scope, found.lines, found.token, found.symbol) == ("f", (2,), token, symbol)


LOOK_ALIKES = {
    "the name itself": "def f(x):\n    x.write_grind_wheel()\n",
    "a longer name": "def f(x):\n    x.grind_wheels()\n    x.regrind_wheel()\n",
    "one word": "def f(x):\n    x.wheel()\n    x.grind()\n",
    "a function of its own": "def grind_wheel(): ...\ndef f():\n    grind_wheel()\n",
    "an attribute of its own": "class C:\n    def f(self):\n        self.grind_wheel()\n",
    "another package's": "from mill import grind_wheel\ndef f():\n    grind_wheel()\n",
    "a comment": "def f():\n    pass  # grind_wheel\n",
    "a string": "def f():\n    return 'grind_wheel'\n",
    "words in another order": "def f(x):\n    x.wheel_grind()\n",
    "words that are no neighbours": "def f(x):\n    x.write_wheel()\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_part(index_of: IndexOf, source: str) -> None:
    assert near(index_of({"mill_npu/a.py": source}), WRITE) == []


def test_a_short_part_says_nothing(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": "def f(x):\n    x.is_gear()\n    x.in_gears()\n"})
    assert places(near(index, definition("check_is_gear"), definition("check_in_gears"))) == [("f", (3,), "in_gears")]


def test_a_part_that_many_files_hold_says_nothing(index_of: IndexOf) -> None:
    def files(count: int) -> Files:
        return {f"mill_npu/m{n}.py": f"{USE}# {n}\n" for n in range(count)}

    assert len(near(index_of(files(12)), WRITE)) == 12
    assert near(index_of(files(13)), WRITE) == []
    text: Files = {f"doc{n}.md": f"grind_wheel {n}\n" for n in range(12)}
    assert near(index_of({**text, "mill_npu/a.py": USE}), WRITE) == [], "files of any language count"


def test_a_part_that_is_changed_itself_is_no_part(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": USE})
    assert near(index, WRITE, definition("grind_wheel")) == []


def test_parts_of_touched_names_weigh_less_and_the_greatest_weight_counts(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": USE})
    touching = definition("lamp", touched=("torch._mill.oil_grind_wheel",))
    (own,), (touched,) = near(index, WRITE), near(index, touching)
    assert 0 < touched.weight < own.weight
    assert [one.weight for one in near(index, touching, WRITE)] == [own.weight]
    (removed,) = near(index, definition("write_grind_wheel", ChangeKind.REMOVED))
    assert removed.weight > own.weight


def test_both_names_of_a_rename_have_parts(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": USE})
    assert places(near(index, renamed("write_grind_wheel", "emit"))) == [("f", (4,), "grind_wheel")]
    assert places(near(index, renamed("emit", "write_grind_wheel"))) == [("f", (4,), "grind_wheel")]


# --- namesakes --------------------------------------------------------------------------------------------------------

NAMESAKE = "def patched():\n    def write_grind_wheel(x):\n        return x\n    return write_grind_wheel\n"


def test_a_downstream_function_of_the_changed_name_is_one_by_name(index_of: IndexOf) -> None:
    found = near(index_of({"mill_npu/a.py": NAMESAKE}), WRITE)
    assert [(one.kind, one.relation, one.scope, one.lines, one.symbol) for one in found] == [
        (
            EvidenceKind.REFERENCE,
            Relation.SAME_NAME,
            "patched.write_grind_wheel",
            (2,),
            "torch._mill.gears.write_grind_wheel",
        )
    ]


def test_a_name_that_more_than_a_few_functions_have_is_a_coincidence(index_of: IndexOf) -> None:
    def files(count: int) -> Files:
        return {f"mill_npu/m{n}.py": f"def write_grind_wheel(): return {n}\n" for n in range(count)}

    assert len(near(index_of(files(4)), WRITE)) == 4
    assert near(index_of(files(5)), WRITE) == []


@pytest.mark.parametrize("name", ["grind", "_grind", "__grind__", "__grind_wheel__", "Gear.__grind_all__"])
def test_a_single_word_or_a_special_method_has_no_namesakes(index_of: IndexOf, name: str) -> None:
    own = name.rpartition(".")[2]
    assert near(index_of({"mill_npu/a.py": f"class N:\n    def {own}(self): ...\n"}), definition(name)) == []


def test_a_use_of_the_name_is_no_namesake(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": "write_grind_wheel = 1\ndef f(x):\n    return x.write_grind_wheel\n"})
    assert near(index, WRITE) == []
