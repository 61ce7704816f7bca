"""Create the tables of the service: deliveries, reviews, comments, threads, corrections, workers, cursors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

YES, NO, UNCLEAR = "\u662f", "\u5426", "\u5f85\u786e\u8ba4"
NOT_FAILED = sa.text("fingerprint <> '' AND state <> 'failed'")


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def integer(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(), nullable=nullable)


def closed(name: str, *values: str, nullable: bool = False) -> sa.Column[str]:
    kind = sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    _deliveries()
    _reviews()
    _conversations()
    op.create_table(
        "workers",
        text("executor"),
        moment("started_at"),
        moment("seen_at"),
        moment("stopped_at", nullable=True),
        text("adopted_by"),
        sa.PrimaryKeyConstraint("executor"),
    )
    op.create_table("cursors", text("name"), text("value"), sa.PrimaryKeyConstraint("name"))


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        text("key"),
        closed("forge", "github", "atomgit", "local"),
        text("event"),
        text("fingerprint"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        moment("received_at"),
        closed("state", "received", "handed", "done", "ignored", "failed"),
        text("reason"),
        moment("handed_at", nullable=True),
        integer("repeats"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_deliveries_state_received_at", "deliveries", ["state", "received_at"])
    op.create_index(
        "uq_deliveries_fingerprint",
        "deliveries",
        ["fingerprint"],
        unique=True,
        sqlite_where=NOT_FAILED,
        postgresql_where=NOT_FAILED,
    )


def _reviews() -> None:
    states = (
        *("waiting", "handed", "running", "posted", "shown", "unchanged", "nothing"),
        *("superseded", "cancelled", "failed"),
    )
    op.create_table(
        "reviews",
        integer("order"),
        sa.Column("id", sa.String(64), nullable=False),
        text("thread", nullable=True),
        text("subject"),
        closed("trigger", "push", "command", "api", "feed", "poll", "command_line"),
        text("requested_by"),
        sa.Column("again", sa.Boolean(), nullable=False),
        closed("state", *states),
        text("reason"),
        text("head_sha"),
        text("base_sha"),
        moment("ordered_at"),
        moment("due_at"),
        moment("handed_at", nullable=True),
        moment("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("order"),
        sa.UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_reviews_state_due_at", "reviews", ["state", "due_at"])
    op.create_index("ix_reviews_thread_subject_order", "reviews", ["thread", "subject", "order"])
    op.create_table(
        "review_subjects",
        sa.Column("review_id", sa.String(64), nullable=False),
        integer("position"),
        closed("kind", "pull_request", "commit", "whole", "pasted"),
        text("name"),
        text("because"),
        closed("state", "done", "evidence_insufficient", "scope_too_large", "superseded", "failed", nullable=True),
        text("reason"),
        integer("analysis", nullable=True),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["analysis"], ["analyses.id"]),
        sa.PrimaryKeyConstraint("review_id", "position"),
    )
    op.create_index("ix_review_subjects_analysis", "review_subjects", ["analysis"])
    op.create_table(
        "stage_values",
        sa.Column("review_id", sa.String(64), nullable=False),
        integer("position"),
        sa.Column("stage", sa.String(32), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("review_id", "position", "stage"),
    )


def _conversations() -> None:
    op.create_table(
        "comments",
        text("thread"),
        text("subject"),
        integer("comment_id", nullable=True),
        text("digest"),
        text("review"),
        moment("posted_at", nullable=True),
        text("lease_owner"),
        moment("lease_until", nullable=True),
        sa.PrimaryKeyConstraint("thread", "subject"),
    )
    op.create_table(
        "threads",
        text("thread"),
        text("paused_by"),
        sa.Column("notice", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("thread"),
    )
    op.create_table(
        "corrections",
        integer("number"),
        integer("analysis"),
        closed("kind", "accepted", "corrected"),
        text("note"),
        text("author"),
        moment("at"),
        text("thread", nullable=True),
        closed("verdict", "Check", "Test", "Shim"),
        closed("risk", "low", "medium", "high"),
        closed("needs_adaptation", YES, NO, UNCLEAR),
        closed("needs_cann", YES, NO, nullable=True),
        closed("npu_affected", YES, NO),
        closed("compile_stage", "Dynamo", "AOTAutograd", "Inductor", nullable=True),
        sa.ForeignKeyConstraint(["analysis"], ["analyses.id"]),
        sa.PrimaryKeyConstraint("number"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_corrections_analysis", "corrections", ["analysis"])


def downgrade() -> None:
    for table in ("corrections", "threads", "comments", "stage_values", "review_subjects", "reviews", "deliveries"):
        op.drop_table(table)
    for table in ("cursors", "workers"):
        op.drop_table(table)
