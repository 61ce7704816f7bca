"""The source of changed definitions, cut from both sides."""

from __future__ import annotations

from retrieval.change import FileSides
from retrieval.delta.texts import changed_texts
from retrieval.models import ChangedFile, ChangeKind
from tests.support.values import definition, delta

PATH = "torch/_mill/gears.py"


def side(path: str, old: str | None, new: str | None, *, complete: bool = True) -> FileSides:
    before, after = (None if text is None else text.encode() for text in (old, new))
    return FileSides(ChangedFile(path=path), before, after, complete=complete)


def test_both_sides_are_cut_by_their_own_lines() -> None:
    change = definition("spin", old_lines=(2, 3), new_lines=(1, 2))
    texts = changed_texts(delta(change), [side(PATH, "x = 1\ndef spin():\n    a\ny\n", "def spin():\n    b\ny\n")])
    assert texts[change.symbol] == ("def spin():\n    a", "def spin():\n    b")


def test_a_new_definition_has_no_old_text() -> None:
    change = definition("spin", kind=ChangeKind.ADDED, old_lines=None, new_lines=(1, 1))
    assert changed_texts(delta(change), [side(PATH, "y\n", "spin = 1\n")])[change.symbol] == (None, "spin = 1")


def test_a_definition_that_moved_between_files_is_cut_from_the_file_it_left() -> None:
    change = definition("spin", kind=ChangeKind.MOVED, old_module="torch._mill.old", old_lines=(1, 1), new_lines=(2, 2))
    sides = [side("torch/_mill/old.py", "def spin(): 1\n", ""), side(PATH, "x\ny\n", "x\ndef spin(): 1\n")]
    assert changed_texts(delta(change), sides)[change.symbol] == ("def spin(): 1", "def spin(): 1")


def test_a_file_known_from_its_hunks_alone_has_no_texts() -> None:
    change = definition("spin", old_lines=(1, 1), new_lines=(1, 1))
    assert changed_texts(delta(change), [side(PATH, None, None, complete=False)]) == {}
