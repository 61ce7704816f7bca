"""``reviewbot index forks``: the fork list for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot.cli.exit_codes import ExitCode
from tests.retrieval.test_copies_alignment import SPIN
from tests.reviewbot.cli_runs import CommandLine
from tests.support.git_repo import GitRepo
from tests.support.tree import lay

RENAMED = SPIN.replace("def spin", "def npu_turn_round").replace("gear", "wheel")
FIRST, SECOND = "2026-03-01T05:06:07+00:00", "2026-03-02T05:06:07+00:00"


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    return lay(tmp_path / "pytorch", {"torch/_mill/gears.py": SPIN, "torch/_mill/other.py": "x = 1\n"})


@pytest.fixture
def downstream(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "mill_npu")
    repo.commit({"mill_npu/a.py": "x = 1\n"}, date=FIRST)
    repo.commit({"mill_npu/a.py": f"x = 1\n{RENAMED}", "mill_npu/b.py": SPIN.replace("promote", "x")}, date=SECOND)
    return repo


def test_the_list(cli: CommandLine, upstream: Path, downstream: GitRepo) -> None:
    trees = ("--upstream-base", upstream, "--downstream", downstream.path)
    found = cli("index", "forks", *trees, "--json").json
    assert [file["path"] for file in found["files"]] == ["mill_npu/a.py", "mill_npu/b.py"]
    (fork,) = found["files"][0]["forks"]
    assert (fork["scope"], fork["original_scope"], fork["original_path"]) == (
        "npu_turn_round",
        "spin",
        "torch/_mill/gears.py",
    )
    assert (fork["similarity"], fork["renamed"], fork["lines"], fork["line"]) == (1.0, True, [2, 10], 2)
    assert "first_seen" not in fork
    assert (found["downstream"], found["revision"]) == ("mill_npu", downstream.git("rev-parse", "HEAD"))
    assert set(found["seconds"]) == {"upstream", "downstream", "alignment"}
    text = cli("index", "forks", *trees).out
    assert "mill_npu/a.py ← torch/_mill/gears.py" in text
    assert "整文件副本" in text
    assert "共 2 个函数、0 个类，其中 1 个改了名；分布在 2 个文件" in text
    assert "首次出现" not in text


def test_a_bar_for_the_list(cli: CommandLine, upstream: Path, downstream: GitRepo) -> None:
    trees = ("--upstream-base", upstream, "--downstream", downstream.path)
    found = cli("index", "forks", *trees, "--min-similarity", "1", "--json").json
    assert [file["path"] for file in found["files"]] == ["mill_npu/a.py"]
    code, sentence = cli.fails("index", "forks", *trees, "--min-similarity", "1.5")
    assert (code, "--min-similarity" in sentence) == (ExitCode.USAGE, True)


def test_where_a_copy_was_first_seen(cli: CommandLine, upstream: Path, downstream: GitRepo) -> None:
    trees = ("--upstream-base", upstream, "--downstream", downstream.path)
    found = cli("index", "forks", *trees, "--history", "--json").json
    (fork,) = found["files"][0]["forks"]
    commit = downstream.git("rev-parse", "HEAD")
    assert fork["first_seen"] == {"commit": commit, "day": "2026-03-02"}
    assert f"2026-03-02 {commit[:10]}" in cli("index", "forks", *trees, "--history").out


def test_a_folder_has_no_history(cli: CommandLine, upstream: Path, tmp_path: Path) -> None:
    folder = lay(tmp_path / "plain", {"mill_npu/a.py": SPIN})
    trees = ("--upstream-base", upstream, "--downstream", folder)
    (file,) = cli("index", "forks", *trees, "--history", "--json").json["files"]
    assert file["forks"][0]["first_seen"] is None
    assert "—" in cli("index", "forks", *trees, "--history").out


def test_upstream_may_be_a_clone_at_a_revision(cli: CommandLine, downstream: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo(tmp_path / "clone")
    old = clone.commit({"torch/_mill/gears.py": SPIN})
    clone.commit({"torch/_mill/gears.py": None, "torch/_mill/other.py": "x = 1\n"})
    trees = ("--upstream", clone.path, "--downstream", downstream.path)
    assert cli("index", "forks", *trees, "--json").json["files"] == []
    assert "没有找到副本" in cli("index", "forks", *trees).out
    assert len(cli("index", "forks", *trees, "--base", old, "--json").json["files"]) == 2


def test_a_tree_that_is_missing(cli: CommandLine, upstream: Path, downstream: GitRepo) -> None:
    code, sentence = cli.fails("index", "forks", "--downstream", downstream.path)
    assert (code, "--upstream-base" in sentence) == (ExitCode.USAGE, True)
    code, sentence = cli.fails("index", "forks", "--upstream-base", upstream)
    assert (code, "--downstream" in sentence) == (ExitCode.USAGE, True)
    assert cli.fails("index", "forks", "--upstream-base", "none", "--downstream", downstream.path)[0] == ExitCode.TREE


def test_a_cache_that_cannot_be_written(cli: CommandLine, upstream: Path, downstream: GitRepo) -> None:
    (cli.folder / "file").touch()
    cli.set("REVIEWBOT_CACHE__DIR", str(cli.folder / "file" / "cache"))
    trees = ("--upstream-base", upstream, "--downstream", downstream.path)
    assert cli.fails("index", "forks", *trees)[0] == ExitCode.CACHE
