"""``GithubForge``: the protocol of `reviewbot.forges.protocol` over PyGithub's requester.

Requests are made by path, not by object: an object costs a request of its own before the one that matters, and its
addresses come from answers. Paths are made here, so no answer can lead to another host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.github.clients import Clients
from reviewbot.forges.github.faults import told
from reviewbot.forges.github.values import Json, comment_of, commit_of, pull_of
from reviewbot.forges.models import (
    CheckState,
    Comment,
    ForgeCommit,
    ForgeKind,
    Permission,
    PullRequest,
    PullState,
    Thread,
)
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import GithubSettings

_PAGE = 100
#: GitHub lists no more commits of a pull request than this ("List commits on a pull request", REST reference).
_MOST_COMMITS = 250
_DIFF = "application/vnd.github.diff"
_PATCH = "application/vnd.github.patch"
_CHECK = "reviewbot"
#: Characters of a check run's summary (the same page).
_MOST_SUMMARY = 65_535
_T = TypeVar("_T")
_PERMISSIONS = {one.value: one for one in Permission}


class GithubForge:
    """Safe for one thread at a time; close it, every client keeps connections."""

    kind = ForgeKind.GITHUB

    def __init__(
        self,
        settings: GithubSettings,
        *,
        writes: Bucket | None = None,
        requests: Bucket | None = None,
        pause: float = 1.0,
    ) -> None:
        """The buckets may be shared by all forges of a process; ``pause`` is the first wait between retries."""
        self._settings = settings
        self._clients = Clients(settings, pause)
        self._writes = writes or Bucket(settings.writes_per_second)
        self._requests = requests or Bucket(settings.requests_per_second)
        self._login = settings.login

    @property
    def login(self) -> str:
        if self._login is None:
            self._login = self._clients.app_login() if self._clients.is_app else self._get("", "/user")["login"]
        return self._login

    def pull_request(self, repository: str, number: int) -> PullRequest:
        path = f"/repos/{repository}/pulls/{number}"
        data = self._get(repository, path)
        with told(f"GET {path}"):
            return pull_of(data, repository)

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        path = f"/repos/{repository}/pulls/{number}/commits"
        commits = self._listed(repository, path, commit_of)
        if len(commits) >= _MOST_COMMITS:
            raise ForgeError(ForgeFault.TOO_LARGE, f"GET {path}")
        return commits

    def diff(self, repository: str, number: int) -> bytes:
        """GitHub refuses a diff of more than 300 files; one that shows fewer than were changed is refused here."""
        path = f"/repos/{repository}/pulls/{number}"
        diff = self._raw(repository, path, _DIFF)
        changed = self.pull_request(repository, number).changed_files
        shown = diff.count(b"\ndiff --git ") + diff.startswith(b"diff --git ")
        if changed is not None and shown != changed:
            raise ForgeError(ForgeFault.TOO_LARGE, f"GET {path}")
        return diff

    def commit_patch(self, repository: str, sha: str) -> bytes:
        return self._raw(repository, f"/repos/{repository}/commits/{quote(sha, safe='')}", _PATCH)

    def branch_head(self, repository: str, branch: str) -> str:
        path = f"/repos/{repository}/git/ref/heads/{quote(branch)}"
        data = self._get(repository, path)
        with told(f"GET {path}"):
            return str(data["object"]["sha"])

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        path = f"/repos/{repository}/pulls"
        order = {"state": "closed" if merged else "open", "sort": "updated", "direction": "desc"}
        found: list[PullRequest] = []
        for pull in self._pages(repository, path, lambda data: pull_of(data, repository), order):
            if pull.updated_at is not None and pull.updated_at < since:
                break
            if not merged or pull.state is PullState.MERGED:
                found.append(pull)
        yield from reversed(found)

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        return self._listed(thread.repository, f"{self._issue(thread)}/comments", comment_of)

    def create_comment(self, thread: Thread, body: str) -> Comment:
        path = f"{self._issue(thread)}/comments"
        data = self._write("POST", thread.repository, path, {"body": body})
        with told(f"POST {path}"):
            return comment_of(data)

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment:
        path = f"/repos/{thread.repository}/issues/comments/{comment_id}"
        data = self._write("PATCH", thread.repository, path, {"body": body})
        with told(f"PATCH {path}"):
            return comment_of(data)

    def delete_comment(self, thread: Thread, comment_id: int) -> None:
        self._write("DELETE", thread.repository, f"/repos/{thread.repository}/issues/comments/{comment_id}")

    def permission(self, repository: str, login: str) -> Permission:
        path = f"/repos/{repository}/collaborators/{quote(login, safe='')}/permission"
        try:
            data = self._get(repository, path)
        except ForgeError as error:
            if error.fault is ForgeFault.NOT_FOUND:
                return Permission.NONE
            raise
        with told(f"GET {path}"):
            return _PERMISSIONS.get(data["permission"], Permission.NONE)

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        path = f"{self._issue(thread)}/labels"
        if add:
            self._write("POST", thread.repository, path, {"labels": list(add)})
        for name in remove:
            try:
                self._write("DELETE", thread.repository, f"{path}/{quote(name, safe='')}")
            except ForgeError as error:
                if error.fault is not ForgeFault.NOT_FOUND:
                    raise

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        path = f"/repos/{thread.repository}/issues/comments/{comment_id}/reactions"
        self._write("POST", thread.repository, path, {"content": "eyes"})
        return True

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        """Only an App may write check runs, and only its own ("Create a check run", REST reference)."""
        if not self._clients.is_app:
            return False
        path = f"/repos/{repository}/commits/{head_sha}/check-runs"
        found = self._get(repository, path, {"check_name": _CHECK, "app_id": str(self._settings.app_id)})
        with told(f"GET {path}"):
            runs = [int(run["id"]) for run in found["check_runs"]]
        body: dict[str, Any] = {"name": _CHECK, "output": {"title": title, "summary": summary[:_MOST_SUMMARY]}}
        if state is CheckState.RUNNING:
            body["status"] = "in_progress"
        else:
            body |= {"status": "completed", "conclusion": "failure" if state is CheckState.FAILED else "neutral"}
        if runs:
            self._write("PATCH", repository, f"/repos/{repository}/check-runs/{runs[0]}", body)
        else:
            self._write("POST", repository, f"/repos/{repository}/check-runs", {**body, "head_sha": head_sha})
        return True

    def close(self) -> None:
        self._clients.close()

    # --- requests

    def _issue(self, thread: Thread) -> str:
        """Conversations of pull requests are those of issues here."""
        return f"/repos/{thread.repository}/issues/{thread.number}"

    def _get(self, repository: str, path: str, parameters: Mapping[str, str] | None = None) -> Any:
        return self._asked("GET", repository, path, parameters=dict(parameters or {}))

    def _raw(self, repository: str, path: str, accept: str) -> bytes:
        data = self._asked("GET", repository, path, headers={"Accept": accept})
        with told(f"GET {path}"):
            return str(data["data"]).encode("utf-8", "surrogatepass") if data else b""

    def _write(self, verb: str, repository: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        self._writes.take()
        return self._asked(verb, repository, path, input=None if body is None else dict(body))

    def _asked(self, verb: str, repository: str, path: str, **request: Any) -> Any:
        self._requests.take()
        client = self._clients.of(repository)
        with told(f"{verb} {path}"):
            return client.requester.requestJsonAndCheck(verb, path, **request)[1]

    def _listed(self, repository: str, path: str, read: Callable[[Json], _T]) -> tuple[_T, ...]:
        return tuple(self._pages(repository, path, read))

    def _pages(
        self, repository: str, path: str, read: Callable[[Json], _T], parameters: Mapping[str, str] | None = None
    ) -> Iterator[_T]:
        page = 1
        while True:
            asked = {**(parameters or {}), "per_page": str(_PAGE), "page": str(page)}
            rows = self._get(repository, path, asked)
            with told(f"GET {path}"):
                values = [read(row) for row in rows]
            yield from values
            if len(values) < _PAGE:
                return
            page += 1
