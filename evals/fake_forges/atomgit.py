"""AtomGit's API v5 over a world, with the oddities that its clients have recorded.

Creating a comment answers with the hash of its discussion and, as a rule, a ``note_id``, and what is written is kept
trimmed; numbers and booleans come as text here and there; an open one is ``opened`` alone and ``open`` in a list;
commits come newest first and in one piece; an error can sit in an answer of status 200; issues and pull requests are
numbered apart. A text with ``<script`` is refused with 418, as the filter before the API does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from evals.fake_forges.serving import Answer, Call
from evals.fake_forges.world import FakeComment, FakePull, World

_REPOSITORY = r"/repos/(?P<repository>[^/]+/[^/]+)"
_Handler = Callable[["AtomgitDialect", Call, Mapping[str, str]], Answer]


class AtomgitDialect:
    """``hashes_only``: creating a comment gives no ``note_id``, as some versions do. ``most_files``: so many are shown
    of a pull request, and nothing says that there are more but the count in ``files.json``.
    """

    def __init__(
        self, world: World, *, token: str = "t", hashes_only: bool = False, most_files: int | None = None
    ) -> None:
        self.world = world
        self._most_files = most_files
        self._token = token
        self._hashes_only = hashes_only

    def answer(self, call: Call) -> Answer:
        if call.headers.get("private-token") != self._token:
            return Answer(401, {"message": "401 Unauthorized"})
        if "access_token" in call.query:
            return _refused(400, "Orchestration error: Invalid header parameter: private-token, required")
        with self.world.guard:
            for verb, pattern, handler in _ROUTES:
                if verb == call.verb and (match := re.fullmatch(pattern, call.path)) is not None:
                    return handler(self, call, match.groupdict())
        return _refused(404, "Not Found")

    def me(self, call: Call, at: Mapping[str, str]) -> Answer:
        return Answer(200, {"login": self.world.bot, "id": "5f" * 12})

    def pull(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self._find(at)
        # A pull request that is not there is an error inside a success.
        return Answer(200, _error(404, "Pull Request Not Found")) if found is None else Answer(200, _pull(found))

    def pulls(self, call: Call, at: Mapping[str, str]) -> Answer:
        mine = [pull for (repository, _), pull in self.world.pulls.items() if repository == at["repository"]]
        mine = [pull for pull in mine if _state(pull) == call.query.get("state", "open")]
        mine.sort(key=lambda one: one.updated_at, reverse=True)
        return _page(call, [{**_pull(pull), "state": _state(pull)} for pull in mine])

    def files(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self._find(at)
        return _refused(404, "Not Found") if found is None else Answer(200, _files(found)[: self._most_files])

    def counted(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self._find(at)
        return _refused(404, "Not Found") if found is None else Answer(200, {"code": 0, "count": len(_files(found))})

    def commits(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self._find(at)
        if found is None:
            return _refused(404, "Not Found")
        rows = [
            {"sha": sha, "commit": {"message": message}, "parents": {"sha": "0" * 40, "shas": ["0" * 40]}}
            for sha, message in reversed(found.commits)
        ]
        return Answer(200, rows)

    def branch(self, call: Call, at: Mapping[str, str]) -> Answer:
        sha = self.world.branches.get((at["repository"], at["branch"]))
        return _refused(404, "Not Found") if sha is None else Answer(200, {"commit": {"id": sha}})

    def listed(self, call: Call, at: Mapping[str, str]) -> Answer:
        said = self.world.said(at["repository"], _thread(at))
        return _page(call, [_comment(one, at["kind"]) for one in reversed(said)])

    def commented(self, call: Call, at: Mapping[str, str]) -> Answer:
        body = call.body["body"]
        if "<script" in body:
            return Answer(418, {"message": "Request rejected, suspected unsafe"})
        comment = self.world.say(at["repository"], _thread(at), self.world.bot, body.strip())
        self.world.wrote("POST", call.path, comment.id)
        told: dict[str, Any] = {"id": hashlib.sha1(str(comment.id).encode()).hexdigest(), "body": body}
        return Answer(201, told if self._hashes_only else {**told, "note_id": str(comment.id)})

    def edited(self, call: Call, at: Mapping[str, str]) -> Answer:
        comment = self.world.comments.get(int(at["id"]))
        if comment is None:
            return _refused(404, "Note Not Found")
        comment.body, comment.updated_at = call.body["body"], self.world.tick()
        self.world.wrote("PATCH", call.path, comment.id)
        return Answer(200, {})

    def deleted(self, call: Call, at: Mapping[str, str]) -> Answer:
        if self.world.comments.pop(int(at["id"]), None) is None:
            return _refused(404, "Note Not Found")
        self.world.wrote("DELETE", call.path, int(at["id"]))
        return Answer(204, None)

    def permission(self, call: Call, at: Mapping[str, str]) -> Answer:
        given = self.world.permissions.get((at["repository"], at["login"]))
        if given is None:
            return _refused(404, "404 Not Found")
        level = {"owner": 50, "maintainer": 40, "developer": 30, "reporter": 20, "custom": 15}[given]
        word = {"owner": "admin", "maintainer": "admin", "reporter": "write"}.get(given, "read")
        return Answer(200, {"login": at["login"], "permission": word, "access_level": str(level)})

    def labelled(self, call: Call, at: Mapping[str, str]) -> Answer:
        if not isinstance(call.body, list):
            return _refused(400, "labels")
        pull = self.world.pulls[at["repository"], int(at["number"])]
        pull.labels |= set(call.body)
        return Answer(201, [{"name": name} for name in sorted(pull.labels)])

    def unlabelled(self, call: Call, at: Mapping[str, str]) -> Answer:
        pull = self.world.pulls[at["repository"], int(at["number"])]
        if at["name"] not in pull.labels:
            return _refused(404, "Label Not Found")
        pull.labels.remove(at["name"])
        return Answer(204, None)

    def _find(self, at: Mapping[str, str]) -> FakePull | None:
        return self.world.pulls.get((at["repository"], int(at["number"])))


_ROUTES: tuple[tuple[str, str, _Handler], ...] = (
    ("GET", "/user", AtomgitDialect.me),
    ("GET", rf"{_REPOSITORY}/pulls", AtomgitDialect.pulls),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)", AtomgitDialect.pull),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/files", AtomgitDialect.files),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/files\.json", AtomgitDialect.counted),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/commits", AtomgitDialect.commits),
    ("GET", rf"{_REPOSITORY}/branches/(?P<branch>.+)", AtomgitDialect.branch),
    ("GET", rf"{_REPOSITORY}/(?P<kind>pulls|issues)/(?P<number>\d+)/comments", AtomgitDialect.listed),
    ("POST", rf"{_REPOSITORY}/(?P<kind>pulls|issues)/(?P<number>\d+)/comments", AtomgitDialect.commented),
    ("PATCH", rf"{_REPOSITORY}/(?P<kind>pulls|issues)/comments/(?P<id>\d+)", AtomgitDialect.edited),
    ("DELETE", rf"{_REPOSITORY}/(?P<kind>pulls|issues)/comments/(?P<id>\d+)", AtomgitDialect.deleted),
    ("GET", rf"{_REPOSITORY}/collaborators/(?P<login>[^/]+)/permission", AtomgitDialect.permission),
    ("POST", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/labels", AtomgitDialect.labelled),
    ("DELETE", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/labels/(?P<name>.+)", AtomgitDialect.unlabelled),
)


def _thread(at: Mapping[str, str]) -> int:
    """Issues live in a space of their own: here, below zero."""
    return int(at["number"]) if at["kind"] == "pulls" else -int(at["number"])


def _error(code: int, message: str) -> dict[str, Any]:
    return {"error_code": code, "error_code_name": "UN_KNOW", "error_message": message, "trace_id": "x"}


def _refused(status: int, message: str) -> Answer:
    return Answer(status, _error(status, message))


def _page(call: Call, rows: list[Any]) -> Answer:
    size, page = int(call.query.get("per_page", "20")), int(call.query.get("page", "1"))
    return Answer(200, rows[(page - 1) * size : page * size])


def _state(pull: FakePull) -> str:
    return "merged" if pull.merged else pull.state


def _pull(pull: FakePull) -> dict[str, Any]:
    return {
        "id": 10_000 + pull.number,
        "number": str(pull.number),
        "title": pull.title,
        "body": pull.body or None,
        "state": "opened" if _state(pull) == "open" else _state(pull),
        "merged": None,
        "draft": "true" if pull.draft else 0,
        "labels": [{"id": "1", "name": name} for name in sorted(pull.labels)],
        "user": {"id": "5f" * 12, "login": pull.author},
        "base": {"label": pull.base_ref, "ref": pull.base_ref, "sha": pull.base_sha},
        "head": {"ref": "topic", "sha": pull.head_sha},
        "html_url": None,
        "web_url": f"https://forge.example/merge_requests/{pull.number}",
        "updated_at": pull.updated_at.isoformat(),
    }


def _files(pull: FakePull) -> list[dict[str, Any]]:
    """Each file's part of the diff as an object; ``additions`` as text, ``deletions`` as a number."""
    rows = []
    for part in re.split(r"^(?=diff --git )", pull.diff, flags=re.MULTILINE):
        names = re.match(r"diff --git a/(\S+) b/(\S+)\n", part)
        if names is None:
            continue
        at = part.find("@@ ")
        shown = part[at:] if at >= 0 else ""
        rows.append(
            {
                "sha": pull.head_sha,
                "filename": names[2],
                "status": None,
                "additions": str(len(re.findall(r"^\+", shown, re.MULTILINE))),
                "deletions": len(re.findall("^-", shown, re.MULTILINE)),
                "patch": {
                    "diff": shown,
                    "old_path": names[1],
                    "new_path": names[2],
                    "new_file": "\nnew file mode" in part,
                    "deleted_file": int("\ndeleted file mode" in part),
                    "renamed_file": names[1] != names[2],
                    "too_large": 0,
                },
            }
        )
    return rows


def _comment(comment: FakeComment, kind: str) -> dict[str, Any]:
    """The misspelt name is the forge's own."""
    number = abs(comment.thread[1])
    of = {"comment_type": "pr_comment"} if kind == "pulls" else {"target": {"issue": {"id": 1, "nubmer": str(number)}}}
    return {
        "id": comment.id,
        "discussion_id": hashlib.sha1(str(comment.id).encode()).hexdigest(),
        "body": comment.body,
        "user": {"id": "5f" * 12, "login": comment.author},
        "updated_at": comment.updated_at.isoformat().replace("+00:00", "+08:00"),
        **of,
    }
