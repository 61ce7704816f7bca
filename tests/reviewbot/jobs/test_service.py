"""The service as one process: signed deliveries in, one comment out, whatever is repeated, lost or killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evals.deliveries import pull_delivery
from evals.fake_forges.faults import Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import FakePull, World
from evals.service_process import ServiceProcess
from reviewbot.forges.models import ForgeKind
from reviewbot.service.models import DeliveryState, ReviewState
from reviewbot.store import open_store
from tests.support.upstream_and_downstream import Pair, pair

REPOSITORY = "team/torch_npu"
SECRET = "secret-of-this-test"
_PATIENCE = 60.0


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair(tmp_path_factory.mktemp("repositories"))


@dataclass(frozen=True)
class Running:
    """A service in a process of its own, and the world that it speaks to."""

    folder: Path
    world: World
    process: ServiceProcess

    def pull(self, identifier: str, number: int = 7, *, pushed: bool = False, secret: str | None = None) -> int:
        """Tells of a pull request as it is now."""
        payload = pull_delivery(ForgeKind.GITHUB, REPOSITORY, self.world.pulls[REPOSITORY, number], pushed=pushed)
        return self.process.deliver(ForgeKind.GITHUB, identifier, "pull_request", payload, secret=secret)

    def say(self, identifier: str, body: str, number: int, author: str = "ada") -> int:
        return self.process.deliver(ForgeKind.GITHUB, identifier, "issue_comment", comment(body, number, author))

    def wait_for_end(self, reviews: int) -> None:
        """So many reviews have posted."""
        with open_store(f"sqlite:///{self.folder / 'store.db'}") as store:
            self.process.wait_for(lambda: store.reviews.counts().get(ReviewState.POSTED, 0) == reviews)

    def comments(self, number: int = 7) -> list[str]:
        return [one.body for one in self.world.said(REPOSITORY, number, self.world.bot)]


@contextmanager
def service(folder: Path, repositories: Pair, faults: Faults | None = None) -> Iterator[Running]:
    world = World()
    world.permissions[REPOSITORY, "ada"] = "write"
    world.open_pull(REPOSITORY, 7, "同步 pytorch/pytorch#123", head_sha="a" * 40, base_sha=repositories.base)
    with serve(GithubDialect(world), faults) as url:
        settings = {
            "CACHE__DIR": str(folder / "cache"),
            "STORE__URL": f"sqlite:///{folder / 'store.db'}",
            "INDEX__JOBS": "1",
            "DOWNSTREAM__PATH": str(repositories.downstream.path),
            "UPSTREAM__CLONE": str(repositories.upstream.path),
            "QUEUE__POLL_SECONDS": "0.1",
            "QUEUE__SWEEP_SECONDS": "0.5",
            "QUEUE__WORKER": "w1",
            "QUEUE__LEASE_SECONDS": "2",
            "REVIEW__DEBOUNCE_SECONDS": "0",
            "SERVICE__SHUTDOWN_SECONDS": "5",
            "GITHUB__API_URL": url,
            "GITHUB__LOGIN": world.bot,
            "GITHUB__TOKEN": "t",
            "GITHUB__WEBHOOK_SECRET": SECRET,
            "GITHUB__WRITES_PER_SECOND": "100",
            "GITHUB__REQUESTS_PER_SECOND": "900",
        }
        with ServiceProcess(folder, settings, SECRET) as process:
            yield Running(folder, world, process)


def comment(body: str, identifier: int, author: str = "ada") -> dict[str, Any]:
    return {
        "action": "created",
        "issue": {"number": 7, "pull_request": {"url": "x"}, "state": "open", "user": {"login": "ada"}},
        "comment": {
            "id": identifier,
            "body": body,
            "user": {"login": author, "type": "User"},
            "updated_at": "2026-03-04T05:06:07Z",
        },
        "repository": {"full_name": REPOSITORY},
        "sender": {"login": author, "type": "User"},
    }


def test_a_delivery_becomes_one_comment_and_a_command_edits_it(tmp_path: Path, repositories: Pair) -> None:
    with service(tmp_path, repositories) as running:
        assert running.pull("d1", secret="wrong") == 401
        for identifier in ("d1", "d1", "d2"):
            assert running.pull(identifier) == 202
        running.wait_for_end(1)
        (body,) = running.comments()
        assert "NPUGear" in body
        assert repositories.base[:12] in body
        said = '/upstream-review correct verdict=Test risk=medium needs_adaptation=否 note="只是改名"'
        assert running.say("d3", said, 5001) == 202
        running.process.wait_for(lambda: "只是改名" in running.comments()[0])
        assert len(running.comments()) == 1
        assert running.say("d4", "/upstream-review pause", 5002, "eve") == 202
        running.process.wait_for(lambda: "eve" in running.comments()[0])
        assert running.process.stop() == 0, running.process.log()
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        (correction,) = store.corrections.listed()
        assert (correction.author, correction.labels.verdict.value) == ("ada", "Test")
        assert store.deliveries.counts() == {DeliveryState.DONE: 3}
    assert "Traceback" not in running.process.log()
    assert SECRET not in running.process.log()


def test_a_push_moves_the_comment_and_an_older_head_is_not_reviewed_again(tmp_path: Path, repositories: Pair) -> None:
    with service(tmp_path, repositories) as running:
        late = pull_delivery(ForgeKind.GITHUB, REPOSITORY, running.world.pulls[REPOSITORY, 7])
        running.pull("d1")
        running.wait_for_end(1)
        running.world.push(REPOSITORY, 7, "e" * 40)
        running.pull("d2", pushed=True)
        running.wait_for_end(2)
        assert "e" * 12 in running.comments()[0]
        running.process.deliver(ForgeKind.GITHUB, "d3", "pull_request", {**late, "action": "reopened"})
        with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
            running.process.wait_for(lambda: store.reviews.counts().get(ReviewState.UNCHANGED, 0) == 1)
        assert len(running.comments()) == 1


def test_nothing_is_lost_or_posted_twice_when_the_process_is_killed(tmp_path: Path, repositories: Pair) -> None:
    faults = Faults(share=0.1, seed=3)
    with service(tmp_path, repositories, faults) as running:
        for number in range(8, 20):
            running.world.open_pull(
                REPOSITORY, number, "同步 pytorch/pytorch#123", head_sha="a" * 40, base_sha=repositories.base
            )
        for number in range(7, 20):
            assert running.pull(f"k{number}", number) == 202
            if number % 4 == 3:
                running.process.kill()
                running.process.start()
        running.wait_for_end(13)
        for number in range(7, 20):
            assert len(running.comments(number)) == 1, number


def test_a_delivery_that_was_stored_and_not_handed_over_is_swept(tmp_path: Path, repositories: Pair) -> None:
    """What a process leaves that dies between the two writes: a row, and nothing in the queue."""
    from datetime import UTC, datetime, timedelta

    from reviewbot.forges.models import ForgeKind
    from reviewbot.service.models import Delivery

    pull = FakePull(7, "t", "a" * 40, "b" * 40, datetime.now(UTC))
    body = json.dumps(pull_delivery(ForgeKind.GITHUB, REPOSITORY, pull)).encode()
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        store.deliveries.receive(
            Delivery(
                key="github:left",
                forge=ForgeKind.GITHUB,
                event="pull_request",
                body=body,
                received_at=datetime.now(UTC) - timedelta(seconds=9),
            )
        )
    with service(tmp_path, repositories) as running:
        running.process.wait_for(lambda: len(running.comments()) == 1)


def test_it_does_not_start_without_a_secret(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "REVIEWBOT_GITHUB__TOKEN": "t"}
    command = [sys.executable, "-m", "reviewbot", "serve", "--port", "0"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "webhook_secret" in done.stderr.decode()


def test_a_review_that_nobody_works_on_any_more_goes_on(tmp_path: Path, repositories: Pair) -> None:
    """Handed over by a process that died before the queue had it, and one that had even begun."""
    from datetime import UTC, datetime, timedelta

    from reviewbot.forges.models import ForgeKind, Thread
    from reviewbot.service.models import Review, Trigger

    early = datetime.now(UTC) - timedelta(minutes=5)
    thread = Thread(forge=ForgeKind.GITHUB, repository=REPOSITORY, number=7)
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        order = Review(id="left", thread=thread, trigger=Trigger.PUSH, ordered_at=early, due_at=early)
        store.reviews.order(order)
        store.reviews.claim_due(early)
        store.reviews.start("left")
    with service(tmp_path, repositories) as running:
        running.wait_for_end(1)
        assert len(running.comments()) == 1
