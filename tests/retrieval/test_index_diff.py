"""What two revisions of a tree hold of upstream: gained, lost, moved, and what counts as no change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import pytest

from retrieval.coupling.lookup import Located
from retrieval.index import Index, open_index
from retrieval.index_diff import Held, IndexDiff, compare, diff_indexes, file_changes, telling_pairs
from retrieval.models import EvidenceKind
from retrieval.source_tree import TreeFile, open_tree
from tests.support.git_repo import GitRepo
from tests.support.tree import Files, IndexOf, code

GEARS = code("""
    import torch
    from torch._mill import config, gears
    from torch._mill.gears import Gear, spin
    from torch._mill.lowering import register_lowering

    aten = torch.ops.aten


    class NPUGear(Gear):
        def turn(self): ...


    @register_lowering(aten.spin)
    def spin_npu(x):
        return spin(x) if config.turbo else x


    def install():
        gears.stop = spin_npu
    """)
ALL = {
    ("patch", "install", "torch._mill.gears.stop"),
    ("override", "NPUGear.turn", "torch._mill.gears.Gear.turn"),
    ("registration", "spin_npu", "aten.spin"),
    ("subclass", "NPUGear", "torch._mill.gears.Gear"),
    ("reference", "spin_npu", "torch._mill.gears.spin"),
    ("import", "<module>", "torch._mill.gears.spin"),
    ("config", "spin_npu", "torch._mill.config.turbo"),
}


def diff(index_of: IndexOf, old: Files, new: Files) -> IndexDiff:
    return diff_indexes(index_of(old), index_of(new))


def nothing(found: IndexDiff) -> bool:
    return not (found.gained or found.lost or found.moved)


def test_a_new_file_gains_every_kind_and_its_removal_loses_them(index_of: IndexOf) -> None:
    path = "mill_npu/gears.py"
    gained = diff(index_of, {}, {path: GEARS})
    assert {(held.kind, held.scope, held.symbol) for held in gained.gained} >= ALL
    assert {held.path for held in gained.gained} == {path}
    assert (gained.lost, gained.moved) == ((), ())
    lost = diff(index_of, {path: GEARS}, {})
    assert lost.lost == gained.gained
    assert (lost.gained, lost.moved) == ((), ())
    assert [held.lines for held in gained.gained if held.kind == "patch"] == [(19,)]


def test_other_lines_are_no_change(index_of: IndexOf) -> None:
    later = "# A licence.\n\n\n" + GEARS.replace("def turn", "def _own(self): ...\n\n    def turn")
    found = diff(index_of, {"mill_npu/gears.py": GEARS}, {"mill_npu/gears.py": later})
    assert [(held.kind, held.symbol) for held in found.gained] == [("override", "torch._mill.gears.Gear._own")]
    assert (found.lost, found.moved) == ((), ())
    assert nothing(diff(index_of, {"a.py": GEARS}, {"a.py": GEARS.replace("\n", "\n\n")}))


def test_a_coupling_that_goes_while_another_comes(index_of: IndexOf) -> None:
    new = GEARS.replace("gears.stop = ", "gears.halt = ")
    found = diff(index_of, {"mill_npu/a.py": GEARS}, {"mill_npu/a.py": new})
    assert [(held.kind, held.symbol) for held in found.gained] == [("patch", "torch._mill.gears.halt")]
    assert [(held.kind, held.symbol) for held in found.lost] == [("patch", "torch._mill.gears.stop")]


def test_a_renamed_file_moves_all_it_holds(index_of: IndexOf) -> None:
    old = diff(index_of, {}, {"mill_npu/old.py": GEARS}).gained
    found = diff(index_of, {"mill_npu/old.py": GEARS}, {"mill_npu/sub/new.py": GEARS})
    assert (found.gained, found.lost) == ((), ())
    assert {move.old_path for move in found.moved} == {"mill_npu/old.py"}
    assert [move.held._replace(path="mill_npu/old.py") for move in found.moved] == list(old)


def test_a_definition_moves_with_its_imports_and_the_rest_stays(index_of: IndexOf) -> None:
    stays = "from torch._mill.wheels import Wheel\nclass NPUWheel(Wheel): ...\n"
    moves = "from torch._mill.gears import Gear\nclass NPUGear(Gear):\n    def turn(self): ...\n"
    found = diff(
        index_of,
        {"mill_npu/all.py": stays + moves, "mill_npu/gears.py": "x = 1\n"},
        {"mill_npu/all.py": stays, "mill_npu/gears.py": moves},
    )
    assert nothing(found._replace(moved=()))
    assert {(move.old_path, move.held.path) for move in found.moved} == {("mill_npu/all.py", "mill_npu/gears.py")}
    assert {(move.held.kind, move.held.symbol) for move in found.moved} == {
        ("override", "torch._mill.gears.Gear.turn"),
        ("subclass", "torch._mill.gears.Gear"),
        ("import", "torch._mill.gears.Gear"),
    }


def test_an_import_alone_does_not_move(index_of: IndexOf) -> None:
    line = "from torch._mill.gears import Gear\n"
    found = diff(index_of, {"a.py": line + "x = 1\n", "b.py": ""}, {"a.py": "x = 1\n", "b.py": line})
    assert [held.path for held in found.lost] == ["a.py"]
    assert [held.path for held in found.gained] == ["b.py"]
    assert found.moved == ()


def test_a_coupling_moves_once(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\nclass N(Gear): ...\n"
    found = diff(index_of, {"a.py": source}, {"b.py": source, "c.py": source})
    assert {move.held.path for move in found.moved} == {"b.py"}
    assert {held.path for held in found.gained} == {"c.py"}
    assert found.lost == ()


def test_a_copy_is_gained_and_moves_nothing(index_of: IndexOf) -> None:
    found = diff(index_of, {"a.py": GEARS}, {"a.py": GEARS, "b.py": GEARS})
    assert {held.path for held in found.gained} == {"b.py"}
    assert found.moved == ()


@pytest.mark.parametrize(
    "source",
    [
        "import os\nimport torch\nimport torch_npu.gears\nos.path = f\n",
        "# from torch._mill.gears import spin\nx = 'torch._mill.gears.spin'\n",
        "class torch:\n    nn = 1\ntorch.nn\n",
        "from .gears import spin\nspin(1)\nclass N(spin): ...\n",
        "import torch\ntorch.npu.synchronize()\nfrom torch.npu import Event\n",
        "from torchvision import ops\nops.nms()\n",
        "class Own:\n    def turn(self): ...\nclass Heir(Own):\n    def turn(self): ...\n",
        "lib.impl('npu::spin', f)\n",
    ],
)
def test_what_is_not_upstreams_is_not_compared(index_of: IndexOf, source: str) -> None:
    assert nothing(diff(index_of, {}, {"mill_npu/a.py": source}))


def test_a_step_on_the_way_to_a_name_is_no_coupling_of_its_own(index_of: IndexOf) -> None:
    source = "import torch\ndef f():\n    torch._mill.gears.spin()\n    return torch._mill.gears\n"
    found = diff(index_of, {}, {"a.py": source})
    assert [(held.symbol, held.lines) for held in found.gained] == [
        ("torch._mill.gears.spin", (3,)),
        ("torch._mill.gears", (4,)),
    ]


def test_names_are_followed_through_reexports_and_downstream_classes(index_of: IndexOf) -> None:
    base = {
        "mill_npu/__init__.py": "from torch._mill.gears import Gear as BaseGear\n",
        "mill_npu/base.py": "from mill_npu import BaseGear\nclass Middle(BaseGear): ...\n",
    }
    source = "from .base import Middle\nclass N(Middle):\n    def turn(self): ...\n"
    found = diff(index_of, base, {**base, "mill_npu/a.py": source})
    assert [(held.kind, held.symbol) for held in found.gained] == [("override", "torch._mill.gears.Gear.turn")]


def test_test_cases_override_nothing(index_of: IndexOf) -> None:
    source = (
        "from torch.testing import TestCase\nclass T(TestCase):\n    def setUp(self): ...\n    def test_a(self): ...\n"
    )
    found = diff(index_of, {}, {"test/test_a.py": source})
    assert [held.scope for held in found.gained if held.kind == "override"] == ["T.setUp"]


def test_product_code_precedes_tests(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ngears.spin = f\n"
    found = diff(index_of, {}, {"test/test_a.py": source, "torch_npu/a.py": source})
    assert [held.path for held in found.gained if held.kind == "patch"] == ["torch_npu/a.py", "test/test_a.py"]


def test_files_by_what_happened_to_them() -> None:
    old = [TreeFile("a", "1"), TreeFile("b", "1"), TreeFile("c", "3"), TreeFile("d", "4")]
    new = [TreeFile("b", "2"), TreeFile("c", "3"), TreeFile("d2", "4")]
    assert file_changes(old, new) == (("d2",), ("a", "d"), ("b",), 1)


def test_only_files_that_differ_are_asked_for(index_of: IndexOf, monkeypatch: pytest.MonkeyPatch) -> None:
    same = {f"mill_npu/m{n}.py": GEARS + f"# {n}\n" for n in range(3)}
    old, new = index_of({**same, "a.py": "x = 1\n"}), index_of({**same, "a.py": GEARS})
    asked: list[str] = []
    inside = Index.inside

    def remember(index: Index, paths: Iterable[str], *kinds: EvidenceKind) -> Sequence[Located]:
        listed = list(paths)
        asked.extend(listed)
        return inside(index, listed, *kinds)

    monkeypatch.setattr(Index, "inside", remember)
    assert {held.path for held in diff_indexes(old, new).gained} == {"a.py"}
    assert asked == ["a.py", "a.py"]


def held_in(path: str, own: str = "") -> list[Held]:
    """What many files hold alike, and something of its own for one that has a mark of it."""
    common = [
        Held(EvidenceKind.IMPORT, path, "<module>", "torch._mill.gears", (1,)),
        Held(EvidenceKind.REFERENCE, path, "main", "torch._mill.gears.spin", (3,)),
    ]
    return [*common, Held(EvidenceKind.REFERENCE, path, "main", f"torch._mill.{own}", (4,))] if own else common


def test_a_folder_that_moves_makes_no_pair_of_every_two_files() -> None:
    names = [f"pkg{n % 7}/m{n}.py" for n in range(600)]
    old, new = ([held for name in names for held in held_in(f"{top}/{name}")] for top in ("old", "new"))
    assert list(telling_pairs(old, new)) == []
    gone = [f"old/{name}" for name in names]
    gained, lost, moved = compare(old, new, gone=gone, renamed={path: f"new{path[3:]}" for path in gone})
    assert (gained, lost, len(moved)) == ((), (), len(old))
    assert {(move.old_path, move.held.path) for move in moved} == {(path, f"new{path[3:]}") for path in gone}


def test_what_few_hold_tells_files_apart_though_they_go_by_other_names() -> None:
    old = [held for n in range(200) for held in held_in(f"old/m{n}.py", f"own{n}")]
    new = [held for n in range(200) for held in held_in(f"new/x{n}.py", f"own{n}")]
    assert len(list(telling_pairs(old, new))) == 200
    gained, lost, moved = compare(old, new, gone={held.path for held in old})
    assert (gained, lost) == ((), ())
    assert {(move.old_path, move.held.path) for move in moved} == {(f"old/m{n}.py", f"new/x{n}.py") for n in range(200)}


def test_a_file_of_the_same_name_does_not_take_what_another_has_more_of(index_of: IndexOf) -> None:
    part = "from torch._mill.gears import Gear\nclass NPUGear(Gear): ...\n"
    whole = part + "class Other(Gear):\n    def turn(self): ...\n"
    found = diff(index_of, {"old/gears.py": whole}, {"new/gears.py": part, "new/wheels.py": whole + "# more\n"})
    assert {move.held.path for move in found.moved} == {"new/wheels.py"}
    assert {held.path for held in found.gained} == {"new/gears.py"}
    assert found.lost == ()


def test_revisions_of_a_repository(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "mill_npu")
    first = repo.commit({"a.py": GEARS, "b.py": "x = 1\n"})
    repo.rename("a.py", "moved.py")
    second = repo.commit({"b.py": "from torch._mill import gears\ngears.spin = f\n"})
    indexes = [open_index(open_tree(repo.path, one), tmp_path / "facts", jobs=1) for one in (first, second)]
    try:
        found = diff_indexes(*indexes)
        back = diff_indexes(*reversed(indexes))
    finally:
        for index in indexes:
            index.close()
            index.tree.close()
    assert [tuple(index.built) for index in indexes] == [(0, 2), (1, 1)]
    assert {held.path for held in chain(found.gained, back.lost)} == {"b.py"}
    assert {(move.old_path, move.held.path) for move in found.moved} == {("a.py", "moved.py")}
    assert found.gained == back.lost
    assert len(found.moved) == len(back.moved)
