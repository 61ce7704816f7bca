"""GitHub's REST dialect over a world, as far as a reviewer of pull requests asks for it.

Contract: shapes and limits are those of GitHub's REST reference. `serving` runs it; every call first meets the faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from evals.fake_forges.github_app import AppDialect
from evals.fake_forges.serving import Answer, Call
from evals.fake_forges.world import FakeComment, FakePull, World

MOST_CHARACTERS = 65_536
MOST_FILES = 300
_DIFF = "application/vnd.github.diff"
_PATCH = "application/vnd.github.patch"
_REPOSITORY = r"/repos/(?P<repository>[^/]+/[^/]+)"
_Handler = Callable[["GithubDialect", Call, Mapping[str, str]], Answer]


class GithubDialect:
    def __init__(self, world: World) -> None:
        self.world = world
        self._app = AppDialect(world)

    def answer(self, call: Call) -> Answer:
        with self.world.guard:
            for verb, pattern, handler in _ROUTES:
                if verb == call.verb and (match := re.fullmatch(pattern, call.path)) is not None:
                    return handler(self, call, match.groupdict())
            return self._app.answer(call) or _refused(404, "Not Found")

    def me(self, call: Call, at: Mapping[str, str]) -> Answer:
        return Answer(200, {"login": self.world.bot})

    def pull(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self.world.pulls.get((at["repository"], int(at["number"])))
        if found is None:
            return _refused(404, "Not Found")
        if "diff" in call.headers.get("accept", ""):
            if found.changed_files > MOST_FILES:
                return _refused(406, "Sorry, the diff exceeded the maximum number of files (300).")
            return Answer(200, found.diff, kind=f"{_DIFF}; charset=utf-8")
        return Answer(200, _pull(found, at["repository"]))

    def pulls(self, call: Call, at: Mapping[str, str]) -> Answer:
        wanted = call.query.get("state", "open")
        mine = [
            pull
            for (repository, _), pull in self.world.pulls.items()
            if repository == at["repository"] and pull.state == wanted
        ]
        mine.sort(key=lambda pull: pull.updated_at, reverse=True)
        return _page(call, [_pull(pull, at["repository"]) for pull in mine])

    def commits(self, call: Call, at: Mapping[str, str]) -> Answer:
        found = self.world.pulls.get((at["repository"], int(at["number"])))
        if found is None:
            return _refused(404, "Not Found")
        rows = [{"sha": sha, "commit": {"message": message}, "parents": []} for sha, message in found.commits[:250]]
        return _page(call, rows)

    def patch(self, call: Call, at: Mapping[str, str]) -> Answer:
        text = self.world.patches.get((at["repository"], at["sha"]))
        return _refused(404, "Not Found") if text is None else Answer(200, text, kind=f"{_PATCH}; charset=utf-8")

    def branch(self, call: Call, at: Mapping[str, str]) -> Answer:
        sha = self.world.branches.get((at["repository"], at["branch"]))
        return _refused(404, "Not Found") if sha is None else Answer(200, {"object": {"sha": sha, "type": "commit"}})

    def listed(self, call: Call, at: Mapping[str, str]) -> Answer:
        return _page(call, [_comment(one) for one in self.world.said(at["repository"], int(at["number"]))])

    def commented(self, call: Call, at: Mapping[str, str]) -> Answer:
        if too_long := _too_long(call):
            return too_long
        comment = self.world.say(at["repository"], int(at["number"]), self.world.bot, call.body["body"])
        self.world.wrote("POST", call.path, comment.id)
        return Answer(201, _comment(comment))

    def edited(self, call: Call, at: Mapping[str, str]) -> Answer:
        comment = self.world.comments.get(int(at["id"]))
        if comment is None:
            return _refused(404, "Not Found")
        if too_long := _too_long(call):
            return too_long
        comment.body, comment.updated_at = call.body["body"], self.world.tick()
        self.world.wrote("PATCH", call.path, comment.id)
        return Answer(200, _comment(comment))

    def deleted(self, call: Call, at: Mapping[str, str]) -> Answer:
        if self.world.comments.pop(int(at["id"]), None) is None:
            return _refused(404, "Not Found")
        self.world.wrote("DELETE", call.path, int(at["id"]))
        return Answer(204, None)

    def permission(self, call: Call, at: Mapping[str, str]) -> Answer:
        given = self.world.permissions.get((at["repository"], at["login"]))
        return _refused(404, "Not Found") if given is None else Answer(200, {"permission": given, "role_name": given})

    def labelled(self, call: Call, at: Mapping[str, str]) -> Answer:
        pull = self.world.pulls[at["repository"], int(at["number"])]
        pull.labels |= set(call.body["labels"])
        self.world.wrote("POST", call.path)
        return Answer(200, [{"name": name} for name in sorted(pull.labels)])

    def unlabelled(self, call: Call, at: Mapping[str, str]) -> Answer:
        pull = self.world.pulls[at["repository"], int(at["number"])]
        if at["name"] not in pull.labels:
            return _refused(404, "Label does not exist")
        pull.labels.remove(at["name"])
        self.world.wrote("DELETE", call.path)
        return Answer(200, [])

    def reacted(self, call: Call, at: Mapping[str, str]) -> Answer:
        self.world.reactions.append((int(at["id"]), call.body["content"]))
        self.world.wrote("POST", call.path, int(at["id"]))
        return Answer(201, {"id": 1, "content": call.body["content"]})


_ROUTES: tuple[tuple[str, str, _Handler], ...] = (
    ("GET", "/user", GithubDialect.me),
    ("GET", rf"{_REPOSITORY}/pulls", GithubDialect.pulls),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)", GithubDialect.pull),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)/commits", GithubDialect.commits),
    ("GET", rf"{_REPOSITORY}/commits/(?P<sha>\w+)", GithubDialect.patch),
    ("GET", rf"{_REPOSITORY}/git/ref/heads/(?P<branch>.+)", GithubDialect.branch),
    ("GET", rf"{_REPOSITORY}/issues/(?P<number>\d+)/comments", GithubDialect.listed),
    ("POST", rf"{_REPOSITORY}/issues/(?P<number>\d+)/comments", GithubDialect.commented),
    ("PATCH", rf"{_REPOSITORY}/issues/comments/(?P<id>\d+)", GithubDialect.edited),
    ("DELETE", rf"{_REPOSITORY}/issues/comments/(?P<id>\d+)", GithubDialect.deleted),
    ("POST", rf"{_REPOSITORY}/issues/comments/(?P<id>\d+)/reactions", GithubDialect.reacted),
    ("GET", rf"{_REPOSITORY}/collaborators/(?P<login>[^/]+)/permission", GithubDialect.permission),
    ("POST", rf"{_REPOSITORY}/issues/(?P<number>\d+)/labels", GithubDialect.labelled),
    ("DELETE", rf"{_REPOSITORY}/issues/(?P<number>\d+)/labels/(?P<name>.+)", GithubDialect.unlabelled),
)


def _refused(status: int, message: str) -> Answer:
    return Answer(status, {"message": message, "documentation_url": ""})


def _too_long(call: Call) -> Answer | None:
    if len(call.body["body"]) <= MOST_CHARACTERS:
        return None
    return _refused(422, f"Body is too long (maximum is {MOST_CHARACTERS} characters)")


def _page(call: Call, rows: list[Any]) -> Answer:
    size, page = int(call.query.get("per_page", "30")), int(call.query.get("page", "1"))
    return Answer(200, rows[(page - 1) * size : page * size])


def _pull(pull: FakePull, repository: str) -> dict[str, Any]:
    return {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body or None,
        "state": pull.state,
        "merged": pull.merged,
        "draft": pull.draft,
        "labels": [{"name": name} for name in sorted(pull.labels)],
        "user": {"login": pull.author},
        "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": {"clone_url": f"file:///{repository}"}},
        "head": {"ref": "topic", "sha": pull.head_sha},
        "html_url": f"https://forge.example/{repository}/pull/{pull.number}",
        "merge_commit_sha": None,
        "updated_at": pull.updated_at.isoformat().replace("+00:00", "Z"),
        "changed_files": pull.changed_files,
    }


def _comment(comment: FakeComment) -> dict[str, Any]:
    return {
        "id": comment.id,
        "body": comment.body,
        "user": {"login": comment.author},
        "html_url": f"https://forge.example/c/{comment.id}",
        "updated_at": comment.updated_at.isoformat().replace("+00:00", "Z"),
    }
