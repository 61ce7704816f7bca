"""What every adapter promises (`reviewbot.forges.protocol`), as tests over a bench of `worlds`."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

from evals.fake_forges.faults import Fault
from retrieval.change import parse_patch
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import CheckState, Permission, PullState, Thread
from tests.reviewbot.forges.worlds import REPOSITORY, TOKEN, Bench, WebBench

DIFF = (
    "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+乙\n"
    "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+n\n"
)
COMMITS = [("c" * 40, "first\n\nbody"), ("d" * 40, "second")]
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def thread_of(bench: Bench, number: int = 7) -> Thread:
    return Thread(forge=bench.forge.kind, repository=REPOSITORY, number=number)


class ForgeContract:
    """Holds for every forge; ``bench`` is a fixture of whoever collects this."""

    def test_a_pull_request_as_it_is_now(self, bench: Bench) -> None:
        bench.open_pull(7, "同步上游", DIFF, COMMITS)
        pull = bench.forge.pull_request(REPOSITORY, 7)
        assert (pull.thread, pull.title, pull.state) == (thread_of(bench), "同步上游", PullState.OPEN)
        assert (len(pull.head_sha), len(pull.base_sha), pull.base_ref) == (40, 40, "master")
        assert pull.updated_at is not None

    def test_its_commits_oldest_first_and_whole(self, bench: Bench) -> None:
        bench.open_pull(7, "t", DIFF, COMMITS)
        assert [(one.sha, one.message) for one in bench.forge.commits(REPOSITORY, 7)] == COMMITS

    def test_its_diff_as_git_writes_it(self, bench: Bench) -> None:
        bench.open_pull(7, "t", DIFF)
        assert parse_patch(bench.forge.diff(REPOSITORY, 7), "x").files == parse_patch(DIFF.encode(), "x").files

    def test_what_is_not_there(self, bench: Bench) -> None:
        bench.open_pull(7, "t")
        thread, forge = thread_of(bench), bench.forge
        for ask in (
            lambda: forge.pull_request(REPOSITORY, 99),
            lambda: forge.branch_head(REPOSITORY, "nowhere"),
            lambda: forge.edit_comment(thread, 999_999, "x"),
            lambda: forge.delete_comment(thread, 999_999),
        ):
            with pytest.raises(ForgeError) as caught:
                ask()
            assert (caught.value.fault, caught.value.passing) == (ForgeFault.NOT_FOUND, False)

    def test_a_branch_with_a_slash(self, bench: Bench) -> None:
        bench.point("release/2.14", "e" * 40)
        assert bench.forge.branch_head(REPOSITORY, "release/2.14") == "e" * 40

    def test_open_ones_oldest_update_first(self, bench: Bench) -> None:
        for number in (7, 8, 9):
            bench.open_pull(number, "t")
        pulls = list(bench.forge.pull_requests(REPOSITORY, since=LONG_AGO))
        assert [pull.thread.number for pull in pulls] == [7, 8, 9]
        assert not list(bench.forge.pull_requests(REPOSITORY, since=LONG_AGO, merged=True))
        assert not list(bench.forge.pull_requests(REPOSITORY, since=datetime(2100, 1, 1, tzinfo=UTC)))

    def test_comments_of_many_pages_oldest_first(self, bench: Bench) -> None:
        bench.open_pull(7, "t")
        others = [bench.say(7, "ada", f"c{number}") for number in range(205)]
        made = bench.forge.create_comment(thread_of(bench), "一")
        listed = bench.forge.comments(thread_of(bench))
        assert [one.id for one in listed] == [*others, made.id]
        assert (listed[0].author, listed[-1].author, listed[-1].body) == ("ada", bench.forge.login, "一")

    def test_a_comment_is_edited_in_place_and_deleted(self, bench: Bench) -> None:
        bench.open_pull(7, "t")
        kept, thread = bench.say(7, "ada", "kept"), thread_of(bench)
        made = bench.forge.create_comment(thread, "一")
        assert bench.forge.edit_comment(thread, made.id, "二").id == made.id
        assert [one.body for one in bench.forge.comments(thread)] == ["kept", "二"]
        bench.forge.delete_comment(thread, made.id)
        assert [one.id for one in bench.forge.comments(thread)] == [kept]

    def test_who_may_write(self, bench: Bench) -> None:
        for given in (Permission.READ, Permission.WRITE, Permission.ADMIN):
            bench.allow("ada", given)
            assert bench.forge.permission(REPOSITORY, "ada") is given
        assert not bench.forge.permission(REPOSITORY, "a-stranger").may_write

    def test_labels_come_and_go_by_name(self, bench: Bench) -> None:
        bench.open_pull(7, "t")
        bench.forge.set_labels(thread_of(bench), ("upstream/test", "kept"), ())
        bench.forge.set_labels(thread_of(bench), ("upstream/shim",), ("upstream/test", "never"))
        assert set(bench.forge.pull_request(REPOSITORY, 7).labels) == {"kept", "upstream/shim"}

    def test_a_token_shows_no_check(self, bench: Bench) -> None:
        assert bench.forge.report_check(REPOSITORY, "c" * 40, CheckState.NEUTRAL, "t", "s") is False


class WebContract:
    """Holds for every forge over HTTP, where answers fail and get lost."""

    def test_a_file_that_is_not_shown_makes_the_diff_too_large(self, web: WebBench) -> None:
        web.open_pull(7, "t", DIFF + "diff --git a/b.bin b/b.bin\nBinary files differ\n")
        web.world.pulls[REPOSITORY, 7].changed_files += 1
        with pytest.raises(ForgeError) as caught:
            web.forge.diff(REPOSITORY, 7)
        assert caught.value.fault is ForgeFault.TOO_LARGE

    def test_reads_are_asked_again(self, web: WebBench) -> None:
        web.open_pull(7, "同步上游")
        web.faults.play(Fault.BAD_GATEWAY, Fault.LOST, Fault.LIMITED)
        assert web.forge.pull_request(REPOSITORY, 7).title == "同步上游"

    @pytest.mark.parametrize(
        ("fault", "kind", "wait"),
        [
            (Fault.BAD_GATEWAY, ForgeFault.UNAVAILABLE, None),
            (Fault.LOST, ForgeFault.UNAVAILABLE, None),
            (Fault.LIMITED, ForgeFault.RATE_LIMITED, 0.0),
            (Fault.LIMITED_SILENTLY, ForgeFault.RATE_LIMITED, 60.0),
            (Fault.GARBLED, ForgeFault.UNREADABLE, None),
            (Fault.FORBIDDEN, ForgeFault.FORBIDDEN, None),
        ],
    )
    def test_what_goes_on_failing_is_one_error(
        self, web: WebBench, fault: Fault, kind: ForgeFault, wait: float | None
    ) -> None:
        web.open_pull(7, "t")
        web.faults.play(*[fault] * 4)
        with pytest.raises(ForgeError) as caught:
            web.forge.pull_request(REPOSITORY, 7)
        assert (caught.value.fault, caught.value.retry_after) == (kind, wait)

    @pytest.mark.parametrize("fault", [Fault.LIMITED_LONG, Fault.FORBIDDEN, Fault.GARBLED])
    def test_what_waiting_here_does_not_help_is_told_at_once(self, web: WebBench, fault: Fault) -> None:
        """A second answer of the script is still there: the call was not made again."""
        web.open_pull(7, "t")
        web.faults.play(fault)
        with pytest.raises(ForgeError) as caught:
            web.forge.pull_request(REPOSITORY, 7)
        assert caught.value.retry_after == (3600.0 if fault is Fault.LIMITED_LONG else None)
        assert web.forge.pull_request(REPOSITORY, 7).title == "t"

    @pytest.mark.parametrize(
        ("fault", "done"),
        [(Fault.BAD_GATEWAY, 0), (Fault.LIMITED, 0), (Fault.LIMITED_SILENTLY, 0), (Fault.LOST, 1), (Fault.HELD, 1)],
    )
    def test_a_write_is_sent_once(self, impatient: WebBench, fault: Fault, done: int) -> None:
        impatient.open_pull(7, "t")
        impatient.faults.play(fault)
        with pytest.raises(ForgeError) as caught:
            impatient.forge.create_comment(thread_of(impatient), "x")
        assert caught.value.passing
        assert len(impatient.world.writes) == done
        assert [one.body for one in impatient.forge.comments(thread_of(impatient))] == ["x"] * done

    def test_no_secret_in_errors_and_logs(self, web: WebBench, caplog: pytest.LogCaptureFixture) -> None:
        web.open_pull(7, "t")
        web.faults.play(None, Fault.FORBIDDEN, Fault.BAD_GATEWAY)
        said = ""
        with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, logger="github"):
            web.forge.pull_request(REPOSITORY, 7)
            for _ in range(2):
                with pytest.raises(ForgeError) as caught:
                    web.forge.create_comment(thread_of(web), "x")
                said += f"{caught.value} {caught.value.detail} {caught.value.what}"
        assert "/repos/team/backend/" in said
        assert "pulls/7" in caplog.text
        assert TOKEN not in said + caplog.text
