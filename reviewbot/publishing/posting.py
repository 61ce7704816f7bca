"""Find or create the one comment of (thread, subject), under a lease, so that a crash anywhere posts nothing twice.

A write is sent once. When its answer is lost the thread is read again: what is there now decides. A body that the forge
refuses (a filter against unsafe text, a length) is shortened and tried once more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from reviewbot.errors import ReviewbotError
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import Comment, Thread
from reviewbot.forges.protocol import Forge
from reviewbot.publishing import words
from reviewbot.publishing.body import shorter
from reviewbot.publishing.marker import bears_marker
from reviewbot.service.models import PostedComment, Review

LEASE_SECONDS = 120.0


class Comments(Protocol):
    """What the publisher needs of the store of comments."""

    def lease(self, thread: Thread, subject: str, owner: str, now: datetime, seconds: float) -> bool: ...

    def release(self, thread: Thread, subject: str, owner: str) -> None: ...

    def record(self, posted: PostedComment) -> None: ...


class LeaseHeldError(ReviewbotError):
    """Another process is posting to ``thread``; try again later."""

    def __init__(self, thread: Thread) -> None:
        super().__init__(words.LEASE_HELD)
        self.thread = thread


def publish(
    forge: Forge,
    store: Comments,
    review: Review,
    body: str,
    owner: str,
    now: datetime,
    lease_seconds: float = LEASE_SECONDS,
) -> PostedComment:
    """Post or edit, and record. Raises ``LeaseHeldError``, ``ForgeError``, ``ValueError`` for a review of no thread."""
    thread = review.thread
    if thread is None:
        raise ValueError(f"review {review.id} has no thread to post to")
    if not store.lease(thread, review.subject, owner, now, lease_seconds):
        raise LeaseHeldError(thread)
    try:
        comment = post(forge, thread, review.subject, body)
        posted = PostedComment(
            thread=thread,
            subject=review.subject,
            comment_id=comment.id,
            digest=digest(comment.body),
            review=review.id,
            posted_at=now,
        )
        store.record(posted)
        return posted
    finally:
        store.release(thread, review.subject, owner)


def post(forge: Forge, thread: Thread, subject: str, body: str) -> Comment:
    """The comment as it stands afterwards: exactly one, the oldest of those that bear the marker."""
    try:
        return _stand(forge, thread, subject, body)
    except ForgeError as error:
        if error.fault is not ForgeFault.REFUSED:
            raise
        return _stand(forge, thread, subject, shorter(body))


def _stand(forge: Forge, thread: Thread, subject: str, body: str) -> Comment:
    found = own_comments(forge, thread, subject)
    if not found:
        return _sent(lambda: forge.create_comment(thread, body), forge, thread, subject, body)
    for extra in found[1:]:
        _delete(forge, thread, extra)
    if _same(found[0].body, body):
        return found[0]
    return _sent(lambda: forge.edit_comment(thread, found[0].id, body), forge, thread, subject, body)


def _sent(write: Callable[[], Comment], forge: Forge, thread: Thread, subject: str, body: str) -> Comment:
    try:
        return write()
    except ForgeError as error:
        if error.fault is not ForgeFault.UNAVAILABLE:
            raise
        arrived = [one for one in own_comments(forge, thread, subject) if _same(one.body, body)]
        if not arrived:
            raise
        return arrived[0]


def own_comments(forge: Forge, thread: Thread, subject: str) -> list[Comment]:
    """Oldest first. A marker in somebody else's comment is no marker."""
    login = forge.login.casefold()
    found = [
        one
        for one in forge.comments(thread)
        if one.author.casefold() == login and bears_marker(one.body, thread, subject)
    ]
    return sorted(found, key=lambda one: one.id)


def digest(body: str) -> str:
    return hashlib.sha256(_canonical(body).encode()).hexdigest()


def _same(left: str, right: str) -> bool:
    return digest(left) == digest(right)


def _canonical(body: str) -> str:
    """Forges change line ends and trim; an edit for that alone would notify people of nothing."""
    return "\n".join(line.rstrip() for line in body.splitlines()).strip()


def _delete(forge: Forge, thread: Thread, comment: Comment) -> None:
    try:
        forge.delete_comment(thread, comment.id)
    except ForgeError as error:
        if error.fault is not ForgeFault.NOT_FOUND:  # somebody else has deleted it already
            raise
