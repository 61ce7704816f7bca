"""The GitHub adapter over HTTP: what it reads, what it writes once, and every failure as one kind of error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from evals.fake_forges.faults import Fault, Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.github import GithubForge
from reviewbot.forges.models import CheckState, ForgeKind, Permission, PullState, Thread
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import GithubSettings

REPOSITORY = "team/backend"
THREAD = Thread(forge=ForgeKind.GITHUB, repository=REPOSITORY, number=7)
DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
TOKEN = "ghp_secret_of_this_test"


@dataclass(frozen=True)
class Bench:
    world: World
    faults: Faults
    forge: GithubForge


def fast() -> Bucket:
    return Bucket(1_000_000.0)


@pytest.fixture
def bench() -> Iterator[Bench]:
    world, faults = World(), Faults()
    world.open_pull(REPOSITORY, 7, "同步上游", DIFF, commits=[("c" * 40, "first"), ("d" * 40, "second")])
    with serve(GithubDialect(world), faults) as url:
        settings = GithubSettings.model_validate({"api_url": url, "token": TOKEN, "timeout_seconds": 5})
        forge = GithubForge(settings, writes=fast(), requests=fast(), pause=0.0)
        yield Bench(world, faults, forge)
        forge.close()


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_pull_request_its_commits_and_its_diff(bench: Bench) -> None:
    pull = bench.forge.pull_request(REPOSITORY, 7)
    assert (pull.thread, pull.title, pull.base_ref, pull.state) == (THREAD, "同步上游", "master", PullState.OPEN)
    assert [commit.message for commit in bench.forge.commits(REPOSITORY, 7)] == ["first", "second"]
    assert bench.forge.diff(REPOSITORY, 7) == DIFF.encode()
    assert bench.forge.login == "reviewbot"


def test_a_diff_that_leaves_files_out_is_too_large(bench: Bench) -> None:
    bench.world.pulls[REPOSITORY, 7].changed_files = 2
    with pytest.raises(ForgeError) as caught:
        bench.forge.diff(REPOSITORY, 7)
    assert caught.value.fault is ForgeFault.TOO_LARGE
    bench.world.pulls[REPOSITORY, 7].changed_files = 301
    with pytest.raises(ForgeError) as caught:
        bench.forge.diff(REPOSITORY, 7)
    assert (caught.value.fault, caught.value.status) == (ForgeFault.TOO_LARGE, 406)


def test_more_commits_than_github_lists_are_too_many(bench: Bench) -> None:
    bench.world.pulls[REPOSITORY, 7].commits = [(f"{number:040x}", "m") for number in range(251)]
    with pytest.raises(ForgeError) as caught:
        bench.forge.commits(REPOSITORY, 7)
    assert caught.value.fault is ForgeFault.TOO_LARGE


def test_commits_and_branches_by_name(bench: Bench) -> None:
    bench.world.patches[REPOSITORY, "abc123"] = "From abc\n"
    bench.world.branches[REPOSITORY, "release/2.14"] = "e" * 40
    assert bench.forge.commit_patch(REPOSITORY, "abc123") == b"From abc\n"
    assert bench.forge.branch_head(REPOSITORY, "release/2.14") == "e" * 40


def test_what_was_updated_since_oldest_first(bench: Bench) -> None:
    since = bench.world.pulls[REPOSITORY, 7].updated_at
    for number in range(8, 140):
        bench.world.open_pull(REPOSITORY, number, "t")
    landed = bench.world.open_pull(REPOSITORY, 200, "landed", state="closed", labels={"Merged"})
    bench.world.open_pull(REPOSITORY, 201, "closed", state="closed")
    open_ones = [pull.thread.number for pull in bench.forge.pull_requests(REPOSITORY, since=since)]
    assert open_ones == list(range(7, 140))
    later = since + timedelta(seconds=1)
    assert next(bench.forge.pull_requests(REPOSITORY, since=later)).thread.number == 8
    merged = list(bench.forge.pull_requests(REPOSITORY, since=since, merged=True))
    assert [(pull.thread.number, pull.state) for pull in merged] == [(landed.number, PullState.MERGED)]


@pytest.mark.parametrize(("given", "permission"), [(one.value, one) for one in Permission] + [(None, Permission.NONE)])
def test_permission_by_its_word(bench: Bench, given: str | None, permission: Permission) -> None:
    if given is not None:
        bench.world.permissions[REPOSITORY, "ada"] = given
    assert bench.forge.permission(REPOSITORY, "ada") is permission


# --- writing ----------------------------------------------------------------------------------------------------------


def test_comments_are_made_edited_listed_and_deleted(bench: Bench) -> None:
    for number in range(120):
        bench.world.say(REPOSITORY, 7, "ada", f"c{number}")
    made = bench.forge.create_comment(THREAD, "一")
    assert bench.forge.edit_comment(THREAD, made.id, "二").body == "二"
    listed = bench.forge.comments(THREAD)
    assert len(listed) == 121
    assert (listed[-1].id, listed[-1].body, listed[-1].author) == (made.id, "二", "reviewbot")
    bench.forge.delete_comment(THREAD, made.id)
    assert len(bench.forge.comments(THREAD)) == 120


def test_labels_are_set_and_one_that_is_not_there_is_no_error(bench: Bench) -> None:
    bench.world.pulls[REPOSITORY, 7].labels = {"kept", "old"}
    bench.forge.set_labels(THREAD, ("upstream/test",), ("old", "never"))
    assert bench.world.pulls[REPOSITORY, 7].labels == {"kept", "upstream/test"}


def test_a_reaction_acknowledges_and_a_token_shows_no_check(bench: Bench) -> None:
    comment = bench.world.say(REPOSITORY, 7, "ada", "/upstream-review")
    assert bench.forge.acknowledge(THREAD, comment.id)
    assert bench.world.reactions == [(comment.id, "eyes")]
    assert not bench.forge.report_check(REPOSITORY, "c" * 40, CheckState.NEUTRAL, "t", "s")


# --- failures ---------------------------------------------------------------------------------------------------------


def test_reads_are_asked_again(bench: Bench) -> None:
    bench.faults.play(Fault.BAD_GATEWAY, Fault.LIMITED, Fault.BAD_GATEWAY)
    assert bench.forge.pull_request(REPOSITORY, 7).title == "同步上游"


@pytest.mark.parametrize("fault", [Fault.BAD_GATEWAY, Fault.LOST, Fault.LIMITED_SILENTLY, Fault.OUT_OF_CALLS])
def test_a_write_is_sent_once_whatever_comes_back(bench: Bench, fault: Fault) -> None:
    bench.faults.play(fault)
    with pytest.raises(ForgeError) as caught:
        bench.forge.create_comment(THREAD, "x")
    assert caught.value.passing
    assert len(bench.world.said(REPOSITORY, 7)) == (1 if fault is Fault.LOST else 0)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault.BAD_GATEWAY, ForgeFault.UNAVAILABLE),
        (Fault.LOST, ForgeFault.UNAVAILABLE),
        (Fault.LIMITED_SILENTLY, ForgeFault.RATE_LIMITED),
        (Fault.GARBLED, ForgeFault.UNREADABLE),
    ],
)
def test_what_goes_on_failing_is_one_error(bench: Bench, fault: Fault, kind: ForgeFault) -> None:
    bench.faults.play(*[fault] * 5)
    with pytest.raises(ForgeError) as caught:
        bench.forge.pull_request(REPOSITORY, 7)
    assert caught.value.fault is kind
    assert TOKEN not in str(caught.value)


def test_what_is_not_there_and_what_is_refused(bench: Bench) -> None:
    with pytest.raises(ForgeError) as caught:
        bench.forge.pull_request(REPOSITORY, 99)
    assert (caught.value.fault, caught.value.passing) == (ForgeFault.NOT_FOUND, False)
    assert "GET /repos/team/backend/pulls/99" in str(caught.value)
    with pytest.raises(ForgeError) as caught:
        bench.forge.create_comment(THREAD, "x" * 65_537)
    assert caught.value.fault is ForgeFault.REFUSED
    assert "65536" in caught.value.detail


def test_nobody_listening_is_unavailable() -> None:
    settings = GithubSettings.model_validate({"api_url": "http://127.0.0.1:9", "token": TOKEN, "timeout_seconds": 1})
    forge = GithubForge(settings, writes=fast(), requests=fast(), pause=0.0)
    with pytest.raises(ForgeError) as caught:
        forge.pull_request(REPOSITORY, 7)
    assert caught.value.fault is ForgeFault.UNAVAILABLE
    forge.close()
