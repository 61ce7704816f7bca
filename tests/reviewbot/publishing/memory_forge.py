"""A forge and a store of comments in memory, with writes whose answers get lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import (
    CheckState,
    Comment,
    ForgeCommit,
    ForgeKind,
    Permission,
    PullRequest,
    Thread,
)
from reviewbot.service.models import PostedComment


class MemoryForge:
    """``faults`` are what the next writes meet; with ``effective`` an ``UNAVAILABLE`` write has taken effect."""

    kind = ForgeKind.GITHUB
    login = "reviewbot"

    def __init__(self, *bodies: tuple[str, str]) -> None:
        self.written = [Comment(id=n, body=body, author=author) for n, (author, body) in enumerate(bodies, 1)]
        self.calls: list[str] = []
        self.faults: list[ForgeFault] = []
        self.effective = True
        self.labelled: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self.checks: list[tuple[CheckState, str, str]] = []
        self.permissions: dict[str, Permission] = {}
        self.acknowledged: list[int] = []

    def _write(self, call: str) -> ForgeError | None:
        self.calls.append(call)
        return ForgeError(self.faults.pop(0), call) if self.faults else None

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        return tuple(self.written)

    def create_comment(self, thread: Thread, body: str) -> Comment:
        error = self._write("create")
        comment = Comment(id=len(self.written) + 100, body=body, author=self.login)
        if error is None or (error.fault is ForgeFault.UNAVAILABLE and self.effective):
            self.written.append(comment)
        if error is not None:
            raise error
        return comment

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment:
        error = self._write(f"edit {comment_id}")
        comment = Comment(id=comment_id, body=body, author=self.login)
        if error is None or (error.fault is ForgeFault.UNAVAILABLE and self.effective):
            self.written = [comment if one.id == comment_id else one for one in self.written]
        if error is not None:
            raise error
        return comment

    def delete_comment(self, thread: Thread, comment_id: int) -> None:
        error = self._write(f"delete {comment_id}")
        if error is not None:
            raise error
        self.written = [one for one in self.written if one.id != comment_id]

    def permission(self, repository: str, login: str) -> Permission:
        self.calls.append(f"permission {login}")
        return self.permissions.get(login, Permission.NONE)

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        self.labelled.append((add, remove))

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        self.acknowledged.append(comment_id)
        return True

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        self.checks.append((state, title, summary))
        return True

    def pull_request(self, repository: str, number: int) -> PullRequest:
        raise NotImplementedError

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        raise NotImplementedError

    def diff(self, repository: str, number: int) -> bytes:
        raise NotImplementedError

    def commit_patch(self, repository: str, sha: str) -> bytes:
        raise NotImplementedError

    def branch_head(self, repository: str, branch: str) -> str:
        raise NotImplementedError

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        raise NotImplementedError

    def close(self) -> None: ...


class MemoryComments:
    def __init__(self) -> None:
        self.owner = ""
        self.recorded: list[PostedComment] = []

    def lease(self, thread: Thread, subject: str, owner: str, now: datetime, seconds: float) -> bool:
        if self.owner not in {"", owner}:
            return False
        self.owner = owner
        return True

    def release(self, thread: Thread, subject: str, owner: str) -> None:
        if self.owner == owner:
            self.owner = ""

    def record(self, posted: PostedComment) -> None:
        self.recorded.append(posted)
