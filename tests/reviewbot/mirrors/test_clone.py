"""A bare clone follows its origin, whoever asks at the same time, and tells no secret."""

from __future__ import annotations

import fcntl
import threading
import time
from pathlib import Path

import pytest

from reviewbot.mirrors.clone import BareClone
from reviewbot.mirrors.errors import MirrorError
from tests.support.git_repo import GitRepo


@pytest.fixture
def origin(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "origin")
    repo.write({"a.py": "x = 1\n"})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "first")
    return repo


def grown(origin: GitRepo, text: str) -> str:
    origin.write({"a.py": text})
    origin.git("commit", "-qam", "more")
    return origin.git("rev-parse", "HEAD")


def clone_of(origin: GitRepo, tmp_path: Path, name: str = "downstream") -> BareClone:
    return BareClone(name, origin.path.as_uri(), tmp_path / "mirrors" / f"{name}.git")


def test_the_first_fetch_makes_the_clone_and_the_next_brings_what_is_new(origin: GitRepo, tmp_path: Path) -> None:
    clone = clone_of(origin, tmp_path)
    assert clone.find("main") is None
    assert clone.fetched_at() is None
    clone.fetch()
    assert clone.find("main") == origin.git("rev-parse", "HEAD")
    head = grown(origin, "x = 2\n")
    assert clone.find(head) is None
    clone.fetch()
    assert clone.find("main") == clone.find(head) == head


def test_a_rewritten_branch_is_followed_and_a_deleted_one_goes(origin: GitRepo, tmp_path: Path) -> None:
    clone = clone_of(origin, tmp_path)
    origin.git("branch", "topic")
    clone.fetch()
    first = origin.git("rev-parse", "HEAD")
    origin.git("commit", "-q", "--amend", "-m", "rewritten")
    origin.git("branch", "-D", "topic")
    origin.git("branch", "topic/deeper")
    clone.fetch()
    assert clone.find("main") == origin.git("rev-parse", "HEAD") != first
    assert clone.find("topic") is None
    assert clone.find("topic/deeper") is not None


def test_the_head_of_a_pull_request_is_fetched_by_its_ref(origin: GitRepo, tmp_path: Path) -> None:
    clone = clone_of(origin, tmp_path)
    clone.fetch()
    stamp = clone.fetched_at()
    origin.git("checkout", "-q", "--detach")
    head = grown(origin, "x = 3\n")
    origin.git("update-ref", "refs/pull/7/head", head)
    origin.git("checkout", "-q", "main")
    clone.fetch("+refs/pull/7/head:refs/reviewbot/github/7")
    assert clone.find(head) == head
    assert clone.fetched_at() == stamp, "one ref is not everything"
    clone.fetch()
    assert clone.find(head) == head, "a whole fetch leaves refs of our own alone"


def test_inherited_git_variables_lead_nowhere_else(
    origin: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GitRepo(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    clone = clone_of(origin, tmp_path)
    clone.fetch()
    assert clone.find("main") == origin.git("rev-parse", "HEAD")
    assert not other.git("for-each-ref")


def test_those_who_waited_for_a_fetch_need_none_of_their_own(origin: GitRepo, tmp_path: Path) -> None:
    clone_of(origin, tmp_path).fetch()
    failures: list[Exception] = []

    def ask() -> None:
        try:
            clone_of(origin, tmp_path).fetch()
        except MirrorError as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_lock_held_for_too_long_is_told(origin: GitRepo, tmp_path: Path) -> None:
    clone = BareClone("upstream", origin.path.as_uri(), tmp_path / "up.git", patience=0.1)
    (tmp_path / "up.git").mkdir()
    with (tmp_path / "up.git" / "reviewbot-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(MirrorError, match="PyTorch") as caught:
            clone.fetch()
    assert caught.value.passing


def test_an_origin_that_is_gone_is_one_sentence_without_credentials(tmp_path: Path) -> None:
    clone = BareClone("downstream", "http://user:hunter2@127.0.0.1:9/x.git", tmp_path / "m.git", header="X: hunter3")
    with pytest.raises(MirrorError) as caught:
        clone.fetch()
    assert "torch_npu" in str(caught.value)
    assert "hunter" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_address_cannot_be_an_option_or_a_program(tmp_path: Path) -> None:
    for url in ("--upload-pack=touch${IFS}pwned", "ext::sh -c touch% pwned"):
        with pytest.raises(MirrorError):
            BareClone("downstream", url, tmp_path / "m.git").fetch()
    assert not list(Path.cwd().glob("pwned"))


def test_a_failed_fetch_leaves_the_stamp(origin: GitRepo, tmp_path: Path) -> None:
    clone = clone_of(origin, tmp_path)
    clone.fetch()
    stamp = clone.fetched_at()
    assert stamp is not None
    assert abs(stamp - time.time()) < 60
    origin.path.rename(tmp_path / "moved")
    with pytest.raises(MirrorError):
        clone.fetch()
    assert clone.fetched_at() == stamp
