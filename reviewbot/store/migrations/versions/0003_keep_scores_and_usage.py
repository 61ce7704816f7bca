"""Keep the needs-work score of a prior and a draft, and what writing the draft cost.

SQLite adds a column that may not be null only with a default. Rows from before get a score by the one question it
answers, whether their labels ask somebody to act, and no usage.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCORED = ("priors", "drafts")
WORK = "verdict = 'Shim' OR needs_adaptation <> '否' OR risk <> 'low'"


def upgrade() -> None:
    op.add_column("analyses", sa.Column("usage", sa.JSON(), nullable=False, server_default="{}"))
    for table in SCORED:
        op.add_column(table, sa.Column("needs_work_score", sa.Double(), nullable=False, server_default="0"))
        op.execute(f"UPDATE {table} SET needs_work_score = CASE WHEN {WORK} THEN 0.75 ELSE 0.25 END")
    op.create_index("ix_drafts_needs_work_score", "drafts", ["needs_work_score"])


def downgrade() -> None:
    op.drop_index("ix_drafts_needs_work_score", "drafts")
    for table in SCORED:
        op.drop_column(table, "needs_work_score")
    op.drop_column("analyses", "usage")
