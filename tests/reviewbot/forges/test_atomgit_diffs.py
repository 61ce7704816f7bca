"""A diff out of parts: what is whole reads as git writes it, what is not makes none at all."""

from __future__ import annotations

from typing import Any

import pytest

from retrieval.change import parse_patch
from reviewbot.forges.atomgit.diffs import diff_of, may_be_cut

BLOCK = "@@ -1 +1 @@\n-a\n+b\n"


def row(diff: str = BLOCK, added: object = "1", removed: object = 1, **patch: object) -> dict[str, Any]:
    return {
        "filename": "x.py",
        "additions": added,
        "deletions": removed,
        "patch": {"diff": diff, "old_path": "x.py", "new_path": "x.py", "too_large": 0, **patch},
    }


def counted(file: dict[str, Any]) -> tuple[int, int]:
    """As the forge says, where it does; else as `BLOCK` has."""
    added, removed = (1 if file[key] is None else int(file[key]) for key in ("additions", "deletions"))
    return added, removed


@pytest.mark.parametrize(
    "file",
    [
        row(),
        row(added=None, removed=None),
        row(BLOCK.rstrip("\n")),
        row("--- a/x.py\n+++ b/x.py\n" + BLOCK),
        row("@@ -1,3 +1,3 @@\n-a\n+b\n x\n \n"),
        row("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"),
        row("@@ -1 +1 @@\n-a\r\n+b\u2028\x0c乙\r\n"),
        row(a_mode="100644", b_mode=100755),
        row("@@ -0,0 +1 @@\n+b\n", 1, 0, new_file="true", a_mode="0", b_mode="100755", old_path=""),
        row("@@ -1 +0,0 @@\n-a\n", 0, "1", deleted_file=1, b_mode="0"),
        row("", 0, 0, renamed_file=True, old_path="old.py"),
        row(renamed_file=True, old_path="a dir/旧.py"),
        row(new_path="a dir/乙.py", old_path="a dir/乙.py"),
    ],
)
def test_a_whole_part(file: dict[str, Any]) -> None:
    text = diff_of([file, row(new_path="last.py", old_path="last.py")])
    assert text is not None
    read = {one.path: (one.added, one.removed) for one in parse_patch(text.encode(), "x").files}
    assert read.pop("last.py") == (1, 1)
    assert read == {file["patch"]["new_path"]: counted(file)}


def test_modes_and_names_are_kept() -> None:
    text = diff_of([row(renamed_file=1, old_path="old.py", a_mode="100644", b_mode="100755")])
    assert text is not None
    (file,) = parse_patch(text.encode(), "x").files
    assert (file.old_path, file.path, file.old_mode, file.new_mode) == ("old.py", "x.py", "100644", "100755")


@pytest.mark.parametrize(
    "file",
    [
        row(too_large="1"),
        row(too_large=True),
        row(""),
        row("Binary files a/x.py and b/x.py differ\n"),
        row("@@ -1,9 +1,9 @@\n-a\n"),
        row("@@ -1,2 +1,2 @@\n-a\n+b\n"),
        row(BLOCK + "+c\n"),
        row(BLOCK, added="2"),
        row(BLOCK, removed=0),
        row("", 3, 0, renamed_file=True, old_path="old.py"),
        row(BLOCK + "diff --git a/y.py b/y.py\n--- a/y.py\n+++ b/y.py\n" + BLOCK),
        row(new_path="x\n--- a/y", old_path="x\n--- a/y"),
        row(new_path="x.py\n+++ b/y.py", old_path="x.py"),
        row(new_path="../x.py", old_path="../x.py"),
        {"filename": "x.py", "patch": BLOCK},
        {"filename": "x.py", "patch": None},
        {"filename": "x.py", "patch": {"diff": None}},
    ],
)
def test_a_part_that_is_not_whole(file: dict[str, Any]) -> None:
    assert diff_of([row(new_path="first.py", old_path="first.py"), file]) is None


def test_files_as_many_as_a_page_holds_may_be_cut() -> None:
    assert [count for count in range(45) if may_be_cut(count)] == [20, 30, 40]
    assert may_be_cut(100)
    assert may_be_cut(3000)
