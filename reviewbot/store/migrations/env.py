"""Run by Alembic. The program hands in its own connection, already in a transaction that it will commit.

A developer who writes a migration has none, and names a database instead:
``alembic -c <ini with script_location> -x url=sqlite:///scratch.db revision --autogenerate --rev-id 0002 -m "…"``.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine

from reviewbot.store.service_tables import METADATA


def _run(connection: Connection) -> None:
    # SQLite alters tables by copying them, hence the batch mode.
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


_given: Connection | None = context.config.attributes.get("connection")
if _given is not None:
    _run(_given)
else:
    with create_engine(context.get_x_argument(as_dictionary=True)["url"]).begin() as _connection:
        _run(_connection)
