"""AtomGit's JSON as values: numbers, booleans and ids come as text, too, and states have several spellings.

Every function raises one of ``SHAPE_ERRORS`` for a shape that is none of the known ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from reviewbot.forges.models import Comment, ForgeCommit, ForgeKind, Permission, PullRequest, PullState, Thread

Json = Mapping[str, Any]
SHAPE_ERRORS = (KeyError, TypeError, ValueError, AttributeError)
_TRUE = frozenset({"1", "true"})


def is_true(said: object) -> bool:
    return str(said).lower() in _TRUE


def rows_of(data: object) -> list[Json]:
    """Raises ``TypeError``: an object without rows would read as a list of none."""
    if not isinstance(data, list):
        raise TypeError
    return data


def pull_of(data: Json, repository: str) -> PullRequest:
    base, head = data["base"], data["head"]
    number = int(data["number"])
    return PullRequest(
        thread=Thread(forge=ForgeKind.ATOMGIT, repository=repository, number=number),
        title=data.get("title") or "",
        body=data.get("body") or "",
        state=_state(data),
        draft=is_true(data.get("draft")),
        labels=tuple(str(label["name"]) for label in data.get("labels") or ()),
        author=login_of(data),
        base_ref=base["ref"],
        base_sha=base["sha"],
        head_ref=head.get("ref") or "",
        head_sha=head["sha"],
        url=data.get("html_url") or data.get("web_url") or "",
        updated_at=moment(data.get("updated_at")),
    )


def _state(data: Json) -> PullState:
    """``merged`` may be null on a merged one: the state or the time of the merge tells."""
    state = str(data["state"]).lower()
    if state == "merged" or data.get("merged_at") or is_true(data.get("merged")):
        return PullState.MERGED
    return PullState.CLOSED if state == "closed" else PullState.OPEN


def commit_of(data: Json) -> ForgeCommit:
    """``parents`` is an object here, or a list as elsewhere."""
    parents = data.get("parents") or ()
    shas = parents.get("shas") or [parents.get("sha")] if isinstance(parents, dict) else [one["sha"] for one in parents]
    return ForgeCommit(sha=data["sha"], message=data["commit"]["message"], parents=tuple(sha for sha in shas if sha))


def comment_of(data: Json) -> Comment:
    """Raises ``ValueError`` for an answer whose id is the hash of the discussion alone: it edits nothing."""
    return Comment(
        id=comment_id(data),
        body=data.get("body") or "",
        author=login_of(data),
        url=data.get("html_url") or "",
        updated_at=moment(data.get("updated_at")),
    )


def comments_of(data: Json) -> tuple[Comment, ...]:
    """A comment of a list, and the replies inside it."""
    return (comment_of(data), *map(comment_of, data.get("reply") or ()))


def comment_id(data: Json) -> int:
    """What edits a comment: ``note_id`` where there is one, since ``id`` may be a hash then."""
    given = data.get("note_id") or data.get("noteId") or data["id"]
    return int(given)


def login_of(data: Json) -> str:
    user = data.get("user") or data.get("author") or {}
    return str(user.get("login") or user.get("username") or "")


def moment(text: str | None) -> datetime | None:
    """Times come with any offset, and without one."""
    if not text:
        return None
    given = datetime.fromisoformat(text)
    return given if given.tzinfo else given.replace(tzinfo=UTC)


def permission_of(data: Json, write_level: int) -> Permission:
    """By ``access_level``: the word says ``admin`` of maintainers and ``write`` of reporters."""
    level = int(data.get("access_level") or 0)
    if level >= write_level:
        return Permission.ADMIN if level >= 50 else Permission.WRITE
    return Permission.READ if level > 0 else Permission.NONE
