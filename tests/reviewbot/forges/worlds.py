"""One bench for each forge: an adapter, and a world to set up behind it that the adapter knows nothing of.

A further forge adds a bench here and its kind to ``BENCHES``; `contract` then holds for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from evals.fake_forges.atomgit import AtomgitDialect
from evals.fake_forges.faults import Faults
from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import Dialect, serve
from evals.fake_forges.world import World
from reviewbot.forges.atomgit import AtomgitForge
from reviewbot.forges.github import GithubForge
from reviewbot.forges.local import LocalForge
from reviewbot.forges.models import ForgeKind, Permission
from reviewbot.forges.pacing import Bucket
from reviewbot.forges.protocol import Forge
from reviewbot.settings_service import AtomgitSettings, GithubSettings, LocalSettings

REPOSITORY = "team/backend"
TOKEN = "token_of_a_test." + "e" * 60
_ROLES = {"atomgit": {Permission.ADMIN: "owner", Permission.WRITE: "maintainer", Permission.READ: "reporter"}}
#: Nobody waits in tests; the buckets have tests of their own.
_NO_LIMIT = 1_000_000.0


class Bench(Protocol):
    @property
    def forge(self) -> Forge: ...

    def open_pull(self, number: int, title: str, diff: str = "", commits: Sequence[tuple[str, str]] = ()) -> None: ...

    def say(self, number: int, author: str, body: str) -> int:
        """Somebody's comment on a pull request; its id."""

    def allow(self, login: str, permission: Permission) -> None: ...

    def point(self, branch: str, sha: str) -> None: ...


class WebBench:
    """Over HTTP: ``world`` is what the server tells of, ``faults`` what its next calls meet."""

    def __init__(self, forge: Forge, world: World, faults: Faults) -> None:
        self.forge = forge
        self.world = world
        self.faults = faults

    def open_pull(self, number: int, title: str, diff: str = "", commits: Sequence[tuple[str, str]] = ()) -> None:
        self.world.open_pull(REPOSITORY, number, title, diff, commits=list(commits))

    def say(self, number: int, author: str, body: str) -> int:
        return self.world.say(REPOSITORY, number, author, body).id

    def allow(self, login: str, permission: Permission) -> None:
        words = _ROLES.get(self.forge.kind.value, {})
        self.world.permissions[REPOSITORY, login] = words.get(permission, permission.value)

    def point(self, branch: str, sha: str) -> None:
        self.world.branches[REPOSITORY, branch] = sha


class FolderBench:
    def __init__(self, folder: Path) -> None:
        self.forge: Forge = LocalForge(LocalSettings(dir=folder))
        self._root = folder / REPOSITORY
        self._people: dict[str, str] = {}

    def open_pull(self, number: int, title: str, diff: str = "", commits: Sequence[tuple[str, str]] = ()) -> None:
        folder = self._root / "pulls" / str(number)
        rows = [{"sha": sha, "message": message} for sha, message in commits]
        _write(folder / "pull.json", json.dumps({"title": title}))
        _write(folder / "commits.json", json.dumps(rows))
        _write(folder / "diff.patch", diff)

    def say(self, number: int, author: str, body: str) -> int:
        folder = self._root / "pulls" / str(number) / "comments"
        comment_id = len(list(folder.glob("*.json"))) + 1
        _write(folder / f"{comment_id}.json", json.dumps({"id": comment_id, "author": author, "body": body}))
        return comment_id

    def allow(self, login: str, permission: Permission) -> None:
        self._people[login] = permission.value
        _write(self._root / "people.json", json.dumps(self._people))

    def point(self, branch: str, sha: str) -> None:
        _write(self._root / "branches" / f"{branch}.txt", sha)


@contextmanager
def web_bench(kind: ForgeKind, timeout: float = 5.0) -> Iterator[WebBench]:
    world, faults = World(), Faults()
    dialect: Dialect = GithubDialect(world) if kind is ForgeKind.GITHUB else AtomgitDialect(world, token=TOKEN)
    with serve(dialect, faults) as url:
        forge = _forge(kind, url, timeout)
        try:
            yield WebBench(forge, world, faults)
        finally:
            forge.close()


def _forge(kind: ForgeKind, url: str, timeout: float) -> Forge:
    given = {"api_url": url, "token": TOKEN, "timeout_seconds": timeout}
    bucket = Bucket(_NO_LIMIT)
    if kind is ForgeKind.GITHUB:
        return GithubForge(GithubSettings.model_validate(given), writes=bucket, requests=bucket, pause=0.0)
    return AtomgitForge(AtomgitSettings.model_validate(given), bucket=bucket, pause=0.0)


@contextmanager
def folder_bench(folder: Path) -> Iterator[FolderBench]:
    yield FolderBench(folder)


WEB = (ForgeKind.GITHUB, ForgeKind.ATOMGIT)
BENCHES: dict[ForgeKind, Callable[[Path], AbstractContextManager[Bench]]] = {
    ForgeKind.GITHUB: lambda _: web_bench(ForgeKind.GITHUB),
    ForgeKind.ATOMGIT: lambda _: web_bench(ForgeKind.ATOMGIT),
    ForgeKind.LOCAL: folder_bench,
}


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
