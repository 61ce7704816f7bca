"""``reviewbot review URL`` from a pull request to one comment, on a folder and on a fake GitHub over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.fake_forges.faults import Fault, Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from reviewbot.cli.exit_codes import ExitCode
from tests.reviewbot.cli_runs import CommandLine
from tests.support.upstream_and_downstream import AFTER, Pair, pair

REPOSITORY = "team/torch_npu"


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair(tmp_path_factory.mktemp("repositories"))


@pytest.fixture
def home(cli: CommandLine, repositories: Pair) -> Path:
    """A configuration file of its own, found in the current directory."""
    (cli.folder / "reviewbot.toml").write_text(
        f'[cache]\ndir = "cache"\n[store]\nurl = "sqlite:///store.db"\n[index]\njobs = 1\n'
        f'[downstream]\npath = "{repositories.downstream.path}"\n[upstream]\nclone = "{repositories.upstream.path}"\n'
        f'[local]\ndir = "forge"\n',
        encoding="utf-8",
    )
    return cli.folder


def local_pull(home: Path, base: str, title: str, diff: str = "") -> Path:
    folder = home / "forge" / REPOSITORY / "pulls" / "7"
    folder.mkdir(parents=True)
    pull = {"title": title, "base_sha": base, "head_sha": "a" * 40}
    (folder / "pull.json").write_text(json.dumps(pull), encoding="utf-8")
    if diff:
        (folder / "diff.patch").write_text(diff, encoding="utf-8")
    return folder


LOCAL = f"local:{REPOSITORY}#pull/7"


def test_the_comment_is_printed_and_nothing_is_written(cli: CommandLine, home: Path, repositories: Pair) -> None:
    folder = local_pull(home, repositories.base, "同步 pytorch/pytorch#123")
    done = cli("review", LOCAL)
    assert done.code == ExitCode.OK, done.err
    assert "torch_npu/gears.py" in done.out
    assert "NPUGear" in done.out
    assert repositories.base[:12] in done.out
    assert not (folder / "comments").exists()


def test_posting_twice_leaves_one_comment(cli: CommandLine, home: Path, repositories: Pair) -> None:
    folder = local_pull(home, repositories.base, "同步 pytorch/pytorch#123 与 pytorch#999")
    assert cli("review", LOCAL, "--post").code == ExitCode.UNSETTLED
    (comment,) = (folder / "comments").glob("*.json")
    body = json.loads(comment.read_text(encoding="utf-8"))["body"]
    assert "pytorch/pytorch#999" in body, "a change that nobody has is named with its reason"
    assert "上游克隆中没有合入它的提交" in body
    again = cli("review", LOCAL, "--post")
    assert again.code == ExitCode.OK
    assert "--again" in again.err
    assert cli("review", LOCAL, "--post", "--again").code == ExitCode.UNSETTLED
    assert len(list((folder / "comments").glob("*.json"))) == 1


def test_a_pull_request_that_carries_upstream_is_one_subject(cli: CommandLine, home: Path, repositories: Pair) -> None:
    diff = repositories.upstream.git("diff", "HEAD~1", "HEAD")
    local_pull(home, repositories.base, "main sync", f"{diff}\n")
    done = cli("review", LOCAL)
    assert done.code == ExitCode.OK, done.err
    assert "NPUGear" in done.out


def test_a_pull_request_about_nothing_upstream_is_told_so(cli: CommandLine, home: Path, repositories: Pair) -> None:
    own = "diff --git a/torch_npu/x.py b/torch_npu/x.py\n--- a/torch_npu/x.py\n+++ b/torch_npu/x.py\n"
    own += "@@ -1 +1 @@\n-a\n+b\n"
    local_pull(home, repositories.base, "修复 #5", own)
    done = cli("review", LOCAL, "--post")
    assert done.code == ExitCode.OK
    assert done.out == ""
    assert "没有可评审的上游改动" in done.err


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("https://example.org/a/b/pull/1", ExitCode.USAGE),
        (f"local:{REPOSITORY}#issue/7", ExitCode.USAGE),
        (f"local:{REPOSITORY}#pull/99", ExitCode.FAILED),
        ("local:../../etc#pull/1", ExitCode.USAGE),
        ("https://gitcode.com/a/b/pull/1", ExitCode.SETTINGS),
    ],
)
def test_a_wrong_address_is_one_sentence(cli: CommandLine, home: Path, address: str, code: ExitCode) -> None:
    done = cli("review", address)
    assert done.code == code, done.err
    assert len(done.err.strip().splitlines()) == 1


# --- GitHub -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def github(cli: CommandLine, home: Path, repositories: Pair) -> Iterator[tuple[World, Faults, str]]:
    world, faults = World(), Faults()
    world.open_pull(REPOSITORY, 7, "同步 pytorch/pytorch#123", head_sha="a" * 40, base_sha=repositories.base)
    with serve(GithubDialect(world), faults) as url:
        settings = {"API_URL": url, "TOKEN": "t", "WRITES_PER_SECOND": "1000", "REQUESTS_PER_SECOND": "1000"}
        for name, value in settings.items():
            cli.set(f"REVIEWBOT_GITHUB__{name}", value)
        yield world, faults, f"{url}/{REPOSITORY}/pull/7"


def test_one_comment_on_github_whatever_gets_lost(cli: CommandLine, github: tuple[World, Faults, str]) -> None:
    world, faults, address = github
    reads = [None] * 5
    faults.play(*reads, Fault.LOST)
    for _ in range(3):
        cli("review", address, "--post", "--again")
    assert len(world.said(REPOSITORY, 7, world.bot)) == 1
    assert sum(write.verb == "POST" for write in world.writes) == 1


def test_a_push_moves_the_comment_along(cli: CommandLine, github: tuple[World, Faults, str]) -> None:
    world, _, address = github
    assert cli("review", address, "--post").code == ExitCode.OK
    world.push(REPOSITORY, 7, "e" * 40)
    assert cli("review", address, "--post").code == ExitCode.OK
    (comment,) = world.said(REPOSITORY, 7, world.bot)
    assert "e" * 12 in comment.body
    assert AFTER.splitlines()[0] not in comment.body


def test_what_the_clone_lacks_is_read_from_github(cli: CommandLine, github: tuple[World, Faults, str]) -> None:
    world, _, address = github
    diff = (
        "diff --git a/torch/_mill/gears.py b/torch/_mill/gears.py\n--- a/torch/_mill/gears.py\n"
        "+++ b/torch/_mill/gears.py\n@@ -2,2 +2,2 @@ class Gear:\n-    def turn(self, angle):\n"
        "+    def turn(self, angle, teeth):\n         return angle\n"
    )
    world.open_pull("pytorch/pytorch", 124, "Count teeth", diff)
    world.pulls[REPOSITORY, 7].title = "同步 pytorch/pytorch#124"
    done = cli("review", address)
    assert done.code == ExitCode.OK, done.err
    assert "teeth" in done.out
    assert "NPUGear" in done.out
