"""Git repositories as trees: what is listed, what fails with which sentence, what is never run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from retrieval.change import change_from_commit, sides
from retrieval.errors import SourceTreeError
from retrieval.folder_tree import FolderTree
from retrieval.git_tree import GitTree
from retrieval.source_tree import open_tree
from tests.support.git_repo import GitRepo, git_environment


def test_git_lists_regular_files_only(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.write({"demo/a.py": "x = 1\n", "demo/sub.py": "y\n"})
    (repo.path / "link.py").symlink_to("demo/a.py")
    (repo.path / os.fsdecode(b"latin-\xe9.py")).write_text("x")
    inner = GitRepo(repo.path / "third_party/inner")
    inner.commit({"i.py": "1"})
    repo.commit()
    with open_tree(repo.path) as tree:
        assert isinstance(tree, GitTree)
        assert [file.path for file in tree.files()] == ["demo/a.py", "demo/sub.py"]
        assert tree.unnamed == 1
        assert not tree.exists("third_party/inner")
    folder = FolderTree(repo.path / "third_party")
    assert [file.path for file in folder.files()] == ["inner/i.py"], "the .git of a submodule is no source"
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / os.fsdecode(b"latin-\xe9.py")).write_text("x")
    assert (FolderTree(plain).unnamed, FolderTree(plain).files()) == (1, ())


def test_linked_work_tree_and_git_directory(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    sha = repo.commit({"a.py": "1"})
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    for location in (tmp_path / "linked", repo.path / ".git"):
        with open_tree(location) as tree:
            assert (tree.revision, tree.read("a.py")) == (sha, b"1")
    assert open_tree(repo.path / ".git").name == "work"


def test_git_failures_are_sentences(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "empty")
    with pytest.raises(SourceTreeError, match="还没有任何提交"):
        open_tree(repo.path)
    sha = repo.commit({"a.py": "1"})
    for revision, words in [
        ("nowhere", "没有这个版本"),
        ("--all", "不是合法的版本名"),
        ("-n", "不是合法的版本名"),
        ("a\nb", "不是合法的版本名"),
        ("HEAD^{tree}", "不是提交"),
        ("0" * 40, "没有这个版本"),
    ]:
        with pytest.raises(SourceTreeError, match=words) as caught:
            open_tree(repo.path, revision)
        assert "\n" not in caught.value.reason
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / ".git").write_text("gitdir: /nowhere\n")
    with pytest.raises(SourceTreeError, match="不是可用的 git 仓库"):
        open_tree(tmp_path / "fake")
    blob = repo.git("rev-parse", f"{sha}:a.py")
    stored = repo.path / ".git/objects" / blob[:2] / blob[2:]
    stored.unlink()
    with open_tree(repo.path) as tree, pytest.raises(SourceTreeError, match="缺少这个对象"):
        tree.read("a.py")


def test_a_repository_of_another_user_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path / "foreign")
    repo.commit({"a.py": "1"})
    # What git itself offers to test its ownership check, so that the test needs no second user.
    fake = tmp_path / "bin"
    fake.mkdir()
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    (fake / "git").write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real} "$@"\n')
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with pytest.raises(SourceTreeError, match=r"属于另一个用户.*safe.directory '.*foreign"):
        open_tree(repo.path)
    for name, value in (("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", "*")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    with open_tree(repo.path) as tree:
        assert tree.read("a.py") == b"1"


def test_inherited_git_variables_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo, other = GitRepo(tmp_path / "work"), GitRepo(tmp_path / "other")
    sha = repo.commit({"a.py": "mine"})
    other.commit({"a.py": "other"})
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git/objects"))
    with open_tree(repo.path) as tree:
        assert (tree.revision, tree.read("a.py")) == (sha, b"mine")


def test_configuration_of_the_repository_runs_nothing(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"a.py": "1\n", ".gitattributes": "*.py diff=evil\n"})
    sha = repo.commit({"a.py": "2\n"})
    trap = tmp_path / "trap"
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "gpg.program",
        "core.sshCommand",
        "core.hooksPath",
        "alias.log",
    ):
        repo.git("config", key, f"touch {trap}; false")
    repo.git("config", "log.showSignature", "true")
    with open_tree(repo.path) as tree:
        assert tree.read("a.py") == b"2\n"
    change = change_from_commit(repo.path, sha)
    assert (change.added, change.removed) == (1, 1)
    assert sides(change, open_tree(repo.path, f"{sha}~1"), None)[0].complete
    assert not trap.exists()


def test_a_partial_clone_is_not_completed_over_the_network(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "origin")
    repo.commit({"a.py": "1"})
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial.git"
    subprocess.run(
        ["git", "clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}", str(clone)],
        env=git_environment(),
        check=True,
        capture_output=True,
    )
    with open_tree(clone) as tree, pytest.raises(SourceTreeError, match="部分克隆"):
        tree.read("a.py")
