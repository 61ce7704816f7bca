"""Opens the SQLite file and turns what the driver says into errors for people.

Every connection but a migration's enforces foreign keys, and each waits up to ``BUSY_SECONDS`` for another writer; the
file is in WAL mode, so that readers never wait. Transactions are begun by us (the driver's own habit of beginning them
late breaks DDL), a writing one with ``BEGIN IMMEDIATE``: a transaction that reads first and writes later fails at once
when another process wrote in between, and no timeout helps.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from reviewbot import words
from reviewbot.errors import StoreDamagedError, StoreError, StoreUnavailableError
from reviewbot.settings import mask_password

BUSY_SECONDS = 30
#: Execution option of a connection: how its transactions begin.
BEGIN = "reviewbot_begin"
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def database_file(url: str) -> tuple[URL, Path]:
    """The parsed URL and the file it names; ``StoreError`` for anything but an SQLite file."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.get_backend_name() != "sqlite" or parsed.database in {None, "", ":memory:"}:
        shown = mask_password(url)
        raise StoreError(shown, words.store_url_unsupported(shown))
    return parsed, Path(str(parsed.database))


def open_engine(url: URL, *, foreign_keys: bool = True, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """An engine on the file; nothing is opened before the first connection."""

    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # no transaction but those that _begin begins
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    engine = create_engine(url, connect_args={"timeout": busy_seconds})
    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Translates driver errors inside the block. Errors of our own making (a constraint broken) pass through."""
    try:
        yield
    except DBAPIError as error:
        raise _translated(error.orig, path) or error from error
    except sqlite3.Error as error:
        raise _translated(error, path) or error from error


def use_write_ahead_log(engine: Engine, busy_seconds: float = BUSY_SECONDS) -> None:
    """Put the file into WAL mode; it stays so. SQLite does not wait for others here, so the waiting is ours.

    Trap: this rewrites the file's header, so it may only be done to a file known to be ours.
    """
    deadline = time.monotonic() + busy_seconds
    pooled = engine.raw_connection()
    try:
        while True:
            try:
                pooled.cursor().execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return
    finally:
        pooled.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN, "BEGIN"))


def _code(error: BaseException | None) -> int:
    """SQLite's primary result code, 0 when there is none (extended codes keep it in their low byte)."""
    code: Any = getattr(error, "sqlite_errorcode", 0)
    return int(code) & 0xFF


def _translated(error: BaseException | None, path: Path) -> StoreError | None:
    code = _code(error)
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError) or error is None:
        return None
    reason = words.sqlite_reason(code, str(error))
    # SQLITE_ERROR on statements that tests cover means that a table or column of ours is gone.
    if code in _DAMAGED or code == sqlite3.SQLITE_ERROR:
        return StoreDamagedError(str(path), reason)
    return StoreUnavailableError(str(path), reason)
