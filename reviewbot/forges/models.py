"""Values of a forge, the same for all of them: thread, pull request, commit, comment, permission.

Ids, booleans and times of the forges differ; adapters make these values of them, and nothing behind an adapter knows
which forge it speaks to. Text in here came from outside: it is data, never printed unscrubbed.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Self

from pydantic import AwareDatetime, Field

from retrieval.models import Frozen


class ForgeKind(StrEnum):
    GITHUB = "github"
    ATOMGIT = "atomgit"  # AtomGit and GitCode: one backend, two names
    LOCAL = "local"  # a folder: for trying out and for tests


class ThreadKind(StrEnum):
    PULL = "pull"
    ISSUE = "issue"  # numbers of issues and pull requests are separate spaces on AtomGit


#: As forges allow them; none begins with a dot, so that none leads out of a folder or an address.
_NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
_THREAD = re.compile(r"(?P<forge>\w+):(?P<repository>[^#\s]+)#(?P<kind>pull|issue)/(?P<number>\d+)")


class Thread(Frozen):
    """Where comments go: one pull request or issue. ``repository`` is ``owner/name``."""

    forge: ForgeKind
    repository: str = Field(pattern=rf"^{_NAME}(/{_NAME})+$")
    kind: ThreadKind = ThreadKind.PULL
    number: int = Field(gt=0)

    @property
    def key(self) -> str:
        """``github:owner/name#pull/12``: what the database and queues call it."""
        return f"{self.forge.value}:{self.repository}#{self.kind.value}/{self.number}"

    @classmethod
    def parse(cls, key: str) -> Self:
        """The thread of a ``key``. Raises ``ValueError``."""
        match = _THREAD.fullmatch(key)
        if match is None:
            raise ValueError(f"not a thread: {key!r}")
        return cls.model_validate({**match.groupdict(), "number": int(match["number"])})


class PullState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class PullRequest(Frozen):
    """A pull request as it is now. ``head_sha`` and ``base_sha`` are full hashes; ``clone_url`` is the target's.

    ``changed_files`` and ``added``/``removed`` are what the forge counts, None where it does not tell.
    """

    thread: Thread
    title: str
    body: str = ""
    state: PullState = PullState.OPEN
    draft: bool = False
    labels: tuple[str, ...] = ()
    author: str = ""
    base_ref: str
    base_sha: str
    head_ref: str = ""
    head_sha: str
    url: str = ""
    clone_url: str = ""
    merge_sha: str | None = None
    updated_at: AwareDatetime | None = None
    changed_files: int | None = None
    added: int | None = None
    removed: int | None = None


class ForgeCommit(Frozen):
    """One commit of a pull request, oldest first in a list. ``message`` is whole: subject, body, trailers."""

    sha: str
    message: str
    parents: tuple[str, ...] = ()


class Comment(Frozen):
    """A comment of a thread. ``id`` is what edits it (AtomGit: ``note_id``); ``author`` is a login."""

    id: int
    body: str
    author: str
    url: str = ""
    updated_at: AwareDatetime | None = None


class Permission(StrEnum):
    """What a login may do in a repository, least first; the adapters map the forges' words and levels."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    @property
    def may_write(self) -> bool:
        return self in {Permission.WRITE, Permission.ADMIN}


class CheckState(StrEnum):
    """How a run stands, where the forge shows such (GitHub's check runs)."""

    RUNNING = "running"
    NEUTRAL = "neutral"  # ended, and nobody's merge is held up: reviewbot never fails a check
    FAILED = "failed"  # reviewbot itself failed
