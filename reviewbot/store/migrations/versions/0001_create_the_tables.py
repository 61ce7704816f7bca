"""Create the tables: changes, analyses, ledgers, priors, drafts.

Values of enumerations are written out: a migration says what was, whatever the code says today. The Chinese label
values are written as escapes, since the texts for people live elsewhere.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

YES, NO, UNCLEAR = "\u662f", "\u5426", "\u5f85\u786e\u8ba4"


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def integer(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(), nullable=False)


def closed(name: str, *values: str, nullable: bool = False) -> sa.Column[str]:
    kind = sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)
    return sa.Column(name, kind, nullable=nullable)


def labels() -> list[sa.Column[str]]:
    return [
        closed("verdict", "Check", "Test", "Shim"),
        closed("risk", "low", "medium", "high"),
        closed("needs_adaptation", YES, NO, UNCLEAR),
        closed("needs_cann", YES, NO, nullable=True),
        closed("npu_affected", YES, NO),
        closed("compile_stage", "Dynamo", "AOTAutograd", "Inductor", nullable=True),
    ]


def child_of(parent: str, *keys: str) -> list[sa.Column[int] | sa.Constraint]:
    """The key of a table whose rows belong to a row of ``parent``; ``keys`` complete it."""
    parent_key = "id" if parent == "analyses" else "analysis_id"
    return [
        integer("analysis_id"),
        sa.ForeignKeyConstraint(["analysis_id"], [f"{parent}.{parent_key}"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("analysis_id", *keys),
    ]


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer()),
        text("title"),
        sa.Column("date", sa.Text()),
        sa.Column("merged", sa.Boolean(), nullable=False),
        sa.Column("reverted", sa.Boolean(), nullable=False),
        json("content"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_changes_number", "changes", ["number"])
    op.create_table(
        "analyses",
        integer("id"),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        closed("state", "done", "evidence_insufficient", "scope_too_large", "superseded", "failed"),
        text("reason"),
        sa.Column("change_key", sa.String(64), nullable=False),
        text("change_source"),
        json("delta"),
        json("versions"),
        json("timing"),
        sa.ForeignKeyConstraint(["change_key"], ["changes.key"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_analyses_change_key_id", "analyses", ["change_key", "id"])
    _create_ledgers()
    _create_judgement()


def _create_ledgers() -> None:
    op.create_table(
        "ledgers",
        *child_of("analyses"),
        text("downstream"),
        text("revision"),
        integer("found"),
        integer("shown"),
        integer("cut"),
        json("by_kind"),
        integer("tokens"),
        integer("files_searched"),
    )
    op.create_table(
        "ledger_items",
        *child_of("ledgers", "position"),
        integer("position"),
        text("id"),
        closed(
            "kind",
            *("fork", "patch", "override", "registration", "subclass"),
            *("reference", "import", "config", "test_copy", "hook"),
        ),
        json("kinds"),
        closed(
            "relation",
            *("same_symbol", "same_operator", "same_flag", "member", "enclosing"),
            *("touched", "same_name", "same_module", "same_package"),
        ),
        text("path"),
        text("scope"),
        json("lines"),
        text("token"),
        text("symbol"),
        json("symbols"),
        text("snippet"),
        json("detail"),
        sa.Column("score", sa.Double(), nullable=False),
    )
    op.create_index("ix_ledger_items_path_scope", "ledger_items", ["path", "scope"])
    op.create_index("ix_ledger_items_symbol", "ledger_items", ["symbol"])
    op.create_table(
        "ledger_misses",
        *child_of("ledgers", "position"),
        integer("position"),
        text("id"),
        text("symbol"),
        text("pattern"),
        integer("files"),
        integer("count"),
    )
    op.create_table(
        "ledger_counts",
        *child_of("ledgers", "position"),
        integer("position"),
        text("symbol"),
        text("pattern"),
        integer("lines"),
        integer("files"),
    )


def _create_judgement() -> None:
    op.create_table(
        "priors",
        *child_of("analyses"),
        *labels(),
        closed("track", "A", "B"),
        closed("decision", "decided", "open"),
        text("rubric_version"),
    )
    op.create_table(
        "fired_rules",
        *child_of("priors", "position"),
        integer("position"),
        text("id"),
        closed("group", "verdict", "adjust", "stage", "track", "cann"),
        text("reason"),
        json("because"),
    )
    op.create_index("ix_fired_rules_id", "fired_rules", ["id"])
    op.create_table(
        "drafts",
        *child_of("analyses", "stage"),
        closed("stage", "proposed", "checked"),
        *labels(),
        text("summary"),
        text("analysis"),
        text("writer"),
        json("removed"),
        json("cited"),
    )
    op.create_table(
        "findings",
        integer("analysis_id"),
        closed("stage", "proposed", "checked"),
        integer("position"),
        closed(
            "kind",
            *("unknown_id", "uncited_claim", "wrong_path", "wrong_line", "wrong_scope", "wrong_count"),
            *("wrong_relation", "wrong_polarity", "unknown_name", "inconsistent_flags", "not_chinese", "length"),
        ),
        text("sentence"),
        text("message"),
        sa.ForeignKeyConstraint(["analysis_id", "stage"], ["drafts.analysis_id", "drafts.stage"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("analysis_id", "stage", "position"),
    )


def downgrade() -> None:
    for table in ("findings", "drafts", "fired_rules", "priors", "ledger_counts", "ledger_misses", "ledger_items"):
        op.drop_table(table)
    for table in ("ledgers", "analyses", "changes"):
        op.drop_table(table)
