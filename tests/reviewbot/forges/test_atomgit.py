"""The AtomGit adapter over HTTP: the API's oddities become plain values, its failures one kind of error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from evals.fake_forges.atomgit import AtomgitDialect
from evals.fake_forges.faults import Fault, Faults
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from retrieval.change import parse_patch
from reviewbot.forges.atomgit import AtomgitForge
from reviewbot.forges.atomgit.values import comment_of, moment
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import CheckState, ForgeKind, Permission, PullState, Thread, ThreadKind
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import AtomgitSettings

REPOSITORY = "Team/backend"
THREAD = Thread(forge=ForgeKind.ATOMGIT, repository=REPOSITORY, number=7)
ISSUE = THREAD.model_copy(update={"kind": ThreadKind.ISSUE})
TOKEN = "token_of_this_test"
DIFF = (
    "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+n\n"
    "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
    "diff --git a/old.py b/moved.py\nrename from old.py\nrename to moved.py\n"
)


@dataclass(frozen=True)
class Bench:
    world: World
    faults: Faults
    forge: AtomgitForge


def bench_of(world: World, *, hashes_only: bool = False) -> Iterator[Bench]:
    faults = Faults()
    with serve(AtomgitDialect(world, token=TOKEN, hashes_only=hashes_only), faults) as url:
        settings = AtomgitSettings.model_validate({"api_url": url, "token": TOKEN, "timeout_seconds": 5})
        forge = AtomgitForge(settings, bucket=Bucket(1_000_000.0), pause=0.0)
        yield Bench(world, faults, forge)
        forge.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    world = World()
    world.open_pull(REPOSITORY, 7, "同步上游", DIFF, commits=[("c" * 40, "first"), ("d" * 40, "second")])
    yield from bench_of(world)


def test_a_pull_request_and_its_commits_oldest_first(bench: Bench) -> None:
    pull = bench.forge.pull_request(REPOSITORY, 7)
    assert (pull.thread, pull.state, pull.draft, pull.base_ref) == (THREAD, PullState.OPEN, False, "master")
    assert [commit.message for commit in bench.forge.commits(REPOSITORY, 7)] == ["first", "second"]
    assert bench.forge.login == "reviewbot"


def test_the_diff_is_put_together_as_git_writes_it(bench: Bench) -> None:
    put_together = parse_patch(bench.forge.diff(REPOSITORY, 7), "x")
    assert put_together.files == parse_patch(DIFF.encode(), "x").files


def test_a_file_that_is_not_shown_makes_the_diff_too_large(bench: Bench) -> None:
    bench.world.pulls[REPOSITORY, 7].diff += "diff --git a/b.bin b/b.bin\nBinary files differ\n"
    with pytest.raises(ForgeError) as caught:
        bench.forge.diff(REPOSITORY, 7)
    assert caught.value.fault is ForgeFault.TOO_LARGE


def test_merged_ones_are_told_by_their_state(bench: Bench) -> None:
    since = bench.world.pulls[REPOSITORY, 7].updated_at
    bench.world.open_pull(REPOSITORY, 8, "landed", merged=True, state="closed")
    assert bench.forge.pull_request(REPOSITORY, 8).state is PullState.MERGED
    merged = bench.forge.pull_requests(REPOSITORY, since=since, merged=True)
    assert [pull.thread.number for pull in merged] == [8]
    assert not list(bench.forge.pull_requests(REPOSITORY, since=since + timedelta(days=1)))


@pytest.mark.parametrize(
    ("role", "permission"),
    [
        ("owner", Permission.ADMIN),
        ("maintainer", Permission.WRITE),
        ("developer", Permission.READ),
        ("reporter", Permission.READ),
        (None, Permission.NONE),
    ],
)
def test_permission_goes_by_level_not_by_word(bench: Bench, role: str | None, permission: Permission) -> None:
    if role is not None:
        bench.world.permissions[REPOSITORY, "ada"] = role
    assert bench.forge.permission(REPOSITORY, "ada") is permission


@pytest.mark.parametrize("hashes_only", [False, True])
@pytest.mark.parametrize("thread", [THREAD, ISSUE], ids=["pull", "issue"])
def test_comments_whatever_id_the_answer_bears(hashes_only: bool, thread: Thread) -> None:
    world = World()
    world.open_pull(REPOSITORY, 7, "t")
    number = thread.number if thread.kind is ThreadKind.PULL else -thread.number
    for bench in bench_of(world, hashes_only=hashes_only):
        for count in range(120):
            world.say(REPOSITORY, number, "ada", f"c{count}")
        made = bench.forge.create_comment(thread, "一")
        bench.forge.edit_comment(thread, made.id, "二")
        listed = bench.forge.comments(thread)
        assert (len(listed), listed[-1].id, listed[-1].body) == (121, made.id, "二")
        assert [one.id for one in listed] == sorted(one.id for one in listed)
        bench.forge.delete_comment(thread, made.id)
        assert len(bench.forge.comments(thread)) == 120
    assert not world.said(REPOSITORY, -number), "pull requests and issues are numbered apart"


def test_labels_reactions_and_checks(bench: Bench) -> None:
    bench.world.pulls[REPOSITORY, 7].labels = {"kept", "old"}
    bench.forge.set_labels(THREAD, ("upstream/test",), ("old", "never"))
    assert bench.world.pulls[REPOSITORY, 7].labels == {"kept", "upstream/test"}
    assert not bench.forge.acknowledge(THREAD, 1)
    assert not bench.forge.report_check(REPOSITORY, "c" * 40, CheckState.NEUTRAL, "t", "s")


def test_an_error_inside_a_success_is_an_error(bench: Bench) -> None:
    with pytest.raises(ForgeError) as caught:
        bench.forge.pull_request(REPOSITORY, 99)
    assert (caught.value.fault, caught.value.detail) == (ForgeFault.NOT_FOUND, "Pull Request Not Found")


def test_a_filtered_text_is_refused_for_good(bench: Bench) -> None:
    with pytest.raises(ForgeError) as caught:
        bench.forge.create_comment(THREAD, "<script>")
    assert (caught.value.fault, caught.value.status, caught.value.passing) == (ForgeFault.REFUSED, 418, False)


def test_reads_are_asked_again_and_writes_are_not(bench: Bench) -> None:
    bench.faults.play(Fault.BAD_GATEWAY, Fault.LIMITED, Fault.LOST)
    assert bench.forge.pull_request(REPOSITORY, 7).title == "同步上游"
    bench.faults.play(Fault.LOST)
    with pytest.raises(ForgeError) as caught:
        bench.forge.create_comment(THREAD, "x")
    assert caught.value.passing
    assert len(bench.world.said(REPOSITORY, 7)) == 1


def test_a_limit_without_a_word_waits_for_the_next_minute(bench: Bench) -> None:
    bench.faults.play(Fault.LIMITED_SILENTLY)
    with pytest.raises(ForgeError) as caught:
        bench.forge.pull_request(REPOSITORY, 7)
    assert (caught.value.fault, caught.value.retry_after) == (ForgeFault.RATE_LIMITED, 60.0)


def test_a_wrong_token_is_told_without_it() -> None:
    with serve(AtomgitDialect(World(), token="other")) as url:
        settings = AtomgitSettings.model_validate({"api_url": url, "token": TOKEN})
        forge = AtomgitForge(settings, bucket=Bucket(1_000_000.0), pause=0.0)
        with pytest.raises(ForgeError) as caught:
            forge.pull_request(REPOSITORY, 7)
        forge.close()
    assert caught.value.fault is ForgeFault.FORBIDDEN
    assert TOKEN not in str(caught.value)


def test_garbled_answers_are_unreadable(bench: Bench) -> None:
    bench.faults.play(Fault.GARBLED)
    with pytest.raises(ForgeError) as caught:
        bench.forge.comments(THREAD)
    assert caught.value.fault is ForgeFault.UNREADABLE


def test_ids_and_times_of_any_shape() -> None:
    assert comment_of({"id": "12", "body": None, "user": None}).id == 12
    assert comment_of({"id": "ab" * 20, "noteId": 13}).id == 13
    with pytest.raises(ValueError, match="invalid literal"):
        comment_of({"id": "ab" * 20})
    assert moment("2026-03-04T05:06:07") == moment("2026-03-04T13:06:07+08:00")
    assert moment(None) is None
