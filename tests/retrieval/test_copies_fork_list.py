"""The fork list of two trees: what is listed, what is not, and what a second run reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from retrieval.copies.fork_list import FileForks, at_least, definitions_in, forks_between
from retrieval.copies.forks import Fork
from retrieval.copies.kept_texts import KeptTexts
from retrieval.errors import IndexCacheError
from tests.retrieval.test_copies_alignment import SPIN
from tests.support.tree import ReadCountingTree, code

STOP = code(
    """
    def stop(self, brake, force=1):
        if not isinstance(brake, Brake):
            raise TypeError(brake)
        for wheel in self.wheels():
            brake.press(wheel.rim(), force)
        return self.state().settle(brake)
    """
)
TURN = code(
    """
    def turn(self, angle, axis=None):
        axis = axis or Axis.default(self.frame())
        steps = split_angle(angle, axis.limit())
        for step in steps:
            self.rotate(axis.unit() * step)
        return Pose(self.frame(), steps)
    """
)


def indented(*texts: str) -> str:
    return "".join(f"    {line}\n" for text in texts for line in text.splitlines())


UPSTREAM = {
    "torch/_mill/gears.py": f"import torch\n\n\n{SPIN}\n\nclass Gear:\n{indented(STOP, TURN)}",
    "torch/_mill/other.py": "def get(self):\n    return self._it\n",
}


def listed(
    folder: Path, downstream: Mapping[str, str], upstream: Mapping[str, str] = UPSTREAM
) -> tuple[Sequence[FileForks], int]:
    """The list, and how many files of both trees were read for it."""
    original, copy = ReadCountingTree(upstream), ReadCountingTree(downstream)
    with KeptTexts(folder / "forks.sqlite3") as kept:
        known = definitions_in(original, kept, 1, ignore), definitions_in(copy, kept, 1, ignore)
        found = forks_between(original, copy, known, kept, ignore)
    return found, len(original.reads) + len(copy.reads)


def ignore(done: int, total: int) -> None:
    assert done <= total


def only(found: Sequence[FileForks]) -> Sequence[Fork]:
    (file,) = found
    return file.forks


FORMS = {
    "exact": (SPIN, "spin"),
    "renamed": (SPIN.replace("def spin", "def turn_round").replace("gear", "wheel"), "turn_round"),
    "nested": ("def patch():\n" + indented(SPIN.replace("def spin", "def new_spin")), "patch.new_spin"),
    "edited": (SPIN.replace("promote(", "npu_promote(").replace("        return gear\n", ""), "spin"),
    "a method": ("class Mill:\n" + indented(SPIN.replace("spin(", "spin(self, ")), "Mill.spin"),
}


@pytest.mark.parametrize(("source", "scope"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_copy(tmp_path: Path, source: str, scope: str) -> None:
    (fork,) = only(listed(tmp_path, {"mill_npu/own/place.py": source})[0])
    assert (fork.scope, fork.original_path, fork.original_scope) == (scope, "torch/_mill/gears.py", "spin")
    assert fork.original_lines == (4, 12)
    assert fork.similarity > 0.85
    assert fork.renamed == (not scope.endswith("spin") or scope.endswith("new_spin"))


LOOK_ALIKES = {
    "a getter": "def get(self):\n    return self._other\n",
    "a caller": code(
        """
        def spin(gear, speed):
            check(gear)
            return torch._mill.gears.spin(promote(gear), tuple(speed))
        """
    ),
    "a namesake": code(
        """
        def spin(self):
            for key in self.table():
                self.write(Key(key), self.read(key))
            self.end()
        """
    ),
    "a constructor": code(
        """
        class Gear:
            def __init__(self, first, second):
                super().__init__(first)
                self.first = first
                self.second = second
        """
    ),
    "fields": "class Gear:\n" + "".join(f"    field{n}: int = {n}\n" for n in range(12)),
    "a text": f'TEXT = """\n{SPIN}"""\n',
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes(tmp_path: Path, source: str) -> None:
    assert listed(tmp_path, {"mill_npu/a.py": source})[0] == []


def test_a_method_turned_function(tmp_path: Path) -> None:
    source = TURN.replace("def turn(self,", "def npu_gear_turn(gear,").replace("self", "gear")
    (fork,) = only(listed(tmp_path, {"mill_npu/a.py": source})[0])
    assert (fork.scope, fork.original_scope, fork.similarity) == ("npu_gear_turn", "Gear.turn", 1.0)


def test_a_class_whose_members_are_copies(tmp_path: Path) -> None:
    source = "class NPUGear(Base):\n" + indented(STOP, TURN.replace("rotate", "npu_rotate"))
    group, *members = only(listed(tmp_path, {"mill_npu/a.py": source})[0])
    assert (group.scope, group.original_scope, group.is_class) == ("NPUGear", "Gear", True)
    assert (group.copied, group.members) == (2, 2)
    assert 0.9 < group.similarity < 1.0
    assert [fork.original_scope for fork in members] == ["Gear.stop", "Gear.turn"]


def test_one_copied_method_of_many_makes_no_copied_class(tmp_path: Path) -> None:
    own = [STOP.replace("stop", f"halt{n}").replace("press", f"push{n}").replace("rim", f"hub{n}") for n in range(9)]
    own = [text.replace("settle", "end").replace("wheels", "list").replace("state", "kind") for text in own]
    source = "class NPUGear:\n" + indented(TURN, *own)
    assert "NPUGear" not in [fork.scope for fork in only(listed(tmp_path, {"mill_npu/a.py": source})[0])]


def test_a_file_that_is_a_copy(tmp_path: Path) -> None:
    whole = UPSTREAM["torch/_mill/gears.py"].replace("promote(", "npu_promote(")
    part = SPIN + "".join(STOP.replace("stop", f"own{n}").replace(".", f".x{n}") for n in range(4))
    found, _ = listed(tmp_path, {"mill_npu/part.py": part, "mill_npu/whole.py": whole})
    assert [(file.copy.path, file.copy.is_copy) for file in found] == [
        ("mill_npu/part.py", False),
        ("mill_npu/whole.py", True),
    ]
    assert (found[1].copy.copied, found[1].copy.functions) == (3, 3)
    assert 0.9 < found[1].copy.similarity < 1.0


def test_what_lies_in_a_copy_is_not_told_of_again(tmp_path: Path) -> None:
    closure = (
        "def make(table):\n    table = Table.of(table, Kind.FREE)\n"
        + indented(SPIN)
        + "    return bind(spin, table.keys())\n"
    )
    (fork,) = only(listed(tmp_path, {"mill_npu/a.py": closure}, {"torch/a.py": closure})[0])
    assert fork.scope == "make"


def test_a_second_run_reads_nothing_and_a_changed_file_alone(tmp_path: Path) -> None:
    downstream = {"mill_npu/a.py": SPIN, "mill_npu/b.py": STOP}
    first, _ = listed(tmp_path, downstream)
    assert listed(tmp_path, downstream) == (first, 0)
    _, reads = listed(tmp_path, downstream | {"mill_npu/b.py": TURN})
    assert reads == 3  # the new definitions, the new forks, and the upstream file they come from


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    tree = ReadCountingTree({f"mill_npu/m{n}.py": f"{SPIN}# {n}\n" for n in range(50)})

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with KeptTexts(tmp_path / "forks.sqlite3") as kept:
        with pytest.raises(KeyboardInterrupt):
            definitions_in(tree, kept, 1, stop)
        tree.reads.clear()
        assert len(definitions_in(tree, kept, 1, ignore)) == 50
        assert 0 < len(tree.reads) < 50


def test_another_upstream_is_compared_anew(tmp_path: Path) -> None:
    downstream = {"mill_npu/a.py": SPIN}
    assert listed(tmp_path, downstream)[0]
    assert listed(tmp_path, downstream, {"torch/_mill/other.py": TURN})[0] == []


def test_only_what_is_alike_enough(tmp_path: Path) -> None:
    found, _ = listed(tmp_path, {"mill_npu/a.py": SPIN.replace("promote(", "x("), "mill_npu/b.py": SPIN})
    assert [file.copy.path for file in at_least(1.0, found)] == ["mill_npu/b.py"]
    assert at_least(0.0, found) == found


def test_a_damaged_cache_is_begun_anew(tmp_path: Path) -> None:
    first, _ = listed(tmp_path, {"mill_npu/a.py": SPIN})
    (tmp_path / "forks.sqlite3").write_bytes(b"noise" * 5000)
    assert listed(tmp_path, {"mill_npu/a.py": SPIN})[0] == first


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexCacheError):
        KeptTexts(tmp_path / "file" / "forks.sqlite3")
