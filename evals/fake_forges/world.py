"""A world of repositories in memory: pull requests, comments, permissions, labels, and a log of every write.

Contract: safe for threads. What tests and demos set up goes by methods; what a forge's client does goes by the server
of its dialect, and is logged as a ``Write``, so that whoever counts comments posted twice can count.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

#: Where the clock of a world begins; each event is a second later, so that times tell the order.
_BEGINNING = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Write:
    """One change that a client made: ``verb`` and ``path`` as asked, ``target`` what it made or changed."""

    verb: str
    path: str
    target: int = 0


@dataclass(slots=True)
class FakeComment:
    id: int
    thread: tuple[str, int]
    author: str
    body: str
    updated_at: datetime


@dataclass(slots=True)
class FakePull:
    """``diff`` is what the forge shows, ``changed_files`` what it counts."""

    number: int
    title: str
    head_sha: str
    base_sha: str
    updated_at: datetime
    body: str = ""
    state: str = "open"
    merged: bool = False
    draft: bool = False
    author: str = "ada"
    base_ref: str = "master"
    diff: str = ""
    changed_files: int = 0
    labels: set[str] = field(default_factory=set)
    commits: list[tuple[str, str]] = field(default_factory=list)  # sha, message


@dataclass(slots=True)
class FakeCheck:
    """A check run; ``app_id`` is the App that made it."""

    id: int
    repository: str
    head_sha: str
    name: str
    app_id: int
    status: str
    conclusion: str | None = None
    title: str = ""
    summary: str = ""


class World:
    """``bot`` is the login that clients act as; ``installations`` names the App's installation by owner."""

    def __init__(self, bot: str = "reviewbot") -> None:
        self.bot = bot
        self.guard = threading.RLock()
        self.pulls: dict[tuple[str, int], FakePull] = {}
        self.comments: dict[int, FakeComment] = {}
        self.permissions: dict[tuple[str, str], str] = {}
        self.branches: dict[tuple[str, str], str] = {}
        self.patches: dict[tuple[str, str], str] = {}
        self.reactions: list[tuple[int, str]] = []
        self.checks: dict[int, FakeCheck] = {}
        self.installations: dict[str, int] = {}
        self.writes: list[Write] = []
        self._ticks = 0
        self._ids = itertools.count(1000)

    def tick(self) -> datetime:
        with self.guard:
            self._ticks += 1
            return _BEGINNING + timedelta(seconds=self._ticks)

    def new_id(self) -> int:
        """Never given before: a forge does not use the id of something deleted again."""
        with self.guard:
            return next(self._ids)

    def open_pull(self, repository: str, number: int, title: str, diff: str = "", **fields: object) -> FakePull:
        """A pull request that was just opened; ``fields`` are those of ``FakePull``."""
        given: dict[str, object] = {"head_sha": f"{number:040x}", "base_sha": "b" * 40, **fields}
        files = diff.count("\ndiff --git ") + diff.startswith("diff --git ")
        pull = FakePull(number, title, updated_at=self.tick(), diff=diff, changed_files=files, **given)  # type: ignore[arg-type]
        with self.guard:
            self.pulls[repository, number] = pull
        return pull

    def push(self, repository: str, number: int, head_sha: str) -> None:
        with self.guard:
            pull = self.pulls[repository, number]
            pull.head_sha, pull.updated_at = head_sha, self.tick()

    def say(self, repository: str, number: int, author: str, body: str) -> FakeComment:
        """Somebody writes a comment."""
        with self.guard:
            comment = FakeComment(self.new_id(), (repository, number), author, body, self.tick())
            self.comments[comment.id] = comment
            return comment

    def said(self, repository: str, number: int, author: str | None = None) -> list[FakeComment]:
        """The comments of a thread, oldest first, of one author or of all."""
        with self.guard:
            of_thread = [one for one in self.comments.values() if one.thread == (repository, number)]
        return [one for one in of_thread if author in (None, one.author)]

    def wrote(self, verb: str, path: str, target: int = 0) -> None:
        with self.guard:
            self.writes.append(Write(verb, path, target))
