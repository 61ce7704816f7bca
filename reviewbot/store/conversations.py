"""Stores of what is said on threads: comments with their leases, pauses and notices, corrections.

Contract: every method is one transaction. A lease ends by itself: whoever died while posting holds nobody up for long.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from reviewbot.forges.models import Thread
from reviewbot.models import Labels
from reviewbot.service.models import Correction, Notice, PostedComment, ThreadState
from reviewbot.store.service_tables import CommentRow, CorrectionRow, ThreadRow
from reviewbot.store.sessions import Sessions


@dataclass(frozen=True, slots=True)
class CommentStore:
    """Implements `reviewbot.publishing.posting.Comments`."""

    sessions: Sessions

    def lease(self, thread: Thread, subject: str, owner: str, now: datetime, seconds: float) -> bool:
        """True when ``owner`` holds the comment now; whoever holds it may take it again."""
        with self.sessions(writing=True) as session:
            row = _comment(session, thread, subject)
            held = row.lease_owner not in ("", owner) and row.lease_until is not None and row.lease_until > now
            if not held:
                row.lease_owner, row.lease_until = owner, now + timedelta(seconds=seconds)
            return not held

    def release(self, thread: Thread, subject: str, owner: str) -> None:
        with self.sessions(writing=True) as session:
            row = _comment(session, thread, subject)
            if row.lease_owner == owner:
                row.lease_owner, row.lease_until = "", None

    def posted(self, thread: Thread, subject: str = "") -> PostedComment | None:
        with self.sessions() as session:
            row = session.get(CommentRow, (thread.key, subject))
            if row is None or row.comment_id is None:
                return None
            given = {name: getattr(row, name) for name in PostedComment.model_fields}
            return PostedComment.model_validate({**given, "thread": thread})

    def record(self, posted: PostedComment) -> None:
        with self.sessions(writing=True) as session:
            row = _comment(session, posted.thread, posted.subject)
            row.comment_id, row.digest = posted.comment_id, posted.digest
            row.review, row.posted_at = posted.review, posted.posted_at


@dataclass(frozen=True, slots=True)
class ThreadStore:
    sessions: Sessions

    def state(self, thread: Thread) -> ThreadState:
        with self.sessions() as session:
            row = session.get(ThreadRow, thread.key)
            if row is None:
                return ThreadState(thread=thread)
            notice = None if row.notice is None else Notice.model_validate(row.notice)
            return ThreadState(thread=thread, paused_by=row.paused_by, notice=notice)

    def pause(self, thread: Thread, by: str) -> None:
        with self.sessions(writing=True) as session:
            _thread(session, thread).paused_by = by

    def resume(self, thread: Thread) -> None:
        self.pause(thread, "")

    def notice(self, thread: Thread, notice: Notice) -> None:
        with self.sessions(writing=True) as session:
            _thread(session, thread).notice = notice.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class CorrectionStore:
    sessions: Sessions

    def add(self, correction: Correction) -> int:
        """The number of the correction; saying the same again right after adds nothing."""
        with self.sessions(writing=True) as session:
            query = select(CorrectionRow).where(CorrectionRow.analysis == correction.analysis)
            last = session.execute(query.order_by(CorrectionRow.number.desc()).limit(1)).scalar()
            if last is not None and _said(_correction(last)) == _said(correction):
                return last.number
            given = correction.model_dump(exclude={"number", "labels", "thread"})
            thread = None if correction.thread is None else correction.thread.key
            row = CorrectionRow(**given, **correction.labels.model_dump(), thread=thread)
            session.add(row)
            session.flush()
            return row.number

    def latest(self, analysis: int) -> Correction | None:
        """The one that holds."""
        of_analysis = self.of(analysis)
        return of_analysis[-1] if of_analysis else None

    def of(self, analysis: int) -> tuple[Correction, ...]:
        """All of one analysis, the oldest first."""
        query = select(CorrectionRow).where(CorrectionRow.analysis == analysis).order_by(CorrectionRow.number)
        with self.sessions() as session:
            return tuple(_correction(row) for row in session.execute(query).scalars())

    def listed(self, after: int = 0, limit: int = 1000) -> tuple[Correction, ...]:
        """In order, from behind the number ``after``."""
        query = select(CorrectionRow).where(CorrectionRow.number > after).order_by(CorrectionRow.number).limit(limit)
        with self.sessions() as session:
            return tuple(_correction(row) for row in session.execute(query).scalars())


def _comment(session: Session, thread: Thread, subject: str) -> CommentRow:
    row = session.get(CommentRow, (thread.key, subject))
    if row is None:
        row = CommentRow(thread=thread.key, subject=subject, digest="", review="", lease_owner="")
        session.add(row)
    return row


def _thread(session: Session, thread: Thread) -> ThreadRow:
    row = session.get(ThreadRow, thread.key)
    if row is None:
        row = ThreadRow(thread=thread.key, paused_by="")
        session.add(row)
    return row


def _said(correction: Correction) -> tuple[object, ...]:
    return correction.kind, correction.labels, correction.note, correction.author


def _correction(row: CorrectionRow) -> Correction:
    labels = Labels.model_validate({name: getattr(row, name) for name in Labels.model_fields})
    given = {name: getattr(row, name) for name in Correction.model_fields if name not in ("labels", "thread")}
    thread = None if row.thread is None else Thread.parse(row.thread)
    return Correction.model_validate({**given, "labels": labels, "thread": thread})
