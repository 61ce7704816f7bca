"""Deliveries of AtomGit and GitCode as events: GitLab's shape, one backend behind two names of headers.

Traps. ``iid`` is the number people see, ``id`` a global one. The head is ``last_commit.id``; ``git_commit_no`` may be
empty. New commits come as ``update`` with ``oldrev``, edits as ``update`` with ``changes``, a merge as ``merge`` or as
``update`` with the state ``merged``. No update with new commits has been recorded, so only an update that says it
changed nothing but quiet fields is passed over. A note tells no action: written and edited look alike. There is no
ping, and no word on whether an account is a bot.
"""

from __future__ import annotations

from reviewbot.events.fields import Fields
from reviewbot.events.fingerprints import of_comment, of_pull_request
from reviewbot.events.models import (
    Actor,
    CommentWritten,
    Ignored,
    IgnoredBecause,
    PullRequestChanged,
    PullRequestEnded,
    ReadDelivery,
)
from reviewbot.forges.models import ForgeKind, Thread, ThreadKind

DELIVERY_HEADERS = ("x-gitcode-delivery", "x-atomgit-delivery")
EVENT_HEADERS = ("x-gitcode-event", "x-atomgit-event")

NOT_NEEDED = frozenset({"Push Hook", "Tag Push Hook", "Issue Hook"})
#: Fields whose change alone concerns no review.
_QUIET = """
labels assignee assignees assignee_id assignee_ids reviewers reviewer_ids testers approval_reviewers milestone
milestone_id merge_status conflict state_id updated_at updated_by_id last_edited_at last_edited_by_id
total_time_spent time_change time_estimate head_pipeline_id
"""
QUIET = frozenset(_QUIET.split())
_THREADS = {"MergeRequest": ("merge_request", ThreadKind.PULL), "Issue": ("issue", ThreadKind.ISSUE)}


def read_atomgit(event: str, body: Fields) -> ReadDelivery:
    """``event`` is the header's words. Raises ``UnreadableDeliveryError``."""
    if event == "Merge Request Hook":
        return _merge_request(body)
    if event == "Note Hook":
        return _note(body)
    sender = body.at("project").repository("path_with_namespace") if body.has("project") else ""
    return _ignored(IgnoredBecause.NOT_NEEDED if event in NOT_NEEDED else IgnoredBecause.UNKNOWN_EVENT, event, sender)


def _merge_request(body: Fields) -> ReadDelivery:
    request = body.at("object_attributes")
    repository = body.at("project").repository("path_with_namespace")
    thread = Thread(forge=ForgeKind.ATOMGIT, repository=repository, number=request.number("iid"))
    action, state, head = request.text("action"), request.prose("state"), request.at("last_commit").sha("id")
    actor = Actor(login=body.at("user").text("username"))
    if action in {"merge", "close"} or (action == "update" and state in {"merged", "closed"}):
        event: PullRequestChanged | PullRequestEnded = PullRequestEnded(
            thread=thread, head_sha=head, merged=action == "merge" or state == "merged", actor=actor
        )
    elif action in {"open", "reopen"} or (action == "update" and _changes_something(body, request)):
        event = PullRequestChanged(
            thread=thread,
            action=action,
            head_sha=head,
            base_ref=request.text("target_branch"),
            draft=request.flag("work_in_progress"),
            title=request.prose("title"),
            actor=actor,
        )
    else:
        return _ignored(IgnoredBecause.ACTION, "Merge Request Hook", repository, action)
    fingerprint = of_pull_request(thread, head, action, request.prose("updated_at"))
    return ReadDelivery(event=event, fingerprint=fingerprint, repository=repository)


def _changes_something(body: Fields, request: Fields) -> bool:
    changes = body.at("changes").content.keys() if body.has("changes") else set()
    return bool(request.prose("oldrev")) or not changes or not changes <= QUIET


def _note(body: Fields) -> ReadDelivery:
    note = body.at("object_attributes")
    repository = body.at("project").repository("path_with_namespace")
    if note.flag("system"):
        return _ignored(IgnoredBecause.SYSTEM_NOTE, "Note Hook", repository)
    if note.prose("type") == "DiffNote":
        return _ignored(IgnoredBecause.REVIEW_COMMENT, "Note Hook", repository)
    on = note.text("noteable_type")
    if on not in _THREADS:
        return _ignored(IgnoredBecause.NOT_ON_A_PULL_REQUEST, "Note Hook", repository)
    key, kind = _THREADS[on]
    thread = Thread(forge=ForgeKind.ATOMGIT, repository=repository, kind=kind, number=body.at(key).number("iid"))
    event = CommentWritten(
        thread=thread,
        comment_id=note.number("id"),
        body=note.prose("note"),
        actor=Actor(login=body.at("user").text("username")),
    )
    return ReadDelivery(
        event=event, fingerprint=of_comment(thread, event.comment_id, event.body), repository=repository
    )


def _ignored(because: IgnoredBecause, event: str, sender: str, action: str = "") -> ReadDelivery:
    return ReadDelivery(event=Ignored(because=because, event=event, action=action), repository=sender)
