"""``LocalForge``: pull requests and comments as files, to try everything without an account anywhere.

::

    <dir>/<owner>/<name>/pulls/7/pull.json       title, body, base_ref, base_sha, head_sha … (only the first is needed)
    <dir>/<owner>/<name>/pulls/7/diff.patch      its diff; absent: nothing changed
    <dir>/<owner>/<name>/pulls/7/commits.json    [{"sha": …, "message": …}], oldest first; may be absent
    <dir>/<owner>/<name>/issues/7/issue.json     {"labels": […]}; absent: it bears none
    <dir>/<owner>/<name>/{pulls,issues}/7/comments/1.json    {"author": …, "body": …}
    <dir>/<owner>/<name>/commits/<sha>.patch · branches/<branch>.txt · people.json {"login": "write"}

Contract: files are written whole or not at all, and of comments created at once, by whatever processes, none is lost.
Names come from outside: a repository or branch that would leave the folder is not found. Whoever is not in
``people.json`` may read. A pull request without ``head_sha`` has one made of its diff: another diff is another head.
"""

from __future__ import annotations

import errno
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ValidationError

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
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_UNKNOWN_SHA = "0" * 40
_FOLDERS = {ThreadKind.PULL: "pulls", ThreadKind.ISSUE: "issues"}
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})
_LONGEST_DETAIL = 200


class LocalForge:
    kind = ForgeKind.LOCAL

    def __init__(self, settings: LocalSettings) -> None:
        """``settings.dir`` has to be set."""
        assert settings.dir is not None
        self._dir = settings.dir
        self.login = settings.login

    def pull_request(self, repository: str, number: int) -> PullRequest:
        file = self._inside(repository, "pulls", str(number), "pull.json")
        with self._at(file):
            unsaid = {
                "base_ref": "master",
                "base_sha": _UNKNOWN_SHA,
                "head_sha": hashlib.sha1(self.diff(repository, number), usedforsecurity=False).hexdigest(),
                "updated_at": datetime.fromtimestamp(file.stat().st_mtime, UTC),
            }
            thread = Thread(forge=ForgeKind.LOCAL, repository=repository, number=number)
            return PullRequest.model_validate({**unsaid, **_object(file), "thread": thread})

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        file = self._inside(repository, "pulls", str(number), "commits.json")
        with self._at(file):
            return tuple(map(ForgeCommit.model_validate, json.loads(file.read_bytes()))) if file.exists() else ()

    def diff(self, repository: str, number: int) -> bytes:
        file = self._inside(repository, "pulls", str(number), "diff.patch")
        with self._at(file):
            return file.read_bytes() if file.exists() else b""

    def commit_patch(self, repository: str, sha: str) -> bytes:
        file = self._inside(repository, "commits", f"{sha}.patch")
        with self._at(file):
            return file.read_bytes()

    def branch_head(self, repository: str, branch: str) -> str:
        file = self._inside(repository, "branches", *f"{branch}.txt".split("/"))
        with self._at(file):
            return file.read_text(encoding="ascii").strip()

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        pulls = [self.pull_request(repository, number) for number in self._numbers(repository)]
        wanted = PullState.MERGED if merged else PullState.OPEN
        found = [pull for pull in pulls if pull.state is wanted and pull.updated_at and pull.updated_at >= since]
        yield from sorted(found, key=lambda pull: (pull.updated_at or since, pull.thread.number))

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        folder = self._comments(thread)
        with self._at(folder):
            names = [one.stem for one in folder.glob("*.json")] if folder.is_dir() else []
        return tuple(self._comment(thread, int(name)) for name in sorted(filter(_NUMBER.fullmatch, names), key=int))

    def create_comment(self, thread: Thread, body: str) -> Comment:
        folder = self._comments(thread)
        number = max((one.id for one in self.comments(thread)), default=0)
        with self._at(folder):
            folder.mkdir(exist_ok=True)
            while True:
                number += 1
                comment = Comment(id=number, body=body, author=self.login, updated_at=datetime.now(UTC))
                with self._written(folder, comment) as unfinished:
                    try:
                        (folder / f"{number}.json").hardlink_to(unfinished)
                    except FileExistsError:
                        continue  # somebody took the number just now
                return comment

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment:
        known = self._comment(thread, comment_id)
        edited = known.model_copy(update={"body": body, "updated_at": datetime.now(UTC)})
        self._replace(self._comments(thread) / f"{comment_id}.json", edited)
        return edited

    def delete_comment(self, thread: Thread, comment_id: int) -> None:
        file = self._comments(thread) / f"{comment_id}.json"
        with self._at(file):
            file.unlink()

    def permission(self, repository: str, login: str) -> Permission:
        file = self._inside(repository, "people.json")
        with self._at(file):
            return Permission(_object(file).get(login, Permission.READ) if file.exists() else Permission.READ)

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        file = self._inside(thread.repository, _FOLDERS[thread.kind], str(thread.number), f"{thread.kind.value}.json")
        with self._at(file):
            data = _object(file) if thread.kind is ThreadKind.PULL or file.exists() else {}
            kept = [name for name in data.get("labels") or () if name not in remove]
        self._replace(file, {**data, "labels": list(dict.fromkeys((*kept, *add)))})

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        return False

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        return False

    def close(self) -> None:
        """Nothing is held open."""

    # --- files

    def _numbers(self, repository: str) -> list[int]:
        """Of the pull requests; a folder without ``pull.json`` is none."""
        folder = self._inside(repository, "pulls")
        with self._at(folder):
            return [int(file.parent.name) for file in folder.glob("*/pull.json") if _NUMBER.fullmatch(file.parent.name)]

    def _comments(self, thread: Thread) -> Path:
        return self._inside(thread.repository, _FOLDERS[thread.kind], str(thread.number), "comments")

    def _comment(self, thread: Thread, number: int) -> Comment:
        file = self._comments(thread) / f"{number}.json"
        with self._at(file):
            return Comment.model_validate({**_object(file), "id": number})

    def _inside(self, repository: str, *parts: str) -> Path:
        names = (*repository.split("/"), *parts)
        if not all(_SAFE.fullmatch(name) for name in names):
            raise ForgeError(ForgeFault.NOT_FOUND, "/".join(names))
        return self._dir.joinpath(*names)

    def _replace(self, file: Path, content: object) -> None:
        with self._at(file), self._written(file.parent, content) as unfinished:
            unfinished.replace(file)

    @contextmanager
    def _written(self, folder: Path, content: object) -> Iterator[Path]:
        """``content`` as JSON in a file of its own, which is gone afterwards unless it was renamed."""
        data = content.model_dump(mode="json") if isinstance(content, BaseModel) else content
        try:
            text = json.dumps(data, ensure_ascii=False, indent=2).encode()
        except UnicodeError:  # half a character
            raise ForgeError(ForgeFault.REFUSED, self._name(folder)) from None
        unfinished = folder / f".{uuid4().hex}"
        try:
            unfinished.write_bytes(text)
            yield unfinished
        finally:
            unfinished.unlink(missing_ok=True)

    @contextmanager
    def _at(self, file: Path) -> Iterator[None]:
        """What files and their content can fail with, as the one error of a forge."""
        try:
            yield
        except OSError as error:
            fault = ForgeFault.NOT_FOUND if error.errno in _ABSENT else ForgeFault.UNAVAILABLE
            raise ForgeError(fault, self._name(file), detail=error.strerror or "") from error
        except (ValueError, TypeError) as error:
            raise ForgeError(ForgeFault.UNREADABLE, self._name(file), detail=_why(error)) from error

    def _name(self, file: Path) -> str:
        return file.relative_to(self._dir).as_posix()


def _object(file: Path) -> dict[str, Any]:
    data = json.loads(file.read_bytes())
    if not isinstance(data, dict):
        raise TypeError("not an object")
    return data


def _why(error: Exception) -> str:
    """Names the keys that are wrong, as far as there are keys."""
    if isinstance(error, ValidationError):
        told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    else:
        told = str(error)
    return told[:_LONGEST_DETAIL]
