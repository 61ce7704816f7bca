"""Keep the further couplings and the near-duplicates of a ledger item, and let its relation be one of five more.

SQLite cannot alter a CHECK constraint, so the table is written anew. Rows from before have neither. On the way
back those are lost, and the new relations become the nearest weak one that the older table knows.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLE, OLD = "ledger_items", "ledger_items_old"
COPIED = (
    *("analysis_id", "position", "id", "kind", "kinds", "relation", "path", "scope", "lines"),
    *("token", "symbol", "symbols", "snippet", "detail", "score"),
)
RELATIONS_BEFORE = (
    *("same_symbol", "same_operator", "same_flag", "member", "enclosing"),
    *("touched", "same_name", "same_module", "same_package"),
)
RELATIONS = (
    *RELATIONS_BEFORE[:-2],
    *("sibling", "replacement", "consumer", "heir", "akin", "about"),
    *RELATIONS_BEFORE[-2:],
)


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(), nullable=False)


def closed(name: str, *values: str) -> sa.Column[str]:
    kind = sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)
    return sa.Column(name, kind, nullable=False)


def rewrite(relations: tuple[str, ...], *more: sa.Column[object]) -> None:
    """An empty table of the new form beside the old one, which is renamed to ``OLD``."""
    op.drop_index("ix_ledger_items_path_scope", TABLE)
    op.drop_index("ix_ledger_items_symbol", TABLE)
    op.rename_table(TABLE, OLD)
    op.create_table(
        TABLE,
        sa.Column("analysis_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["analysis_id"], ["ledgers.analysis_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("analysis_id", "position"),
        sa.Column("position", sa.Integer(), nullable=False),
        text("id"),
        closed(
            "kind",
            *("fork", "patch", "override", "registration", "subclass"),
            *("reference", "import", "config", "test_copy", "hook"),
        ),
        json("kinds"),
        closed("relation", *relations),
        text("path"),
        text("scope"),
        json("lines"),
        text("token"),
        text("symbol"),
        json("symbols"),
        text("snippet"),
        json("detail"),
        *more,
        sa.Column("score", sa.Double(), nullable=False),
    )
    op.create_index("ix_ledger_items_path_scope", TABLE, ["path", "scope"])
    op.create_index("ix_ledger_items_symbol", TABLE, ["symbol"])


def upgrade() -> None:
    rewrite(RELATIONS, json("further"), json("also_at"))
    listed = ", ".join(COPIED)
    op.execute(f"INSERT INTO {TABLE} ({listed}, further, also_at) SELECT {listed}, '[]', '[]' FROM {OLD}")
    op.drop_table(OLD)


def downgrade() -> None:
    rewrite(RELATIONS_BEFORE)
    listed = ", ".join(COPIED)
    known = ", ".join(f"'{relation}'" for relation in RELATIONS_BEFORE)
    weakened = listed.replace(
        "relation", f"CASE WHEN relation IN ({known}) THEN relation ELSE 'same_module' END AS relation"
    )
    op.execute(f"INSERT INTO {TABLE} ({listed}) SELECT {weakened} FROM {OLD}")
    op.drop_table(OLD)
