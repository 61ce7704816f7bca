"""What SOURCE may be, and what is said when it is nothing of that."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from retrieval.change import load_change
from retrieval.errors import ChangeError, SourceTreeError
from tests.retrieval.hostile.cases import ONE, git
from tests.support.git_repo import GitRepo

TRAILER = "Pull Request resolved: https://github.com/pytorch/pytorch/pull/12"
DIFF = git("from_file.py", *ONE)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.chdir(tmp_path)
    repo = GitRepo(tmp_path / "pytorch")
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "2\n"}, f"One (#12)\n\n{TRAILER}")
    repo.git("tag", "tagged")
    return repo


def test_standard_input() -> None:
    change = load_change("-", stdin=DIFF)
    assert (change.files[0].path, change.source) == ("from_file.py", "标准输入")
    with pytest.raises(ChangeError, match="没有收到标准输入"):
        load_change("-")
    with pytest.raises(ChangeError, match=r"标准输入:1：没有找到 diff"):
        load_change("-", stdin=b"no diff")


def test_a_file(clone: GitRepo) -> None:
    Path("x.diff").write_bytes(DIFF)
    assert load_change("x.diff").files[0].path == "from_file.py"
    assert load_change(str(Path("x.diff").resolve()), clone=clone.path).source.endswith("/x.diff")


def test_a_named_pipe(clone: GitRepo) -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(DIFF,))
    writer.start()
    assert load_change("pipe").files[0].path == "from_file.py"
    writer.join()


@pytest.mark.parametrize("source", ["HEAD", "main", "tagged", "HEAD~1..HEAD", "HEAD~1...main", "HEAD~1.."])
def test_commits_and_ranges(clone: GitRepo, source: str) -> None:
    assert load_change(source, clone=clone.path).files[0].path == "a.py"


@pytest.mark.parametrize(
    "source",
    [
        "pytorch/pytorch#12",
        "PyTorch/PyTorch#12",
        "#12",
        "https://github.com/pytorch/pytorch/pull/12",
        "https://github.com/pytorch/pytorch/pull/12/files#diff-1",
        "https://github.com/pytorch/pytorch/pull/12.diff",
    ],
)
def test_pull_requests(clone: GitRepo, source: str) -> None:
    change = load_change(source, clone=clone.path)
    assert (change.number, change.title, change.merged) == (12, "One", True)


@pytest.mark.parametrize(
    ("source", "with_clone", "words"),
    [
        ("none.diff", True, "补丁文件不存在"),
        ("none.diff", False, "补丁文件不存在"),
        ("HEAD", False, "请用 --upstream 指明"),
        ("pytorch/pytorch#12", False, "请用 --upstream 指明"),
        ("pytorch/vision#12", True, "只支持 pytorch/pytorch"),
        ("https://github.com/pytorch/vision/pull/1", True, "只支持 pytorch/pytorch"),
        ("pytorch/pytorch#99", True, "历史里没有"),
        ("folder", True, "这是目录"),
        ("nowhere", True, "没有这个版本"),
        ("-x", True, "不是合法的版本名"),
        ("HEAD..nowhere", True, "没有这个版本"),
        ("a\0b", True, "不是合法的版本名|没有这个版本"),
        ("x" * 5000, True, "没有这个版本"),
        ("", True, "不是合法的版本名|这是目录"),
    ],
)
def test_mistakes_are_one_sentence(clone: GitRepo, source: str, with_clone: bool, words: str) -> None:
    Path("folder").mkdir()
    with pytest.raises((ChangeError, SourceTreeError), match=words) as caught:
        load_change(source, clone=clone.path if with_clone else None)
    assert "\n" not in getattr(caught.value, "reason", "")


def test_a_clone_that_is_none(clone: GitRepo) -> None:
    for source in ("HEAD", "#12"):
        with pytest.raises(ChangeError, match="不是 git 仓库"):
            load_change(source, clone=Path("folder"))


def test_a_name_that_is_both_is_refused(clone: GitRepo) -> None:
    Path("tagged").write_bytes(DIFF)
    with pytest.raises(ChangeError, match=r"写作 \./文件名"):
        load_change("tagged", clone=clone.path)
    assert load_change("./tagged", clone=clone.path).files[0].path == "from_file.py"
    assert load_change("tagged").files[0].path == "from_file.py", "without a clone there is nothing to confuse it with"


def test_an_unreadable_file(clone: GitRepo) -> None:
    Path("loop.diff").symlink_to("loop.diff")
    with pytest.raises(ChangeError, match=r"补丁文件不存在|无法读取"):
        load_change("loop.diff")
