"""The service as one process: signed deliveries in, one comment out, whatever is repeated, lost or killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evals.fake_forges.faults import Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from reviewbot.events.signatures import sign
from reviewbot.service.models import DeliveryState, ReviewState
from reviewbot.store import open_store
from tests.support.upstream_and_downstream import Pair, pair

REPOSITORY = "team/torch_npu"
SECRET = "secret-of-this-test"
_PATIENCE = 60.0


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair(tmp_path_factory.mktemp("repositories"))


@dataclass
class Running:
    """A service in a process of its own, and the world that it speaks to."""

    folder: Path
    world: World
    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "reviewbot", "serve", "--port", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
        wait_for(self._answers, self.log)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=_PATIENCE)

    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def deliver(self, identifier: str, event: str, payload: dict[str, Any], *, secret: str = SECRET) -> int:
        body = json.dumps(payload).encode()
        headers = {
            "Content-Type": "application/json",
            "X-GitHub-Event": event,
            "X-GitHub-Delivery": identifier,
            "X-Hub-Signature-256": sign(secret, body),
        }
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/webhooks/github", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def wait_for_end(self, reviews: int) -> None:
        """So many reviews have posted."""
        with open_store(f"sqlite:///{self.folder / 'store.db'}") as store:
            wait_for(lambda: store.reviews.counts().get(ReviewState.POSTED, 0) == reviews, self.log)

    def comments(self, number: int = 7) -> list[str]:
        return [one.body for one in self.world.said(REPOSITORY, number, self.world.bot)]


def wait_for(condition: Callable[[], bool], told: Callable[[], str]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not so after {_PATIENCE:g} s:\n{told()[-4000:]}")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return int(chosen.getsockname()[1])


@contextmanager
def service(folder: Path, repositories: Pair, faults: Faults | None = None) -> Iterator[Running]:
    world = World()
    world.permissions[REPOSITORY, "ada"] = "write"
    world.open_pull(REPOSITORY, 7, "同步 pytorch/pytorch#123", head_sha="a" * 40, base_sha=repositories.base)
    with serve(GithubDialect(world), faults) as url:
        (folder / "reviewbot.toml").write_text(
            f'[cache]\ndir = "cache"\n[store]\nurl = "sqlite:///store.db"\n[index]\njobs = 1\n'
            f'[downstream]\npath = "{repositories.downstream.path}"\n'
            f'[upstream]\nclone = "{repositories.upstream.path}"\n'
            f'[queue]\npoll_seconds = 0.1\nsweep_seconds = 0.5\nworker = "w1"\nlease_seconds = 2.0\n'
            f"[review]\ndebounce_seconds = 0.0\n[service]\nshutdown_seconds = 5.0\n"
            f'[github]\napi_url = "{url}"\nlogin = "{world.bot}"\n'
            f"writes_per_second = 100.0\nrequests_per_second = 900.0\n",
            encoding="utf-8",
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REVIEWBOT_")}
        secrets = {"REVIEWBOT_GITHUB__TOKEN": "t", "REVIEWBOT_GITHUB__WEBHOOK_SECRET": SECRET}
        running = Running(folder, world, free_port(), {**kept, **secrets, "HOME": str(folder)})
        running.start()
        try:
            yield running
        finally:
            running.kill()


def pull_request(head: str, action: str = "opened", number: int = 7) -> dict[str, Any]:
    return {
        "action": action,
        "number": number,
        "pull_request": {
            "number": number,
            "title": "t",
            "state": "open",
            "draft": False,
            "merged": False,
            "labels": [],
            "updated_at": "2026-03-04T05:06:07Z",
            "head": {"sha": head, "ref": "topic"},
            "base": {"sha": "b" * 40, "ref": "master"},
            "user": {"login": "ada", "type": "User"},
        },
        "repository": {"full_name": REPOSITORY},
        "sender": {"login": "ada", "type": "User"},
    }


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
        assert running.deliver("d1", "pull_request", pull_request("a" * 40), secret="wrong") == 401
        for identifier in ("d1", "d1", "d2"):
            assert running.deliver(identifier, "pull_request", pull_request("a" * 40)) == 202
        wait_for(lambda: bool(running.comments()), running.log)
        running.wait_for_end(1)
        (body,) = running.comments()
        assert "NPUGear" in body
        assert repositories.base[:12] in body
        said = '/upstream-review correct verdict=Test risk=medium needs_adaptation=否 note="只是改名"'
        assert running.deliver("d3", "issue_comment", comment(said, 5001)) == 202
        wait_for(lambda: "只是改名" in running.comments()[0], running.log)
        assert len(running.comments()) == 1
        assert running.deliver("d4", "issue_comment", comment("/upstream-review pause", 5002, "eve")) == 202
        wait_for(lambda: "eve" in running.comments()[0], running.log)
        assert running.stop() == 0, running.log()
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        (correction,) = store.corrections.listed()
        assert (correction.author, correction.labels.verdict.value) == ("ada", "Test")
        assert store.deliveries.counts() == {DeliveryState.DONE: 3}
    assert "Traceback" not in running.log()
    assert SECRET not in running.log()


def test_a_push_moves_the_comment_and_an_older_head_is_not_reviewed_again(tmp_path: Path, repositories: Pair) -> None:
    with service(tmp_path, repositories) as running:
        running.deliver("d1", "pull_request", pull_request("a" * 40))
        running.wait_for_end(1)
        running.world.push(REPOSITORY, 7, "e" * 40)
        running.deliver("d2", "pull_request", pull_request("e" * 40, "synchronize"))
        running.wait_for_end(2)
        assert "e" * 12 in running.comments()[0]
        running.deliver("d3", "pull_request", pull_request("a" * 40, "reopened"))
        with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
            wait_for(lambda: store.reviews.counts().get(ReviewState.UNCHANGED, 0) == 1, running.log)
        assert len(running.comments()) == 1


def test_nothing_is_lost_or_posted_twice_when_the_process_is_killed(tmp_path: Path, repositories: Pair) -> None:
    faults = Faults(share=0.1, seed=3)
    with service(tmp_path, repositories, faults) as running:
        for number in range(8, 20):
            running.world.open_pull(
                REPOSITORY, number, "同步 pytorch/pytorch#123", head_sha="a" * 40, base_sha=repositories.base
            )
        for number in range(7, 20):
            assert running.deliver(f"k{number}", "pull_request", pull_request("a" * 40, number=number)) == 202
            if number % 4 == 3:
                running.kill()
                running.start()

        def all_said() -> bool:
            return all(running.comments(number) for number in range(7, 20))

        wait_for(all_said, running.log)
        with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
            wait_for(lambda: store.reviews.counts() == {ReviewState.POSTED: 13}, running.log)
        for number in range(7, 20):
            assert len(running.comments(number)) == 1, number


def test_a_delivery_that_was_stored_and_not_handed_over_is_swept(tmp_path: Path, repositories: Pair) -> None:
    """What a process leaves that dies between the two writes: a row, and nothing in the queue."""
    from datetime import UTC, datetime, timedelta

    from reviewbot.forges.models import ForgeKind
    from reviewbot.service.models import Delivery

    body = json.dumps(pull_request("a" * 40)).encode()
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
        wait_for(lambda: len(running.comments()) == 1, running.log)


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
