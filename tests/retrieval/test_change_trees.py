"""The difference of two trees, whatever kinds of tree they are."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.change import change_between_trees, sides
from retrieval.source_tree import open_tree
from tests.retrieval.hostile.cases import shape
from tests.support.git_repo import GitRepo
from tests.support.memory_tree import MemoryTree

LONG = b"".join(b"line %d\n" % number for number in range(40))
BASE = {
    "same.py": b"same\n",
    "changed.py": b"a\nb\nc\n",
    "gone.py": b"gone\n",
    "old/moved.py": LONG,
    "image.png": b"\0\1\2",
    '目录/quote".py': b"q\r\n",
}
HEAD = {
    "same.py": b"same\n",
    "changed.py": b"a\nB\nc",
    "fresh.py": b"fresh\n",
    "new/moved.py": LONG + b"more\n",
    "image.png": b"\0\1\3",
    '目录/quote".py': b"q\r\nr\r\n",
}
SHAPES = {
    "modified changed.py +2 -2",
    "deleted gone.py +0 -1 100644>None",
    "added fresh.py +1 -0 None>100644",
    "renamed old/moved.py > new/moved.py +1 -0",
    "modified image.png +0 -0 binary",
    'modified 目录/quote".py +1 -0',
}


def test_any_kinds_of_tree(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    base = repo.commit(BASE)
    head = repo.commit({**dict.fromkeys(BASE), **HEAD})
    for files, name in ((BASE, "base"), (HEAD, "head")):
        for path, content in files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    with open_tree(repo.path, base) as old, open_tree(repo.path, head) as new:
        folders = open_tree(tmp_path / "base"), open_tree(tmp_path / "head")
        for left in (old, folders[0], MemoryTree(BASE)):
            for right in (new, folders[1], MemoryTree(HEAD)):
                change = change_between_trees(left, right)
                assert {shape(file) for file in change.files} == SHAPES
                assert change.base_sha == (base if left is old else None)
                assert change.head_sha == (head if right is new else None)
                assert " → " in change.title
                for side in sides(change, left, None):
                    assert side.complete is not side.file.binary
                    assert side.file.binary or side.new == HEAD.get(side.file.path)


def test_equal_trees() -> None:
    assert change_between_trees(MemoryTree(BASE), MemoryTree(BASE)).files == ()
    assert change_between_trees(MemoryTree({}), MemoryTree({})).files == ()


def test_from_and_to_nothing() -> None:
    text = {path: content for path, content in BASE.items() if path != "image.png"}
    for file in (
        *change_between_trees(MemoryTree({}), MemoryTree(text)).files,
        *change_between_trees(MemoryTree(text), MemoryTree({})).files,
    ):
        assert file.added + file.removed == text[file.path].count(b"\n")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"--- x\n", b"\xe9\n", b"+\n"]), max_size=12),
            st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"\x0c\n", b"open"]), max_size=12),
        ),
        max_size=6,
    )
)
def test_what_git_writes_is_read_back(pairs: list[tuple[list[bytes], list[bytes]]]) -> None:
    base = {f"f{index}.py": b"".join(old) for index, (old, _) in enumerate(pairs)}
    head = {f"f{index}.py": b"".join(new) for index, (_, new) in enumerate(pairs)}
    change = change_between_trees(MemoryTree(base), MemoryTree(head))
    assert {file.path for file in change.files} == {path for path in base if base[path] != head[path]}
    for side in sides(change, MemoryTree(base), None):
        if not side.file.binary:
            assert (side.old, side.new) == (base[side.file.path], head[side.file.path])


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert change_between_trees(MemoryTree(BASE), MemoryTree(HEAD)).files
    assert list(tmp_path.iterdir()) == []
