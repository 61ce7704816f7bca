"""AtomGit's JSON as values: numbers, booleans and ids come as text, too, and states have several spellings.

Every function raises ``KeyError``, ``TypeError`` or ``ValueError`` for a shape that is none of the known ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from reviewbot.forges.models import Comment, ForgeCommit, ForgeKind, Permission, PullRequest, PullState, Thread

Json = Mapping[str, Any]
_TRUE = frozenset({True, "1", "true", "True"})


def pull_of(data: Json, repository: str) -> PullRequest:
    base, head = data["base"], data["head"]
    number = int(data["number"])
    return PullRequest(
        thread=Thread(forge=ForgeKind.ATOMGIT, repository=repository, number=number),
        title=data.get("title") or "",
        body=data.get("body") or "",
        state=_state(data),
        draft=data.get("draft") in _TRUE,
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
    if state == "merged" or data.get("merged_at") or data.get("merged") in _TRUE:
        return PullState.MERGED
    return PullState.CLOSED if state == "closed" else PullState.OPEN


def commit_of(data: Json) -> ForgeCommit:
    """``parents`` is an object here, or a list as elsewhere."""
    parents = data.get("parents") or ()
    shas = parents.get("shas") or [parents["sha"]] if isinstance(parents, dict) else [one["sha"] for one in parents]
    return ForgeCommit(sha=data["sha"], message=data["commit"]["message"], parents=tuple(shas))


def comment_of(data: Json) -> Comment:
    """Raises ``ValueError`` for an answer whose id is the hash of the discussion alone: it edits nothing."""
    return Comment(
        id=comment_id(data),
        body=data.get("body") or "",
        author=login_of(data),
        url=data.get("html_url") or "",
        updated_at=moment(data.get("updated_at")),
    )


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


def diff_of(files: list[Json]) -> str | None:
    """The diff of ``/pulls/N/files``, None when any file's part is missing or cut."""
    parts: list[str] = []
    for file in files:
        patch = file.get("patch")
        if not isinstance(patch, dict) or patch.get("too_large") in _TRUE or not isinstance(patch.get("diff"), str):
            return None
        new = patch.get("new_path") or file["filename"]
        old = patch.get("old_path") or new
        body = patch["diff"]
        renamed = patch.get("renamed_file") in _TRUE
        if not body.strip() and not renamed:
            return None  # a binary file, or one that is not shown
        lines = [f"diff --git a/{old} b/{new}"]
        if patch.get("new_file") in _TRUE:
            lines.append(f"new file mode {patch.get('b_mode') or '100644'}")
        elif patch.get("deleted_file") in _TRUE:
            lines.append(f"deleted file mode {patch.get('a_mode') or '100644'}")
        elif renamed:
            lines += [f"rename from {old}", f"rename to {new}"]
        if body.strip():
            lines.append("--- /dev/null" if patch.get("new_file") in _TRUE else f"--- a/{old}")
            lines.append("+++ /dev/null" if patch.get("deleted_file") in _TRUE else f"+++ b/{new}")
            lines.append(body.rstrip("\n"))
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)
