"""Which files of two trees are one file under two paths."""

from __future__ import annotations

from retrieval.renamed_files import renamed_files


def test_equal_content_comes_before_an_equal_name() -> None:
    deleted = {"old/gears.py": "1", "old/wheels.py": "2"}
    added = {"new/gears.py": "2", "new/turned.py": "1"}
    assert renamed_files(deleted, added) == {"old/gears.py": "new/turned.py", "old/wheels.py": "new/gears.py"}


def test_of_files_of_equal_content_those_with_equal_ends_of_paths_belong_together() -> None:
    deleted = {f"old/{name}/__init__.py": "" for name in "abc"}
    added = {f"new/{name}/__init__.py": "" for name in "cbx"}
    assert renamed_files(deleted, added) == {
        "old/b/__init__.py": "new/b/__init__.py",
        "old/c/__init__.py": "new/c/__init__.py",
        "old/a/__init__.py": "new/x/__init__.py",
    }


def test_edited_files_go_by_the_longest_common_end_of_their_paths() -> None:
    deleted = {"old/a/gears.py": "1", "old/b/gears.py": "2", "setup.py": "3", "old/own.py": "4"}
    added = {"new/b/gears.py": "5", "new/gears.py": "6", "sub/setup.py": "7", "new/other.py": "8"}
    assert renamed_files(deleted, added) == {
        "old/b/gears.py": "new/b/gears.py",
        "old/a/gears.py": "new/gears.py",
        "setup.py": "sub/setup.py",
    }


def test_nothing_deleted_nothing_renamed() -> None:
    assert renamed_files({}, {"a.py": "1"}) == {}
    assert renamed_files({"a.py": "1"}, {}) == {}
