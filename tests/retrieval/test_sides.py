"""Both sides of a changed file: exact where the hunks fit, unknown where they do not."""

from __future__ import annotations

import pytest

from retrieval.change import FileSides, parse_diff, sides
from retrieval.models import FileStatus, UpstreamChange
from tests.retrieval.hostile.cases import git, text
from tests.support.diff_writer import write_diff
from tests.support.memory_tree import MemoryTree

OLD = b"".join(b"line %d\n" % number for number in range(30))
NEW = OLD.replace(b"line 5\n", b"line five\nand more\n").replace(b"line 20\n", b"")
DIFF = write_diff("x.py", OLD, NEW)


def _sides(diff: bytes, base: dict[str, bytes] | None, head: dict[str, bytes] | None = None) -> FileSides:
    change = UpstreamChange(files=parse_diff(diff, "x.diff"))
    trees = [None if files is None else MemoryTree(files) for files in (base, head)]
    (side,) = sides(change, *trees)
    assert side.complete or (side.old, side.new) == (None, None)
    return side


def test_forward_from_base_and_backward_from_head() -> None:
    for base, head in [
        ({"x.py": OLD}, None),
        (None, {"x.py": NEW}),
        ({}, {"x.py": NEW}),
        ({"x.py": OLD}, {"x.py": b"?"}),
    ]:
        side = _sides(DIFF, base, head)
        assert (side.old, side.new, side.complete) == (OLD, NEW, True)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (None, None),
        ({}, {}),
        ({"x.py": b"shifted\n" + OLD}, None),
        ({"x.py": OLD.replace(b"line 4\n", b"drift\n")}, {"x.py": NEW}),
        ({"x.py": OLD[: len(OLD) // 2]}, None),
        ({"x.py": b""}, None),
        ({"x.py": NEW}, None),
        (None, {"x.py": OLD}),
    ],
)
def test_where_hunks_do_not_fit_nothing_is_claimed(
    base: dict[str, bytes] | None, head: dict[str, bytes] | None
) -> None:
    assert not _sides(DIFF, base, head).complete


def test_new_and_deleted_files_need_no_tree() -> None:
    side = _sides(write_diff("x.py", None, b"a\nb"), None)
    assert (side.old, side.new, side.complete) == (None, b"a\nb", True)
    side = _sides(write_diff("x.py", b"a\r\nb\r\n", None), None)
    assert (side.old, side.new, side.complete) == (b"a\r\nb\r\n", None, True)
    side = _sides(text("diff --git a/x.py b/x.py", "new file mode 100644"), None)
    assert (side.old, side.new, side.complete) == (None, b"", True)


def test_a_deletion_shown_without_lines_needs_the_tree() -> None:
    diff = text("diff --git a/x.py b/x.py", "deleted file mode 100644", "index 1111111..0000000")
    assert not _sides(diff, None).complete
    side = _sides(diff, {"x.py": b"a\n"})
    assert (side.old, side.new, side.complete) == (b"a\n", None, True)


def test_a_rename_reads_its_old_path() -> None:
    head = text("diff --git a/o.py b/n.py", "similarity index 90%", "rename from o.py", "rename to n.py")
    side = _sides(head, {"o.py": b"a\n", "n.py": b"other\n"})
    assert (side.old, side.new) == (b"a\n", b"a\n")
    side = _sides(head + text("--- a/o.py", "+++ b/n.py", "@@ -1 +1 @@", "-a", "+b"), None, {"n.py": b"b\n"})
    assert (side.old, side.new, side.file.status) == (b"a\n", b"b\n", FileStatus.RENAMED)


def test_a_mode_change_leaves_the_content() -> None:
    side = _sides(text("diff --git a/x b/x", "old mode 100644", "new mode 100755"), {"x": b"a\n"})
    assert (side.old, side.new, side.complete) == (b"a\n", b"a\n", True)


@pytest.mark.parametrize(
    "diff",
    [
        text("diff --git a/x.py b/x.py", "index 1111111..2222222 100644", "Binary files a/x.py and b/x.py differ"),
        git("x.py", "@@ -1 +1 @@", "-Subproject commit 1", "+Subproject commit 2").replace(b"100644", b"160000"),
        text("diff --git a/x.py b/x.py", "new file mode 120000", "--- /dev/null", "+++ b/x.py", "@@ -0,0 +1 @@", "+y"),
    ],
    ids=["binary", "submodule", "link"],
)
def test_what_is_no_source_has_no_sides(diff: bytes) -> None:
    assert not _sides(diff, {"x.py": b"x\n"}, {"x.py": b"y\n"}).complete


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (b"a\r\nb\n", b"a\nb\r\n"),
        (b"a\x0cb\x0bc\n\xe2\x80\xa8\n", b"a\x0cb\n\xe2\x80\xa8\n"),
        (b"a", b"a\n"),
        (b"a\n", b"a"),
        (b"a\nb", b"a\nc"),
        (b"", b"a"),
        (b"a", b""),
        (b"\n\n", b"\n"),
        ("中\n文".encode(), "中\n文字".encode()),
    ],
)
def test_bytes_count(old: bytes, new: bytes) -> None:
    diff = write_diff("x.py", old, new)
    assert _sides(diff, {"x.py": old}).new == new
    assert _sides(diff, None, {"x.py": new}).old == old


def test_a_line_end_that_differs_does_not_fit() -> None:
    diff = write_diff("x.py", b"a\nb\n", b"a\nc\n")
    assert not _sides(diff, {"x.py": b"a\nb"}).complete
    assert not _sides(diff, {"x.py": b"a\r\nb\n"}).complete
    assert not _sides(write_diff("x.py", b"a\nb", b"a\nc"), {"x.py": b"a\nb\n"}).complete


def test_a_diff_that_lost_its_carriage_returns_fits_a_file_full_of_them() -> None:
    diff = write_diff("x.py", b"a\nb\nc", b"a\nB\nc")
    side = _sides(diff, {"x.py": b"a\r\nb\r\nc"})
    assert (side.old, side.new) == (b"a\r\nb\r\nc", b"a\r\nB\r\nc")


def test_lines_that_are_not_utf8() -> None:
    old = b"caf\xe9\nb\n\xff\n"
    side = _sides(write_diff("x.py", old, b"caf\xe9\nc\n"), {"x.py": old})
    assert side.new == b"caf\xe9\nc\n", "context is taken from the file"
    assert not _sides(write_diff("x.py", old, b"caf\xe9\n\xe8\n"), {"x.py": old}).complete, "an added line cannot be"
    assert not _sides(write_diff("x.py", old, b"caf\xe9\nc\n"), {"x.py": b"tea\xe9\nb\n\xff\n"}).complete


def test_numbers_of_the_new_side_have_to_agree() -> None:
    diff = git("x.py", "@@ -2 +5 @@", "-b", "+c")
    assert not _sides(diff, {"x.py": b"a\nb\n"}).complete


def test_an_insertion_behind_an_open_end_does_not_fit() -> None:
    diff = git("x.py", "@@ -1,0 +2 @@", "+b")
    assert _sides(diff, {"x.py": b"a\n"}).new == b"a\nb\n"
    assert not _sides(diff, {"x.py": b"a"}).complete


def test_every_file_has_its_own_answer() -> None:
    change = UpstreamChange(files=parse_diff(DIFF + git("y.py", "@@ -1 +1 @@", "-x", "+y"), "x.diff"))
    assert [side.complete for side in sides(change, MemoryTree({"x.py": OLD, "y.py": b"z\n"}), None)] == [True, False]
