"""``python -m evals.soak``: deliveries of two forges while the service is killed and the forges fail.

Deliveries come repeated, under new ids, out of order and late. The service is killed with SIGKILL every few seconds and
started again; the fake forges answer a share of all calls with 502, 429 or not at all after the write took effect. A
delivery that is not acknowledged is sent again, as an operator would. At the end every pull request must bear exactly
one comment, about its newest head, and no comment may ever have been posted twice.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from evals import miniature, words
from evals.deliveries import EVENTS, pull_delivery
from evals.fake_forges.atomgit import AtomgitDialect
from evals.fake_forges.faults import Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from evals.running import run
from evals.service_process import ServiceProcess
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.forges.models import ForgeKind

_REPOSITORY = "Ascend/pytorch"
_UPSTREAM = "pytorch/pytorch"
_SECRET = "soak"
_FAILED = 11

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass
class Soak:
    """One run. ``old`` keeps payloads that may come again, late."""

    worlds: dict[ForgeKind, World]
    service: ServiceProcess
    rng: Random
    sent: int = 0
    again: int = 0
    kills: int = 0
    old: list[tuple[ForgeKind, dict[str, Any]]] = field(default_factory=list)

    def deliver_next(self, pulls: int) -> None:
        """A push, an opening, something old under a new id, or the last thing twice."""
        forge = self.rng.choice(list(self.worlds))
        if self.old and self.rng.random() < 0.3:
            forge, payload = self.rng.choice(self.old)
        else:
            number = self.rng.randrange(1, pulls + 1)
            payload = self._news(forge, number)
            self.old.append((forge, payload))
        self._send(forge, payload)

    def _news(self, forge: ForgeKind, number: int) -> dict[str, Any]:
        world = self.worlds[forge]
        known = (_REPOSITORY, number) in world.pulls
        if known:
            world.push(_REPOSITORY, number, f"{self.rng.getrandbits(160):040x}")
        else:
            title = words.demo_pull(f"{_UPSTREAM}#{self.rng.choice(_CHANGES).number}")
            world.open_pull(_REPOSITORY, number, title, head_sha=f"{self.rng.getrandbits(160):040x}")
        return pull_delivery(forge, _REPOSITORY, world.pulls[_REPOSITORY, number], pushed=known)

    def _send(self, forge: ForgeKind, payload: dict[str, Any]) -> None:
        identifier = f"s{self.sent}"
        times = 2 if self.rng.random() < 0.1 else 1
        for _ in range(times):
            while self.service.deliver(forge, identifier, EVENTS[forge], payload) != 202:
                self.again += 1
                time.sleep(0.05)
            self.sent += 1

    def kill(self) -> None:
        self.service.kill()
        self.service.start()
        self.kills += 1

    def verdicts(self) -> tuple[int, int, int]:
        """Pull requests with the one right comment, without it, and comments ever posted beyond the first."""
        right = wrong = twice = 0
        for world in self.worlds.values():
            for (repository, number), pull in list(world.pulls.items()):
                if repository != _REPOSITORY:
                    continue
                said = world.said(repository, number, world.bot)
                good = len(said) == 1 and pull.head_sha[:12] in said[0].body
                right, wrong = right + good, wrong + (not good)
            created: dict[str, int] = {}
            for write in world.writes:
                if write.verb == "POST" and write.path.endswith("/comments"):
                    created[write.path] = created.get(write.path, 0) + 1
            twice += sum(count - 1 for count in created.values())
        return right, wrong, twice


_CHANGES = (miniature.SIGNATURE, miniature.PATCHED_METHOD, miniature.UNCOUPLED)


@app.command(cls=ChineseCommand, help=words.SOAK_HELP)
def main(
    deliveries: Annotated[int, typer.Option("--deliveries", help=words.SOAK_DELIVERIES)] = 1000,
    pulls: Annotated[int, typer.Option("--pulls", help=words.SOAK_PULLS)] = 40,
    kill_every: Annotated[float, typer.Option("--kill-every", help=words.SOAK_KILL)] = 6.0,
    share: Annotated[float, typer.Option("--faults", help=words.SOAK_FAULTS)] = 0.05,
    seed: Annotated[int, typer.Option("--seed", help=words.SOAK_SEED)] = 0,
) -> int:
    output, began = Output(), time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reviewbot-soak-")))
        soak = _open(stack, folder, Random(seed), share, seed)
        killed = time.monotonic()
        with progress_bar(output, words.SOAKING) as report:
            while soak.sent < deliveries:
                soak.deliver_next(pulls)
                report(min(soak.sent, deliveries), deliveries)
                if time.monotonic() - killed > kill_every:
                    soak.kill()
                    killed = time.monotonic()
        soak.service.wait_for(lambda: soak.verdicts()[1] == 0, patience=240.0)
        right, wrong, twice = soak.verdicts()
    seconds = time.monotonic() - began
    output.line(words.soak_done(soak.sent, soak.again, soak.kills, seconds))
    output.line(words.soak_verdict(right, wrong, twice), style="green" if not wrong and not twice else "red")
    return 0 if not wrong and not twice else _FAILED


def _open(stack: ExitStack, folder: Path, rng: Random, share: float, seed: int) -> Soak:
    worlds = {kind: World() for kind in EVENTS}
    for change in _CHANGES:
        worlds[ForgeKind.GITHUB].open_pull(
            _UPSTREAM, change.number, change.title, change.patch().decode(), state="closed", labels={"Merged"}
        )
    _, downstream = miniature.write_trees(folder)
    github = stack.enter_context(serve(GithubDialect(worlds[ForgeKind.GITHUB]), Faults(share, seed)))
    atomgit = stack.enter_context(serve(AtomgitDialect(worlds[ForgeKind.ATOMGIT]), Faults(share, seed + 1)))
    settings = {
        "CACHE__DIR": str(folder / "cache"),
        "STORE__URL": f"sqlite:///{folder / 'soak.db'}",
        "DOWNSTREAM__PATH": str(downstream),
        "INDEX__JOBS": "1",
        "QUEUE__POLL_SECONDS": "0.1",
        "QUEUE__SWEEP_SECONDS": "1",
        "QUEUE__LEASE_SECONDS": "3",
        "QUEUE__REVIEWS_AT_ONCE": "4",
        "QUEUE__WORKER": "soak",
        "REVIEW__DEBOUNCE_SECONDS": "0.2",
        "SERVICE__SHUTDOWN_SECONDS": "2",
        "SERVICE__LOG_LEVEL": "error",
        "GITHUB__API_URL": github,
        "GITHUB__TOKEN": "t",
        "GITHUB__LOGIN": worlds[ForgeKind.GITHUB].bot,
        "GITHUB__WEBHOOK_SECRET": _SECRET,
        "GITHUB__WRITES_PER_SECOND": "500",
        "GITHUB__REQUESTS_PER_SECOND": "900",
        "GITHUB__TIMEOUT_SECONDS": "2",
        "ATOMGIT__API_URL": atomgit,
        "ATOMGIT__TOKEN": "t",
        "ATOMGIT__LOGIN": worlds[ForgeKind.ATOMGIT].bot,
        "ATOMGIT__WEBHOOK_SECRET": _SECRET,
        "ATOMGIT__REQUESTS_PER_MINUTE": "60000",
        "ATOMGIT__TIMEOUT_SECONDS": "2",
    }
    return Soak(worlds, stack.enter_context(ServiceProcess(folder, settings, _SECRET)), rng)


if __name__ == "__main__":
    run(app, "evals.soak")
