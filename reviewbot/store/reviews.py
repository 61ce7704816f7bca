"""The store of reviews: what was ordered, which one of a thread is worked on, and where each subject stands.

Contract: every method is one transaction. At most one review of a (thread, subject) is handed or running; of those that
wait the newest alone counts. ``now`` comes from the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from reviewbot.forges.models import Thread
from reviewbot.models import AnalysisState
from reviewbot.service.models import Review, ReviewState, Subject, SubjectOutcome, Trigger
from reviewbot.store.service_tables import ReviewRow, StageRow, SubjectRow
from reviewbot.store.sessions import Sessions

_BUSY = (ReviewState.HANDED, ReviewState.RUNNING)
#: A command works off its own review at once; the queue neither waits for it nor takes it over.
_QUEUED = ReviewRow.trigger != Trigger.COMMAND_LINE
_OPEN = (ReviewState.WAITING, *_BUSY)


@dataclass(frozen=True, slots=True)
class ReviewStore:
    sessions: Sessions

    def order(self, review: Review) -> Review:
        """Keep an order, with its place among all; one that waits for the same is superseded. Twice is once, by id.

        Who asked for a new analysis and has not got it gets it from the order that takes its place.
        """
        with self.sessions(writing=True) as session:
            known = _row(session, review.id)
            if known is not None:
                return _review(known)
            thread = review.thread
            if thread is not None:
                owed = select(ReviewRow.id).where(ReviewRow.state.in_(_OPEN), ReviewRow.again)
                again = session.execute(_same(owed, thread, review.subject)).first() is not None
                review = review.model_copy(update={"again": review.again or again})
                session.execute(
                    _same(update(ReviewRow), thread, review.subject)
                    .where(ReviewRow.state == ReviewState.WAITING)
                    .values(state=ReviewState.SUPERSEDED, finished_at=review.ordered_at)
                )
            given = {name: getattr(review, name) for name in Review.model_fields if name not in ("order", "thread")}
            row = ReviewRow(**given, thread=None if thread is None else thread.key)
            session.add(row)
            session.flush()
            return _review(row)

    def get(self, review_id: str) -> Review | None:
        with self.sessions() as session:
            row = _row(session, review_id)
            return None if row is None else _review(row)

    def newest(self, thread: Thread, subject: str = "", state: ReviewState | None = None) -> Review | None:
        """The newest of a thread, of one state or of any."""
        query = _same(select(ReviewRow), thread, subject).order_by(ReviewRow.order.desc()).limit(1)
        if state is not None:
            query = query.where(ReviewRow.state == state)
        with self.sessions() as session:
            row = session.execute(query).scalar()
            return None if row is None else _review(row)

    def claim_due(self, now: datetime, limit: int = 10) -> tuple[Review, ...]:
        """Hand over what is due and has its thread to itself, the oldest first."""
        due = (
            select(ReviewRow)
            .where(ReviewRow.state == ReviewState.WAITING, ReviewRow.due_at <= now)
            .order_by(ReviewRow.order)
        )
        with self.sessions(writing=True) as session:
            worked_on = select(ReviewRow.thread, ReviewRow.subject).where(ReviewRow.state.in_(_BUSY), _QUEUED)
            busy: set[tuple[str | None, str]] = {(row[0], row[1]) for row in session.execute(worked_on)}
            claimed: list[Review] = []
            for row in session.execute(due).scalars():
                if len(claimed) == limit:
                    break
                if row.thread is not None and (row.thread, row.subject) in busy:
                    continue
                busy.add((row.thread, row.subject))
                row.state, row.handed_at = ReviewState.HANDED, now
                claimed.append(_review(row))
            return tuple(claimed)

    def stranded(self, handed_before: datetime) -> tuple[Review, ...]:
        """Handed over and not ended: the process may have died before the queue had them, or the job was given up."""
        query = select(ReviewRow).where(ReviewRow.state.in_(_BUSY), _QUEUED, ReviewRow.handed_at <= handed_before)
        with self.sessions() as session:
            return tuple(_review(row) for row in session.execute(query.order_by(ReviewRow.order)).scalars())

    def start(self, review_id: str) -> bool:
        """True when the review may be worked on: again, too, after a crash. False when it has ended meanwhile."""
        with self.sessions(writing=True) as session:
            row = _row(session, review_id)
            if row is None or row.state not in _BUSY:
                return False
            row.state = ReviewState.RUNNING
            return True

    def pin(self, review_id: str, head_sha: str, base_sha: str) -> None:
        self._change(review_id, head_sha=head_sha, base_sha=base_sha)

    def finish(self, review_id: str, state: ReviewState, reason: str, now: datetime) -> None:
        """The end of a review, once: what has ended keeps its end."""
        with self.sessions(writing=True) as session:
            row = _row(session, review_id)
            if row is not None and row.state in _OPEN:
                row.state, row.reason, row.finished_at = state, reason, now

    def superseded(self, review_id: str) -> bool:
        """A newer one of the same thread has been ordered, and was not called off."""
        with self.sessions() as session:
            row = _row(session, review_id)
            if row is None or row.thread is None:
                return False
            query = select(func.count()).where(
                ReviewRow.thread == row.thread,
                ReviewRow.subject == row.subject,
                ReviewRow.order > row.order,
                ReviewRow.state != ReviewState.CANCELLED,
            )
            return bool(session.execute(query).scalar())

    def cancel(self, review_id: str, now: datetime) -> bool:
        """True when there was something to call off."""
        with self.sessions(writing=True) as session:
            row = _row(session, review_id)
            if row is None or row.state not in _OPEN:
                return False
            row.state, row.finished_at = ReviewState.CANCELLED, now
            return True

    def listed(
        self,
        *,
        thread: Thread | None = None,
        state: ReviewState | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> tuple[Review, ...]:
        """The newest first; ``before`` is the order that the page before ended with."""
        query = select(ReviewRow).order_by(ReviewRow.order.desc()).limit(limit)
        if thread is not None:
            query = query.where(ReviewRow.thread == thread.key)
        if state is not None:
            query = query.where(ReviewRow.state == state)
        if before is not None:
            query = query.where(ReviewRow.order < before)
        with self.sessions() as session:
            return tuple(_review(row) for row in session.execute(query).scalars())

    def counts(self) -> Mapping[ReviewState, int]:
        query = select(ReviewRow.state, func.count()).group_by(ReviewRow.state)
        with self.sessions() as session:
            return dict(iter(session.execute(query)))

    # --- subjects

    def set_subjects(self, review_id: str, subjects: Sequence[Subject]) -> None:
        """The subjects of a review in their order; those that are there already keep their outcome."""
        with self.sessions(writing=True) as session:
            known = {(row.position, row.name) for row in _subjects(session, review_id)}
            wanted = {(position, subject.name) for position, subject in enumerate(subjects)}
            for position, name in known - wanted:
                gone = session.get(SubjectRow, (review_id, position))
                assert gone is not None
                assert gone.name == name
                session.delete(gone)
            session.flush()
            for position, subject in enumerate(subjects):
                if (position, subject.name) not in known:
                    told = {"state": None, "reason": "", "analysis": None}
                    session.add(SubjectRow(review_id=review_id, position=position, **subject.model_dump(), **told))

    def outcomes(self, review_id: str) -> tuple[SubjectOutcome, ...]:
        with self.sessions() as session:
            return tuple(_outcome(row) for row in _subjects(session, review_id))

    def settle(
        self, review_id: str, position: int, state: AnalysisState, reason: str = "", analysis: int | None = None
    ) -> None:
        with self.sessions(writing=True) as session:
            session.execute(
                update(SubjectRow)
                .where(SubjectRow.review_id == review_id, SubjectRow.position == position)
                .values(state=state, reason=reason, analysis=analysis)
            )

    # --- values between steps

    def put_stage(self, review_id: str, position: int, stage: str, content: Any) -> None:
        """Keep what JSON can hold; again is over."""
        with self.sessions(writing=True) as session:
            session.merge(StageRow(review_id=review_id, position=position, stage=stage, content=content))

    def stage(self, review_id: str, position: int, stage: str) -> Any:
        """None for a value that was never kept."""
        with self.sessions() as session:
            row = session.get(StageRow, (review_id, position, stage))
            return None if row is None else row.content

    def drop_stages(self, review_id: str) -> None:
        with self.sessions(writing=True) as session:
            session.execute(delete(StageRow).where(StageRow.review_id == review_id))

    def _change(self, review_id: str, **values: Any) -> None:
        with self.sessions(writing=True) as session:
            session.execute(update(ReviewRow).where(ReviewRow.id == review_id).values(**values))


def _same(statement: Any, thread: Thread, subject: str) -> Any:
    return statement.where(ReviewRow.thread == thread.key, ReviewRow.subject == subject)


def _row(session: Session, review_id: str) -> ReviewRow | None:
    return session.execute(select(ReviewRow).where(ReviewRow.id == review_id)).scalar()


def _subjects(session: Session, review_id: str) -> Sequence[SubjectRow]:
    query = select(SubjectRow).where(SubjectRow.review_id == review_id).order_by(SubjectRow.position)
    return session.execute(query).scalars().all()


def _review(row: ReviewRow) -> Review:
    given = {name: getattr(row, name) for name in Review.model_fields}
    return Review.model_validate({**given, "thread": None if row.thread is None else Thread.parse(row.thread)})


def _outcome(row: SubjectRow) -> SubjectOutcome:
    subject = Subject(kind=row.kind, name=row.name, because=row.because)
    return SubjectOutcome(
        position=row.position, subject=subject, state=row.state, reason=row.reason, analysis=row.analysis
    )
