"""The last act of the demo: the service in a process of its own, one signed delivery, and the comment that comes back.

Nothing leaves the machine: the forge is a fake that speaks GitHub's dialect, the database a file that goes at the end.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evals import words
from evals.deliveries import EVENTS, pull_delivery
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from evals.service_process import ServiceProcess
from reviewbot.cli.output import Output
from reviewbot.forges.models import ForgeKind

_REPOSITORY, _NUMBER = "Ascend/pytorch", 1
_UPSTREAM = "pytorch/pytorch"
_SECRET = "demo"


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
    with (
        tempfile.TemporaryDirectory(prefix="reviewbot-demo-") as name,
        serve(GithubDialect(world)) as forge,
        ServiceProcess(Path(name), _settings(forge, shown, Path(name)), _SECRET) as service,
    ):
        payload = pull_delivery(ForgeKind.GITHUB, _REPOSITORY, world.pulls[_REPOSITORY, _NUMBER])
        service.deliver(ForgeKind.GITHUB, "demo-1", EVENTS[ForgeKind.GITHUB], payload)
        service.wait_for(lambda: bool(world.said(_REPOSITORY, _NUMBER, world.bot)))
    (comment,) = world.said(_REPOSITORY, _NUMBER, world.bot)
    output.line()
    output.line(words.DEMO_SERVICE, style="bold cyan")
    output.line(comment.body.partition("<details>")[0].strip(), style="")
    output.line(words.demo_service_took(time.perf_counter() - began), style="dim")


def _settings(forge: str, shown: Showcase, folder: Path) -> Mapping[str, str]:
    return {
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
