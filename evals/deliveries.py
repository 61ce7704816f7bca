"""Deliveries as both forges send them, about the pull requests of a fake world."""

from __future__ import annotations

from typing import Any

from evals.fake_forges.world import FakePull
from reviewbot.forges.models import ForgeKind

EVENTS = {ForgeKind.GITHUB: "pull_request", ForgeKind.ATOMGIT: "Merge Request Hook"}


def pull_delivery(forge: ForgeKind, repository: str, pull: FakePull, *, pushed: bool = False) -> dict[str, Any]:
    """The pull request as it is now: opened, or pushed to."""
    if forge is ForgeKind.GITHUB:
        return {
            "action": "synchronize" if pushed else "opened",
            "number": pull.number,
            "pull_request": {
                "number": pull.number,
                "title": pull.title,
                "state": pull.state,
                "draft": pull.draft,
                "merged": pull.merged,
                "labels": [],
                "updated_at": pull.updated_at.isoformat(),
                "head": {"sha": pull.head_sha, "ref": "sync"},
                "base": {"sha": pull.base_sha, "ref": pull.base_ref},
                "user": {"login": pull.author, "type": "User"},
            },
            "repository": {"full_name": repository},
            "sender": {"login": pull.author, "type": "User"},
        }
    return {
        "object_kind": "merge_request",
        "event_type": "merge_request",
        "uuid": f"{pull.number}_f00d",
        "user": {"id": 5, "username": pull.author},
        "project": {"id": 3, "path_with_namespace": repository},
        "changes": {},
        "object_attributes": {
            "id": 880_000 + pull.number,
            "iid": pull.number,
            "title": pull.title,
            "state": "opened",
            "action": "update" if pushed else "open",
            "oldrev": "0" * 40 if pushed else "",
            "source_branch": "sync",
            "target_branch": pull.base_ref,
            "last_commit": {"id": pull.head_sha, "message": "sync"},
            "work_in_progress": pull.draft,
            "updated_at": pull.updated_at.isoformat(),
        },
    }
