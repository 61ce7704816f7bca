"""``AtomgitForge``: the protocol of `reviewbot.forges.protocol` over AtomGit's API v5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from reviewbot.forges.atomgit.client import Client
from reviewbot.forges.atomgit.diffs import diff_of, may_be_cut
from reviewbot.forges.atomgit.values import (
    SHAPE_ERRORS,
    Json,
    comment_id,
    comments_of,
    commit_of,
    login_of,
    permission_of,
    pull_of,
    rows_of,
)
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
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import AtomgitSettings

_PAGE = 100
_T = TypeVar("_T")


class AtomgitForge:
    """Safe for one thread at a time; close it, the client keeps connections."""

    kind = ForgeKind.ATOMGIT

    def __init__(self, settings: AtomgitSettings, *, bucket: Bucket | None = None, pause: float = 1.0) -> None:
        """``bucket`` may be shared by all forges of a process; ``pause`` is the first wait between retries."""
        self._settings = settings
        self._client = Client(settings, bucket, pause=pause)
        self._login = settings.login

    @property
    def login(self) -> str:
        if self._login is None:
            with _read("GET /user"):
                login = login_of({"user": self._client.read("/user")})
            if not login:
                raise ForgeError(ForgeFault.UNREADABLE, "GET /user")
            self._login = login
        return self._login

    def pull_request(self, repository: str, number: int) -> PullRequest:
        path = f"/repos/{repository}/pulls/{number}"
        data = self._client.read(path)
        with _read(f"GET {path}"):
            return pull_of(data, repository)

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        """The API lists them newest first."""
        path = f"/repos/{repository}/pulls/{number}/commits"
        return tuple(reversed(list(self._pages(path, commit_of))))

    def diff(self, repository: str, number: int) -> bytes:
        """Put together of the files' parts; where any is missing, git has to tell."""
        path = f"/repos/{repository}/pulls/{number}/files"
        data = self._client.read(path)
        with _read(f"GET {path}"):
            files = rows_of(data)
            diff = diff_of(files)
        if diff is None or (may_be_cut(len(files)) and not self._counts(path, len(files))):
            raise ForgeError(ForgeFault.TOO_LARGE, f"GET {path}")
        return diff.encode("utf-8", "surrogatepass")

    def commit_patch(self, repository: str, sha: str) -> bytes:
        """Nothing that answers in text is documented well enough to trust: git has the commit."""
        raise ForgeError(ForgeFault.TOO_LARGE, f"GET /repos/{repository}/commit/{sha}/patch")

    def branch_head(self, repository: str, branch: str) -> str:
        path = f"/repos/{repository}/branches/{quote(branch, safe='')}"
        data = self._client.read(path)
        with _read(f"GET {path}"):
            commit = data["commit"]
            return str(commit.get("sha") or commit["id"])

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        path = f"/repos/{repository}/pulls"
        order = {"state": "merged" if merged else "open", "sort": "updated", "direction": "desc"}
        found: list[PullRequest] = []
        for pull in self._pages(path, lambda data: pull_of(data, repository), order):
            if pull.updated_at is not None and pull.updated_at < since:
                break
            if pull.state is (PullState.MERGED if merged else PullState.OPEN):
                found.append(pull)
        yield from reversed(found)

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        """With replies, which sit inside the comments that they answer."""
        listed = self._pages(self._comments(thread), comments_of)
        known = {one.id: one for comments in listed for one in comments}
        return tuple(sorted(known.values(), key=lambda one: one.id))

    def create_comment(self, thread: Thread, body: str) -> Comment:
        """The answer may name the discussion only, or nothing; then the comment is found by what it says."""
        path = self._comments(thread)
        data = self._client.write("POST", path, {"body": body})
        try:
            number = comment_id(data)
        except SHAPE_ERRORS:
            return self._just_written(thread, body, f"POST {path}")
        return Comment(id=number, body=body, author=self.login)

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment:
        path = f"/repos/{thread.repository}/{self._space(thread)}/comments/{comment_id}"
        self._client.write("PATCH", path, {"body": body})
        return Comment(id=comment_id, body=body, author=self.login)

    def delete_comment(self, thread: Thread, comment_id: int) -> None:
        self._client.write("DELETE", f"/repos/{thread.repository}/{self._space(thread)}/comments/{comment_id}")

    def permission(self, repository: str, login: str) -> Permission:
        path = f"/repos/{repository}/collaborators/{quote(login, safe='')}/permission"
        try:
            data = self._client.read(path)
        except ForgeError as error:
            if error.fault is ForgeFault.NOT_FOUND:  # no member
                return Permission.NONE
            raise
        with _read(f"GET {path}"):
            return permission_of(data, self._settings.write_level)

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        path = f"/repos/{thread.repository}/{self._space(thread)}/{thread.number}/labels"
        if add:
            self._client.write("POST", path, list(add))
        for name in remove:
            try:
                self._client.write("DELETE", f"{path}/{quote(name, safe='')}")
            except ForgeError as error:
                if error.fault is not ForgeFault.NOT_FOUND:
                    raise

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        """The API lists reactions and adds none."""
        return False

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        """There are no check runs."""
        return False

    def close(self) -> None:
        self._client.close()

    def _space(self, thread: Thread) -> str:
        """Issues and pull requests are numbered apart, and their comments live apart."""
        return "pulls" if thread.kind is ThreadKind.PULL else "issues"

    def _comments(self, thread: Thread) -> str:
        return f"/repos/{thread.repository}/{self._space(thread)}/{thread.number}/comments"

    def _just_written(self, thread: Thread, body: str, what: str) -> Comment:
        """The newest own comment of these words: forges trim, and write line ends of their own."""
        login, said = self.login.casefold(), body.split()
        mine = [one for one in self.comments(thread) if one.author.casefold() == login and one.body.split() == said]
        if not mine:
            raise ForgeError(ForgeFault.UNAVAILABLE, what)
        return mine[-1]

    def _counts(self, path: str, shown: int) -> bool:
        """Whether the forge's count of the changed files, which only the larger answer has, is of those shown."""
        try:
            data = self._client.read(f"{path}.json")
        except ForgeError as error:
            if error.passing:
                raise
            return False
        return isinstance(data, dict) and str(data.get("count")) == str(shown)

    def _pages(
        self, path: str, read: Callable[[Json], _T], parameters: Mapping[str, str] | None = None
    ) -> Iterator[_T]:
        """Pages are full until the last; one that comes again says that this address has no pages."""
        page, before = 1, None
        while True:
            data: Any = self._client.read(path, {**(parameters or {}), "per_page": str(_PAGE), "page": str(page)})
            with _read(f"GET {path}"):
                rows = rows_of(data)
                values = [read(row) for row in rows]
            if rows == before:
                return
            yield from values
            if len(rows) < _PAGE:
                return
            page, before = page + 1, rows


@contextmanager
def _read(what: str) -> Iterator[None]:
    """An answer of another shape is ``UNREADABLE``."""
    try:
        yield
    except SHAPE_ERRORS as error:
        raise ForgeError(ForgeFault.UNREADABLE, what, detail=type(error).__name__) from None
