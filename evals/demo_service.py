"""The last act of the demo: the service in a process of its own, one signed delivery, and the comment that comes back.

Nothing leaves the machine: the forge is a fake that speaks GitHub's dialect, the database a file that goes at the end.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals import words
from evals.errors import EvalsError
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from reviewbot.cli.output import Output
from reviewbot.events.signatures import sign

_REPOSITORY, _NUMBER = "Ascend/pytorch", 1
_UPSTREAM = "pytorch/pytorch"
_SECRET = "demo"
_PATIENCE = 180.0


@dataclass(frozen=True, slots=True)
class Showcase:
    """An upstream change that a pull request of torch_npu names, and the tree that feels it."""

    downstream: Path
    cache: Path
    number: int
    title: str
    diff: bytes


def show_service(output: Output, shown: Showcase) -> None:
    """Raises ``EvalsError`` when the service does not answer, with the end of its log."""
    world = World()
    diff = shown.diff.decode("utf-8", "replace")
    world.open_pull(_UPSTREAM, shown.number, shown.title, diff, state="closed", labels={"Merged"})
    world.open_pull(_REPOSITORY, _NUMBER, words.demo_pull(f"{_UPSTREAM}#{shown.number}"))
    began = time.perf_counter()
    with serve(GithubDialect(world)) as forge, _running(forge, shown) as (address, log):
        _deliver(f"{address}/webhooks/github", world)
        _wait_for(lambda: bool(world.said(_REPOSITORY, _NUMBER, world.bot)), log)
    (comment,) = world.said(_REPOSITORY, _NUMBER, world.bot)
    output.line()
    output.line(words.DEMO_SERVICE, style="bold cyan")
    output.line(comment.body.partition("<details>")[0].strip(), style="")
    output.line(words.demo_service_took(time.perf_counter() - began), style="dim")


@contextmanager
def _running(forge: str, shown: Showcase) -> Iterator[tuple[str, Path]]:
    """The address of a running service and its log."""
    with tempfile.TemporaryDirectory(prefix="reviewbot-demo-service-") as folder, socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = int(chosen.getsockname()[1])
        chosen.close()
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "reviewbot", "serve", "--port", str(port), "--writer", "template"]
        with log.open("wb") as told:
            process = subprocess.Popen(
                command, cwd=folder, env=_environment(forge, shown, Path(folder)), stdout=told, stderr=told
            )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(lambda: _answers(f"{address}/healthz"), log)
            yield address, log
        finally:
            process.terminate()
            process.wait(timeout=30)


def _environment(forge: str, shown: Showcase, folder: Path) -> Mapping[str, str]:
    given = {
        "CACHE__DIR": str(shown.cache),
        "STORE__URL": f"sqlite:///{folder / 'demo.db'}",
        "DOWNSTREAM__PATH": str(shown.downstream),
        "GITHUB__API_URL": forge,
        "GITHUB__TOKEN": "demo",
        "GITHUB__LOGIN": World().bot,
        "GITHUB__WEBHOOK_SECRET": _SECRET,
        "QUEUE__POLL_SECONDS": "0.1",
        "QUEUE__WORKER": "demo",
        "REVIEW__DEBOUNCE_SECONDS": "0",
        "SERVICE__SHUTDOWN_SECONDS": "5",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REVIEWBOT_")}
    return {**kept, **{f"REVIEWBOT_{name}": value for name, value in given.items()}}


def _deliver(url: str, world: World) -> None:
    pull = world.pulls[_REPOSITORY, _NUMBER]
    payload = {
        "action": "opened",
        "number": _NUMBER,
        "pull_request": {
            "number": _NUMBER,
            "title": pull.title,
            "state": "open",
            "draft": False,
            "merged": False,
            "labels": [],
            "updated_at": pull.updated_at.isoformat(),
            "head": {"sha": pull.head_sha, "ref": "sync"},
            "base": {"sha": pull.base_sha, "ref": pull.base_ref},
            "user": {"login": pull.author, "type": "User"},
        },
        "repository": {"full_name": _REPOSITORY},
        "sender": {"login": pull.author, "type": "User"},
    }
    body = json.dumps(payload).encode()
    headers = {
        "Content-Type": "application/json",
        "X-GitHub-Event": "pull_request",
        "X-GitHub-Delivery": "demo-1",
        "X-Hub-Signature-256": sign(_SECRET, body),
    }
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=10):
        pass


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except OSError:
        return False


def _wait_for(condition: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise EvalsError(words.demo_service_silent(log.read_text(encoding="utf-8", errors="replace")[-2000:]))
        time.sleep(0.05)
