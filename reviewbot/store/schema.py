"""Brings a database file to the form this program knows, or says why it will not.

=======================  ====================================================
the file                 what happens
=======================  ====================================================
absent or empty          created by running all migrations
at ``HEAD``              nothing; Alembic is not even imported
at an older revision     migrated, in one transaction: all or nothing
at an unknown revision   ``StoreTooNewError``, untouched
tables, but not ours     ``StoreForeignError``, untouched
not a sound database     ``StoreDamagedError``, untouched
=======================  ====================================================

Two processes may open a fresh file at once: the migration runs under ``BEGIN IMMEDIATE`` and looks again at the
revision once it holds the lock.

Trap: SQLite alters a table by copying and dropping it, and dropping a table under enforced foreign keys deletes the
rows that cascade from it. Migrations therefore run with enforcement off (it can't be switched inside a transaction),
and the keys are checked before the commit.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL

from reviewbot import words
from reviewbot.errors import StoreDamagedError, StoreForeignError, StoreTooNewError
from reviewbot.store.connection import BEGIN, BUSY_SECONDS, open_engine, use_write_ahead_log

#: The newest migration, as the tests check. A constant, so that opening a store need not read the migrations.
HEAD = "0004"
MIGRATIONS = Path(__file__).parent / "migrations"


class SchemaState(StrEnum):
    EMPTY = "empty"
    CURRENT = "current"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Schema:
    """A set of migrations and its newest one."""

    head: str = HEAD
    migrations: Path = MIGRATIONS

    def state(self, engine: Engine, path: Path) -> SchemaState:
        """How the file stands. Reads only; raises for a file that is foreign or too new."""
        with engine.connect() as connection:
            return self._state(connection, path)

    def bring_up_to_date(self, url: URL, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        """Run the migrations that are missing; see the table above."""
        engine = open_engine(url, foreign_keys=False, busy_seconds=busy_seconds)
        try:
            if self.state(engine, path) is SchemaState.CURRENT:
                return
            use_write_ahead_log(engine, busy_seconds)
            with engine.connect().execution_options(**{BEGIN: "BEGIN IMMEDIATE"}) as connection, connection.begin():
                if self._state(connection, path) is not SchemaState.CURRENT:
                    self._upgrade(connection)
                    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                        raise StoreDamagedError(str(path), words.STORE_BROKEN_KEYS)
        finally:
            engine.dispose()

    def _state(self, connection: Connection, path: Path) -> SchemaState:
        tables = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
        if not tables:
            return SchemaState.EMPTY
        if not {"alembic_version", "analyses"} <= tables:
            raise StoreForeignError(str(path))
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
        if found == [self.head]:
            return SchemaState.CURRENT
        if len(found) != 1:
            raise StoreDamagedError(str(path), words.STORE_NO_REVISION)
        self._refuse_unknown(found[0], path)
        return SchemaState.BEHIND

    def _refuse_unknown(self, found: str, path: Path) -> None:
        from alembic.script import ScriptDirectory  # slow to import, and most runs never need it
        from alembic.util import CommandError

        try:
            ScriptDirectory(str(self.migrations)).get_revision(found)
        except CommandError as error:
            raise StoreTooNewError(str(path), found, self.head) from error

    def _upgrade(self, connection: Connection) -> None:
        from alembic import command
        from alembic.config import Config

        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(self.migrations).replace("%", "%%"))
        command.upgrade(config, self.head)
