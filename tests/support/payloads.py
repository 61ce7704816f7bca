"""Deliveries as the forges send them, as small as their documents allow; every name in them is invented."""

from __future__ import annotations

import json
from typing import Any

GITHUB_REPOSITORY = "kiln/glaze"
ATOMGIT_REPOSITORY = "Kiln/glaze"
HEAD = "ab" * 20


def raw(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()


def github_user(login: str = "ada", kind: str = "User") -> dict[str, Any]:
    return {"login": login, "id": 7, "type": kind}


def github_pull(action: str = "opened", **changed: Any) -> dict[str, Any]:
    """A ``pull_request`` event; ``changed`` goes into the pull request."""
    pull = {
        "number": 12,
        "title": "sync: follow upstream",
        "state": "open",
        "draft": False,
        "merged": False,
        "head": {"ref": "topic", "sha": HEAD},
        "base": {"ref": "main", "sha": "cd" * 20},
        "labels": [],
        "updated_at": "2026-03-01T08:00:00Z",
    }
    return {
        "action": action,
        "number": 12,
        "pull_request": {**pull, **changed},
        "repository": {"id": 1, "full_name": GITHUB_REPOSITORY},
        "sender": github_user(),
    }


def github_comment(
    action: str = "created", body: str = "/upstream-review again", on_pull: bool = True
) -> dict[str, Any]:
    issue: dict[str, Any] = {"number": 12, "title": "sync"}
    if on_pull:
        issue["pull_request"] = {"url": "https://forge.invalid/pulls/12"}
    return {
        "action": action,
        "issue": issue,
        "comment": {"id": 991, "body": body, "user": github_user(), "updated_at": "2026-03-01T08:00:00Z"},
        "repository": {"id": 1, "full_name": GITHUB_REPOSITORY},
        "sender": github_user(),
    }


def relayed(action: str = "closed", event_type: str = "pull_request", **changed: Any) -> dict[str, Any]:
    """A ``repository_dispatch`` of the relay about an upstream pull request that landed."""
    pull = {"labels": [{"name": "Merged"}], "state": "closed", **changed}
    original = github_pull(action, **pull)
    original["repository"] = {"full_name": "potters/clay"}
    return {
        "action": "pull_request",
        "branch": "master",
        "client_payload": {"event_type": event_type, "payload": original},
        "repository": {"full_name": GITHUB_REPOSITORY},
        "sender": github_user(),
    }


def merge_request(action: str = "open", changes: dict[str, Any] | None = None, /, **attributes: Any) -> dict[str, Any]:
    """A ``Merge Request Hook``; ``attributes`` goes into ``object_attributes``."""
    return {
        "object_kind": "merge_request",
        "event_type": "merge_request",
        "uuid": "12_f00d",
        "user": {"id": 5, "username": "grace", "name": "Grace"},
        "project": {"id": 3, "path_with_namespace": ATOMGIT_REPOSITORY},
        "changes": changes or {},
        "git_commit_no": "",
        "object_attributes": {
            "id": 880012,
            "iid": 12,
            "title": "同步上游",
            "state": "opened",
            "action": action,
            "oldrev": "",
            "source_branch": "topic",
            "target_branch": "master",
            "last_commit": {"id": HEAD, "message": "sync"},
            "work_in_progress": False,
            "updated_at": "2026-03-01T16:00:00+08:00",
            **attributes,
        },
    }


def note(on: str = "MergeRequest", body: str = "/upstream-review again", **attributes: Any) -> dict[str, Any]:
    """A ``Note Hook``; ``attributes`` goes into ``object_attributes``."""
    threads = {"MergeRequest": "merge_request", "Issue": "issue", "Commit": "commit"}
    return {
        "object_kind": "note",
        "event_type": "note",
        "uuid": "f00d",
        "user": {"id": 5, "username": "grace"},
        "project_id": 3,
        "project": {"id": 3, "path_with_namespace": ATOMGIT_REPOSITORY},
        "object_attributes": {
            "id": 1530794,
            "note": body,
            "noteable_type": on,
            "noteable_id": 880012,
            "discussion_id": "0a" * 20,
            "system": False,
            "type": None,
            "line_code": None,
            "position": {},
            "updated_at": "2026-03-01T16:00:00+08:00",
            **attributes,
        },
        threads.get(on, "snippet"): {"iid": 12, "state": "opened"},
    }
