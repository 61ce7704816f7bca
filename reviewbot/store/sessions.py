"""Transactions on one database: what every store of it shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from reviewbot.store.connection import BEGIN, told


@dataclass(frozen=True, slots=True)
class Sessions:
    """``sessions()`` reads, ``sessions(writing=True)`` may write and waits for other writers before it begins."""

    engine: Engine
    path: Path

    @contextmanager
    def __call__(self, *, writing: bool = False) -> Iterator[Session]:
        begin = "BEGIN IMMEDIATE" if writing else "BEGIN"
        with (
            told(self.path),
            self.engine.connect().execution_options(**{BEGIN: begin}) as connection,
            connection.begin(),
            Session(connection) as session,
        ):
            yield session
            session.flush()
