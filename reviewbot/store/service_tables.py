"""Tables of the service: what was delivered, ordered, posted, said and corrected, and who works.

::

    deliveries      reviews ─┬─ review_subjects ── analyses        comments   threads   workers   cursors
                             └─ stage_values                       corrections ── analyses

A thread is one column, its ``key``. A column bears the name of the model's field (`reviewbot.service.models`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, text
from sqlalchemy.orm import Mapped, mapped_column

from reviewbot.forges.models import ForgeKind
from reviewbot.models import AnalysisState
from reviewbot.service.models import CorrectionKind, DeliveryState, ReviewState, SubjectKind, Trigger
from reviewbot.store.column_types import closed
from reviewbot.store.tables import Base, LabelColumns


class DeliveryRow(Base):
    __tablename__ = "deliveries"
    __table_args__ = (
        Index(None, "state", "received_at"),
        # The same news twice is one row, but what failed may come again.
        Index(
            "uq_deliveries_fingerprint",
            "fingerprint",
            unique=True,
            sqlite_where=text("fingerprint <> '' AND state <> 'failed'"),
            postgresql_where=text("fingerprint <> '' AND state <> 'failed'"),
        ),
    )

    key: Mapped[str] = mapped_column(primary_key=True)
    forge: Mapped[ForgeKind] = mapped_column(closed(ForgeKind, "forge"))
    event: Mapped[str]
    fingerprint: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    received_at: Mapped[datetime]
    state: Mapped[DeliveryState] = mapped_column(closed(DeliveryState, "state"))
    reason: Mapped[str]
    handed_at: Mapped[datetime | None]
    repeats: Mapped[int]


class ReviewRow(Base):
    __tablename__ = "reviews"
    __table_args__ = (
        Index(None, "thread", "subject", "order"),
        Index(None, "state", "due_at"),
        {"sqlite_autoincrement": True},  # an order once given is never given again
    )

    order: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    thread: Mapped[str | None]
    subject: Mapped[str]
    trigger: Mapped[Trigger] = mapped_column(closed(Trigger, "trigger"))
    requested_by: Mapped[str]
    again: Mapped[bool]
    state: Mapped[ReviewState] = mapped_column(closed(ReviewState, "state"))
    reason: Mapped[str]
    head_sha: Mapped[str]
    base_sha: Mapped[str]
    ordered_at: Mapped[datetime]
    due_at: Mapped[datetime]
    handed_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class SubjectRow(Base):
    __tablename__ = "review_subjects"

    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[SubjectKind] = mapped_column(closed(SubjectKind, "kind"))
    name: Mapped[str]
    because: Mapped[str]
    state: Mapped[AnalysisState | None] = mapped_column(closed(AnalysisState, "state"))
    reason: Mapped[str]
    analysis: Mapped[int | None] = mapped_column(ForeignKey("analyses.id"), index=True)


class StageRow(Base):
    """What one step of a review hands to the next; gone when the review has ended."""

    __tablename__ = "stage_values"

    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(String(32), primary_key=True)
    content: Mapped[Any] = mapped_column(JSON)


class CommentRow(Base):
    """``comment_id`` is null while the first posting is under way. A lease without an owner is free."""

    __tablename__ = "comments"

    thread: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    comment_id: Mapped[int | None]
    digest: Mapped[str]
    review: Mapped[str]
    posted_at: Mapped[datetime | None]
    lease_owner: Mapped[str]
    lease_until: Mapped[datetime | None]


class ThreadRow(Base):
    __tablename__ = "threads"

    thread: Mapped[str] = mapped_column(primary_key=True)
    paused_by: Mapped[str]
    notice: Mapped[dict[str, Any] | None]


class CorrectionRow(LabelColumns, Base):
    __tablename__ = "corrections"
    __table_args__ = ({"sqlite_autoincrement": True},)

    number: Mapped[int] = mapped_column(primary_key=True)
    analysis: Mapped[int] = mapped_column(ForeignKey("analyses.id"), index=True)
    kind: Mapped[CorrectionKind] = mapped_column(closed(CorrectionKind, "kind"))
    note: Mapped[str]
    author: Mapped[str]
    at: Mapped[datetime]
    thread: Mapped[str | None]


class WorkerRow(Base):
    """``adopted_by`` took over the jobs of a worker that is dead."""

    __tablename__ = "workers"

    executor: Mapped[str] = mapped_column(primary_key=True)
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    stopped_at: Mapped[datetime | None]
    adopted_by: Mapped[str]


class CursorRow(Base):
    __tablename__ = "cursors"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


#: All tables of the program, those of `reviewbot.store.tables` too.
METADATA = Base.metadata
