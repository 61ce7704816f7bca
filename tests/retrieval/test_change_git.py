"""Changes of a local clone: commits, ranges, pull requests by trailer, reverts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from retrieval.change import change_from_commit, change_from_pull_request, change_from_range
from retrieval.errors import ChangeError, SourceTreeError
from retrieval.models import FileStatus
from tests.retrieval.hostile.cases import shape
from tests.support.git_repo import GitRepo, git_environment

URL = "https://github.com/pytorch/pytorch/pull"


def landed(title: str, number: int) -> str:
    return (
        f"{title} (#{number})\n\nWhy.\n\nPull Request resolved: {URL}/{number}\nApproved by: https://github.com/ada\n"
    )


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "pytorch")
    repo.commit({"a.py": "1\n2\n3\n", "b.py": "b\n" * 20}, "Start", date="2026-01-01T00:00:00+00:00")
    return repo


def test_a_commit(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.rename("b.py", "目录/c d.py")
    sha = repo.commit({"a.py": "1\nx\n3", "n.bin": b"\0\1"}, landed("Do it", 12), date="2026-02-03T23:00:00-08:00")
    change = change_from_commit(repo.path, "HEAD")
    assert (change.number, change.title, change.date) == (12, "Do it", "2026-02-03")
    assert change.body.startswith("Why.")
    assert (change.base_sha, change.head_sha, change.merged, change.reverted) == (base, sha, True, False)
    assert change.source == f"pytorch {sha[:12]}"
    assert {shape(file) for file in change.files} == {
        "modified a.py +2 -2",
        "renamed b.py > 目录/c d.py +0 -0",
        "added n.bin +0 -0 binary None>100644",
    }
    assert change.files[0].hunks[0].new_ends_open


def test_a_commit_without_a_trailer_is_not_known_to_be_merged(repo: GitRepo) -> None:
    repo.commit({"a.py": "2\n"}, "Local work (#13)")
    change = change_from_commit(repo.path, "HEAD")
    assert (change.number, change.title, change.merged) == (13, "Local work", False)


def test_root_and_merge(repo: GitRepo) -> None:
    root = change_from_commit(repo.path, "HEAD")
    assert root.base_sha is None
    assert {file.status for file in root.files} == {FileStatus.ADDED}
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": "s\n"}, "Side")
    repo.git("checkout", "-q", "main")
    first = repo.commit({"main.py": "m\n"}, "Main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    merge = change_from_commit(repo.path, "HEAD")
    assert merge.base_sha == first
    assert [file.path for file in merge.files] == ["side.py"]


def test_an_empty_commit(repo: GitRepo) -> None:
    repo.commit({}, "Nothing")
    assert change_from_commit(repo.path, "HEAD").files == ()


def test_ranges(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "HEAD")
    one = repo.commit({"a.py": "1\nx\n3\n"}, landed("One", 21))
    two = repo.commit({"a.py": "1\nx\ny\n"}, "Two", date="2026-07-08T00:00:00+00:00")
    both = change_from_range(repo.path, f"{base}..HEAD")
    assert (both.base_sha, both.head_sha, both.date, both.number) == (base, two, "2026-07-08", 21)
    assert "2 个提交" in both.title
    assert both.body == "- Two\n- One (#21)"
    assert (both.added, both.removed, both.merged) == (2, 2, False)
    single = change_from_range(repo.path, "HEAD~2..HEAD~1")
    assert (single.title, single.number, single.head_sha, single.merged) == ("One", 21, one, True)
    assert change_from_range(repo.path, f"{base}..").head_sha == two
    assert change_from_range(repo.path, "HEAD..HEAD").files == ()
    backwards = change_from_range(repo.path, f"HEAD..{base}")
    assert (backwards.added, backwards.removed) == (2, 2)


def test_three_dots_start_where_the_branches_part(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": "s\n"}, "Side")
    repo.git("checkout", "-q", "main")
    repo.commit({"main.py": "m\n"}, "Main")
    assert [file.path for file in change_from_range(repo.path, "main...side").files] == ["side.py"]
    assert {file.path for file in change_from_range(repo.path, "main..side").files} == {"side.py", "main.py"}
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({}, "Unrelated")
    with pytest.raises(ChangeError, match="没有共同祖先"):
        change_from_range(repo.path, "main...other")


def test_a_pull_request_is_its_landed_commit(repo: GitRepo) -> None:
    sha = repo.commit({"a.py": "2\n"}, landed("One", 31))
    repo.commit({"a.py": "3\n"}, f"Mention\n\nsee {URL}/31 and\nPull Request resolved: {URL}/310")
    repo.commit({"a.py": "4\n"}, f"Quote\n\nPull Request resolved: {URL}/31\n\nPull Request resolved: {URL}/32")
    change = change_from_pull_request(repo.path, 31)
    assert (change.head_sha, change.number, change.merged, change.reverted) == (sha, 31, True, False)
    assert change_from_pull_request(repo.path, 32).title == "Quote"
    with pytest.raises(ChangeError, match=r"pytorch/pytorch#3：.*pytorch 的历史里没有"):
        change_from_pull_request(repo.path, 3)


def test_a_pull_request_on_another_branch(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "release")
    sha = repo.commit({"a.py": "2\n"}, landed("One", 31))
    repo.git("checkout", "-q", "main")
    assert change_from_pull_request(repo.path, 31).head_sha == sha


@pytest.mark.parametrize(
    "message",
    [
        'Revert "One (#41)"\n\nThis reverts commit {sha}.\n\nReverted {url}/41 on behalf of someone',
        'Revert "One (#41)"\n\nNo id.',
        "Back out one\n\nThis reverts commit {short}.",
        "Undo\n\nReverted {url}/41 on behalf of someone",
    ],
)
def test_reverts(repo: GitRepo, message: str) -> None:
    sha = repo.commit({"a.py": "2\n"}, landed("One", 41))
    repo.commit({"b.py": "x\n"}, "Between")
    assert not change_from_pull_request(repo.path, 41).reverted
    revert = repo.commit({"a.py": "1\n"}, message.format(sha=sha, short=sha[:9], url=URL))
    change = change_from_pull_request(repo.path, 41)
    assert (change.head_sha, change.reverted) == (sha, True)
    assert change_from_commit(repo.path, sha).reverted
    repo.commit({"a.py": "2\n"}, f'Revert "Revert \\"One (#41)\\""\n\nThis reverts commit {revert}.')
    assert not change_from_pull_request(repo.path, 41).reverted


def test_landing_again_after_a_revert(repo: GitRepo) -> None:
    first = repo.commit({"a.py": "2\n"}, landed("One", 51))
    repo.commit({"a.py": "1\n"}, f'Revert "One (#51)"\n\nThis reverts commit {first}.')
    second = repo.commit({"a.py": "2\n"}, landed("One", 51))
    change = change_from_pull_request(repo.path, 51)
    assert (change.head_sha, change.reverted) == (second, False)
    assert change_from_commit(repo.path, first).reverted


def test_other_reverts_do_not_count(repo: GitRepo) -> None:
    repo.commit({"a.py": "2\n"}, landed("One", 61))
    repo.commit(
        {"b.py": "2\n"}, f'Revert "Other (#610)"\n\nThis reverts commit {"1" * 40}.\n\nReverted {URL}/610 on behalf'
    )
    assert not change_from_pull_request(repo.path, 61).reverted


def test_a_shallow_clone_does_not_show_the_whole_tree_as_added(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"a.py": "2\n"}, landed("One", 71))
    shallow = tmp_path / "shallow"
    command = ["git", "clone", "-q", "--depth=1", f"file://{repo.path}", str(shallow)]
    subprocess.run(command, env=git_environment(), check=True, capture_output=True)
    with pytest.raises(SourceTreeError, match="缺少这个提交的父提交"):
        change_from_commit(shallow, "HEAD")
    with pytest.raises(ChangeError, match="浅克隆"):
        change_from_pull_request(shallow, 72)


def test_a_file_that_becomes_a_link(repo: GitRepo) -> None:
    (repo.path / "a.py").unlink()
    (repo.path / "a.py").symlink_to("b.py")
    repo.commit()
    assert [shape(file) for file in change_from_commit(repo.path, "HEAD").files] == [
        "modified a.py +1 -3 100644>120000"
    ]


@pytest.mark.parametrize("range_", ["a..b", "--all..HEAD", "HEAD..-x", "HEAD"])
def test_bad_ranges_are_sentences(repo: GitRepo, range_: str) -> None:
    with pytest.raises((ChangeError, SourceTreeError), match=r"没有这个版本|不是合法的版本名|不是提交区间"):
        change_from_range(repo.path, range_)


def test_a_head_that_leads_nowhere(repo: GitRepo) -> None:
    sha = repo.commit({"a.py": "2\n"}, landed("One", 81))
    repo.git("symbolic-ref", "HEAD", "refs/heads/nothing")
    assert change_from_pull_request(repo.path, 81).head_sha == sha
    assert change_from_commit(repo.path, "main").merged
    with pytest.raises(SourceTreeError, match="还没有任何提交"):
        change_from_commit(repo.path, "HEAD")
