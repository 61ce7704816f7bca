"""Every kind of tree keeps the same contract; ``open_tree`` picks the kind."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from retrieval.errors import SourceTreeError
from retrieval.folder_tree import FolderTree, blob_id
from retrieval.git_tree import GitTree
from retrieval.source_tree import SourceTree, open_tree
from retrieval.wheel_tree import UnpackedWheelTree, WheelTree
from tests.support.git_repo import GitRepo

FILES: dict[str, bytes] = {
    "demo/__init__.py": b"",
    "demo/a.py": b"x = 1\n",
    "demo/sub/b.py": b"y = 2\r\n",
    "demo/sub-c.py": b"\xff\xfe not utf-8 \x00\n",
    "demo/\u4e2d\u6587.py": "# 中文\n".encode(),
}
PATHS = sorted(FILES)
METADATA = b"Metadata-Version: 2.1\nName: demo-npu\nVersion: 2.13.0\n\nText\n"


def _lay(root: Path) -> Path:
    for path, content in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return root


def _work_tree(root: Path) -> Path:
    GitRepo(root / "work").commit(FILES)
    return root / "work"


def _bare(root: Path) -> Path:
    GitRepo(root / "work").commit(FILES)
    return GitRepo(root / "work").bare_clone(root / "demo.git")


def _folder(root: Path) -> Path:
    return _lay(root / "plain")


def _unpacked_wheel(root: Path) -> Path:
    folder = _lay(root / "unpacked")
    (folder / "demo_npu-2.13.0.dist-info").mkdir()
    (folder / "demo_npu-2.13.0.dist-info" / "METADATA").write_bytes(METADATA)
    return folder


def _wheel(root: Path) -> Path:
    path = root / "demo_npu-2.13.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**FILES, "demo_npu-2.13.0.dist-info/METADATA": METADATA, "demo/c.so": b"elf"}.items():
            archive.writestr(name, content)
    return path


KINDS = [
    (_work_tree, GitTree),
    (_bare, GitTree),
    (_folder, FolderTree),
    (_unpacked_wheel, UnpackedWheelTree),
    (_wheel, WheelTree),
]
every_kind = pytest.mark.parametrize(("build", "kind"), KINDS, ids=lambda value: value.__name__)


@every_kind
def test_contract(build: Callable[[Path], Path], kind: type[SourceTree], tmp_path: Path) -> None:
    with open_tree(build(tmp_path)) as tree:
        assert type(tree) is kind
        assert [file.path for file in tree.files()] == PATHS
        assert [file.blob for file in tree.files()] == [blob_id(FILES[path]) for path in PATHS]
        assert {path: tree.read(path) for path in PATHS} == FILES
        backwards = PATHS[::-1]
        assert list(tree.read_many(backwards)) == [(path, FILES[path]) for path in backwards]
        assert all(tree.exists(path) for path in PATHS)
        assert tree.revision
        assert tree.name
    assert tree.read("demo/a.py") == b"x = 1\n", "a closed tree opens again"
    tree.close()


OTHER_PATHS = (
    "demo/none.py",
    "demo",
    "",
    "/etc/passwd",
    "../outside.py",
    "demo/../demo/a.py",
    "demo//a.py",
    "./demo/a.py",
    "demo/a.py/",
    "a\0b",
)


@every_kind
def test_other_paths_do_not_exist(build: Callable[[Path], Path], kind: type[SourceTree], tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("secret")
    with open_tree(build(tmp_path)) as tree:
        for path in OTHER_PATHS:
            assert not tree.exists(path)
            with pytest.raises(SourceTreeError, match=r"没有这个文件|相对路径"):
                tree.read(path)


@every_kind
def test_worker_processes_and_threads(build: Callable[[Path], Path], kind: type[SourceTree], tmp_path: Path) -> None:
    with open_tree(build(tmp_path)) as tree, pickle.loads(pickle.dumps(tree)) as copy:
        assert copy.revision == tree.revision
        assert copy.read("demo/a.py") == tree.read("demo/a.py")
        with ThreadPoolExecutor(8) as threads:
            read = threads.map(lambda number: (number, tree.read(PATHS[number % len(PATHS)])), range(200))
            assert all(content == FILES[PATHS[number % len(PATHS)]] for number, content in read)
        # The parent has read already: a child that used the inherited pipe or file would take its bytes.
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()
        children = [context.Process(target=_read_all, args=(tree, answers)) for _ in range(2)]
        for child in children:
            child.start()
        assert all(tree.read(path) == FILES[path] for _ in range(20) for path in PATHS)
        assert [answers.get(), answers.get()] == [True, True]
        for child in children:
            child.join()
            assert child.exitcode == 0
        assert tree.read("demo/a.py") == b"x = 1\n"


def _read_all(tree: SourceTree, answers: multiprocessing.queues.SimpleQueue[bool]) -> None:
    answers.put(all(tree.read(path) == FILES[path] for _ in range(20) for path in PATHS))
    tree.close()


def test_a_reader_may_read_while_it_iterates(tmp_path: Path) -> None:
    with open_tree(_work_tree(tmp_path)) as tree:
        for path, content in tree.read_many(PATHS):
            assert tree.read(path) == content


def test_revisions(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    first = repo.commit({"a.py": "1"})
    repo.git("tag", "-a", "v1", "-m", "one")
    second = repo.commit({"a.py": "2"})
    assert open_tree(repo.path).revision == second
    assert open_tree(repo.path, "v1").revision == first, "an annotated tag is its commit"
    assert open_tree(repo.path, "HEAD~1").revision == first
    assert open_tree(repo.path, first[:8]).revision == first
    repo.write({"a.py": "uncommitted"})
    with open_tree(repo.path) as tree:
        assert tree.read("a.py") == b"2"
    wheel = tmp_path / "wheel"
    wheel.mkdir()
    assert open_tree(_wheel(wheel)).revision == open_tree(_unpacked_wheel(wheel)).revision == "demo-npu 2.13.0"


def test_a_folder_revision_follows_names_and_content(tmp_path: Path) -> None:
    folder = _lay(tmp_path / "one")
    revision = FolderTree(folder).revision
    assert revision.startswith("folder:")
    assert FolderTree(_lay(tmp_path / "two")).revision == revision
    (folder / "demo/a.py").write_bytes(b"x = 2\n")
    changed = FolderTree(folder).revision
    (folder / "demo/a.py").rename(folder / "demo/d.py")
    assert len({revision, changed, FolderTree(folder).revision}) == 3


def test_a_folder_holds_sources_only(tmp_path: Path) -> None:
    folder = _lay(tmp_path / "plain")
    for junk in ("demo/__pycache__/a.cpython-311.pyc", "demo/old.pyc", "demo/lib.so", "sub/.git/config"):
        (folder / junk).parent.mkdir(parents=True, exist_ok=True)
        (folder / junk).write_bytes(b"junk")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("secret")
    (folder / "link.py").symlink_to(outside / "secret.py")
    (folder / "linked").symlink_to(outside)
    (folder / "inner.py").symlink_to("demo/a.py")
    os.mkfifo(folder / "pipe.py")
    tree = open_tree(folder)
    assert [file.path for file in tree.files()] == PATHS
    for path in ("link.py", "linked/secret.py", "inner.py", "pipe.py", "sub/.git/config", "demo/lib.so"):
        assert not tree.exists(path)
        with pytest.raises(SourceTreeError):
            tree.read(path)
    (tmp_path / "entry").symlink_to(folder)
    assert open_tree(tmp_path / "entry").read("demo/a.py") == b"x = 1\n"


def test_a_folder_inside_a_work_tree_is_a_plain_folder(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"sub/a.py": "1"})
    assert isinstance(open_tree(repo.path / "sub"), FolderTree)
    with pytest.raises(SourceTreeError, match="不是 git 仓库"):
        open_tree(repo.path / "sub", "HEAD")


def test_site_packages_is_a_plain_folder(tmp_path: Path) -> None:
    folder = _unpacked_wheel(tmp_path)
    (folder / "other-1.dist-info").mkdir()
    (folder / "other-1.dist-info" / "METADATA").write_bytes(METADATA)
    assert type(open_tree(folder)) is FolderTree


def _broken_wheel(tmp_path: Path, content: dict[str, bytes]) -> Path:
    path = tmp_path / "broken.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def test_locations_that_are_no_tree(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "no.whl").write_text("no zip")
    dist = "demo-1.dist-info/METADATA"
    cases: list[tuple[Path, str]] = [
        (tmp_path / "missing", "路径不存在"),
        (tmp_path / "file.txt", "既不是目录也不是"),
        (tmp_path / "no.whl", "不是完整的 wheel"),
        (_broken_wheel(tmp_path, {"a.py": b""}), "无法得知版本"),
    ]
    for location, words in cases:
        with pytest.raises(SourceTreeError, match=words):
            open_tree(location)
    with pytest.raises(SourceTreeError, match="无法得知版本"):
        open_tree(_broken_wheel(tmp_path, {dist: b"Name: demo\n"}))
    with pytest.raises(SourceTreeError, match="相对路径"):
        open_tree(_broken_wheel(tmp_path, {dist: METADATA, "../../evil.py": b""}))
    wheel = _wheel(tmp_path)
    data = bytearray(wheel.read_bytes())
    at = data.index(b"x = 1\n"[:1], 60) if b"x = 1\n" in data else data.index(b"demo/a.py") + 12
    data[at : at + 4] = b"\xff\xff\xff\xff"
    wheel.write_bytes(bytes(data))
    with pytest.raises(SourceTreeError, match="不是完整的 wheel"):
        open_tree(wheel).read("demo/a.py")


def test_without_git_folders_still_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"a.py": "1"})
    folder = _folder(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceTreeError, match="找不到 git"):
        open_tree(repo.path)
    assert open_tree(folder).read("demo/a.py") == b"x = 1\n"
