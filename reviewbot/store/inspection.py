"""Looks at a database without changing it: what ``reviewbot doctor`` says about the store.

Opening a store creates or migrates its file; looking must do neither, and a file that does not exist is no error.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from reviewbot.errors import StoreDamagedError
from reviewbot.store.connection import database_file, open_engine, told
from reviewbot.store.schema import Schema, SchemaState

_PATIENCE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class StoreReport:
    """``state`` is None for a file that does not exist yet; ``analyses`` counts what it holds; ``size`` is in bytes."""

    path: Path
    state: SchemaState | None
    analyses: int = 0
    size: int = 0


def inspect_store(url: str) -> StoreReport:
    """How the database stands. Raises the ``StoreError`` that opening it would raise, and on damage inside it."""
    parsed, path = database_file(url)
    if not path.exists():
        return StoreReport(path, None)
    schema = Schema()
    engine = open_engine(parsed, busy_seconds=_PATIENCE_SECONDS)
    try:
        with told(path):
            state = schema.state(engine, path)
            with engine.connect() as connection:
                _check(connection, path)
                count = 0
                if state is not SchemaState.EMPTY:
                    count = connection.exec_driver_sql("SELECT count(*) FROM analyses").scalar_one()
    finally:
        engine.dispose()
    return StoreReport(path, state, count, path.stat().st_size)


def _check(connection: Connection, path: Path) -> None:
    verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if verdict != "ok":
        raise StoreDamagedError(str(path), str(verdict))
