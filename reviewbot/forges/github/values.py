"""GitHub's JSON as values. Every function raises ``KeyError``, ``TypeError`` or ``ValueError`` for another shape."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from reviewbot.forges.models import Comment, ForgeCommit, ForgeKind, PullRequest, PullState, Thread

#: pytorch/pytorch lands by closing a pull request with this label; ``merged`` stays false.
LANDED = "Merged"
Json = Mapping[str, Any]


def pull_of(data: Json, repository: str) -> PullRequest:
    labels = tuple(str(label["name"]) for label in data.get("labels") or ())
    landed = bool(data.get("merged") or data.get("merged_at")) or (data["state"] == "closed" and LANDED in labels)
    closed = PullState.CLOSED if data["state"] == "closed" else PullState.OPEN
    base, head = data["base"], data["head"]
    return PullRequest(
        thread=Thread(forge=ForgeKind.GITHUB, repository=repository, number=int(data["number"])),
        title=data["title"] or "",
        body=data.get("body") or "",
        state=PullState.MERGED if landed else closed,
        draft=bool(data.get("draft")),
        labels=labels,
        author=login_of(data),
        base_ref=base["ref"],
        base_sha=base["sha"],
        head_ref=head["ref"],
        head_sha=head["sha"],
        url=data.get("html_url") or "",
        clone_url=(base.get("repo") or {}).get("clone_url") or "",
        merge_sha=data.get("merge_commit_sha"),
        updated_at=moment(data.get("updated_at")),
        changed_files=data.get("changed_files"),
        added=data.get("additions"),
        removed=data.get("deletions"),
    )


def commit_of(data: Json) -> ForgeCommit:
    parents = tuple(parent["sha"] for parent in data.get("parents") or ())
    return ForgeCommit(sha=data["sha"], message=data["commit"]["message"], parents=parents)


def comment_of(data: Json) -> Comment:
    return Comment(
        id=int(data["id"]),
        body=data.get("body") or "",
        author=login_of(data),
        url=data.get("html_url") or "",
        updated_at=moment(data.get("updated_at")),
    )


def login_of(data: Json) -> str:
    """The login, empty for an account that is gone: GitHub sends null."""
    return str((data.get("user") or {}).get("login") or "")


def moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
