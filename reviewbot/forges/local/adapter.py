"""``LocalForge``: pull requests and comments as files, to try everything without an account anywhere.

::

    <dir>/<owner>/<name>/pulls/7/pull.json       title, body, base_ref, base_sha, head_sha … (only the first is needed)
    <dir>/<owner>/<name>/pulls/7/diff.patch      its diff; absent: nothing changed
    <dir>/<owner>/<name>/pulls/7/commits.json    [{"sha": …, "message": …}], oldest first; may be absent
    <dir>/<owner>/<name>/{pulls,issues}/7/comments/1.json
    <dir>/<owner>/<name>/commits/<sha>.patch · branches/<branch>.txt · people.json {"login": "write"}

Contract: comments are written whole or not at all (a rename). Names come from outside: a repository or branch that
would leave the folder is not found. Whoever is not in ``people.json`` may read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import (
    CheckState,
    Comment,
    ForgeCommit,
    ForgeKind,
    Permission,
    PullRequest,
    PullState,
    Thread,
    ThreadKind,
)
from reviewbot.settings_service import LocalSettings

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_UNKNOWN_SHA = "0" * 40


class LocalForge:
    kind = ForgeKind.LOCAL

    def __init__(self, settings: LocalSettings) -> None:
        """``settings.dir`` has to be set."""
        assert settings.dir is not None
        self._dir = settings.dir
        self.login = settings.login

    def pull_request(self, repository: str, number: int) -> PullRequest:
        file = self._inside(repository, "pulls", str(number)) / "pull.json"
        return self._pull(repository, number, self._json(file), datetime.fromtimestamp(file.stat().st_mtime, UTC))

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        file = self._inside(repository, "pulls", str(number)) / "commits.json"
        if not file.exists():
            return ()
        try:
            return tuple(ForgeCommit.model_validate(row) for row in self._json(file))
        except (ValidationError, TypeError) as error:
            raise self._unreadable(file) from error

    def diff(self, repository: str, number: int) -> bytes:
        file = self._inside(repository, "pulls", str(number)) / "diff.patch"
        return self._read(file) if file.exists() else b""

    def commit_patch(self, repository: str, sha: str) -> bytes:
        return self._read(self._inside(repository, "commits", f"{sha}.patch"))

    def branch_head(self, repository: str, branch: str) -> str:
        return self._read(self._inside(repository, "branches", *f"{branch}.txt".split("/"))).decode().strip()

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        folder = self._inside(repository, "pulls")
        numbers = [int(one.name) for one in folder.iterdir() if one.name.isdigit()] if folder.is_dir() else []
        pulls = [self.pull_request(repository, number) for number in numbers]
        wanted = PullState.MERGED if merged else PullState.OPEN
        found = [pull for pull in pulls if pull.state is wanted and pull.updated_at and pull.updated_at >= since]
        yield from sorted(found, key=lambda pull: (pull.updated_at or since, pull.thread.number))

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        folder = self._comments(thread)
        names = [one.stem for one in folder.glob("*.json") if one.stem.isdigit()] if folder.is_dir() else []
        return tuple(self._comment(folder / f"{number}.json") for number in sorted(map(int, names)))

    def create_comment(self, thread: Thread, body: str) -> Comment:
        folder = self._comments(thread)
        if not folder.parent.is_dir():
            raise ForgeError(ForgeFault.NOT_FOUND, f"POST {thread.key}")
        folder.mkdir(exist_ok=True)
        number = max((one.id for one in self.comments(thread)), default=0) + 1
        return self._written(thread, Comment(id=number, body=body, author=self.login, updated_at=datetime.now(UTC)))

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment:
        known = self._comment(self._comments(thread) / f"{comment_id}.json")
        return self._written(thread, known.model_copy(update={"body": body, "updated_at": datetime.now(UTC)}))

    def delete_comment(self, thread: Thread, comment_id: int) -> None:
        file = self._comments(thread) / f"{comment_id}.json"
        if not file.exists():
            raise ForgeError(ForgeFault.NOT_FOUND, f"DELETE {thread.key} {comment_id}")
        file.unlink()

    def permission(self, repository: str, login: str) -> Permission:
        file = self._inside(repository) / "people.json"
        given = self._json(file).get(login) if file.exists() else None
        return Permission(given) if given in set(Permission) else Permission.READ

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        file = self._inside(thread.repository, "pulls", str(thread.number)) / "pull.json"
        data = self._json(file)
        kept = [name for name in data.get("labels", ()) if name not in remove]
        data["labels"] = list(dict.fromkeys((*kept, *add)))
        _replace(file, json.dumps(data, ensure_ascii=False, indent=2))

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        return False

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        return False

    def close(self) -> None:
        """Nothing is held open."""

    # --- files

    def _pull(self, repository: str, number: int, data: Any, updated_at: datetime) -> PullRequest:
        thread = Thread(forge=ForgeKind.LOCAL, repository=repository, number=number)
        unknown = {"base_ref": "master", "base_sha": _UNKNOWN_SHA, "head_sha": _UNKNOWN_SHA, "updated_at": updated_at}
        try:
            return PullRequest.model_validate({**unknown, **data, "thread": thread})
        except (ValidationError, TypeError) as error:
            raise self._unreadable(self._inside(repository, "pulls", str(number)) / "pull.json") from error

    def _comments(self, thread: Thread) -> Path:
        kind = "pulls" if thread.kind is ThreadKind.PULL else "issues"
        return self._inside(thread.repository, kind, str(thread.number), "comments")

    def _comment(self, file: Path) -> Comment:
        try:
            return Comment.model_validate(self._json(file))
        except ValidationError as error:
            raise self._unreadable(file) from error

    def _written(self, thread: Thread, comment: Comment) -> Comment:
        _replace(self._comments(thread) / f"{comment.id}.json", comment.model_dump_json(indent=2))
        return comment

    def _inside(self, repository: str, *parts: str) -> Path:
        names = (*repository.split("/"), *parts)
        if not all(_SAFE.fullmatch(name) for name in names):
            raise ForgeError(ForgeFault.NOT_FOUND, "/".join(names))
        return self._dir.joinpath(*names)

    def _json(self, file: Path) -> Any:
        try:
            return json.loads(self._read(file))
        except ValueError as error:
            raise self._unreadable(file) from error

    def _read(self, file: Path) -> bytes:
        try:
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise ForgeError(ForgeFault.NOT_FOUND, str(file.relative_to(self._dir))) from None
        except OSError as error:
            raise ForgeError(ForgeFault.UNAVAILABLE, str(file.relative_to(self._dir)), detail=str(error)) from error

    def _unreadable(self, file: Path) -> ForgeError:
        return ForgeError(ForgeFault.UNREADABLE, str(file.relative_to(self._dir)))


def _replace(file: Path, text: str) -> None:
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)
