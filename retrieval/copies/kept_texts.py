"""Texts that were costly to work out and follow from their keys, in one SQLite file.

A file that is damaged is deleted and begun anew: nothing in it is lost that cannot be worked out again. There is no
write-ahead log, so a process that still reads the deleted file does no harm.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from retrieval import words
from retrieval.errors import IndexCacheError

_BUSY_SECONDS = 60.0
_KEYS_PER_QUERY = 500  # SQLite before 3.32 takes 999
_SCHEMA = "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


class KeptTexts:
    """``path`` is made with its folder. Raises `IndexCacheError` when it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = self._connect()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._connection = self._begin_anew()

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, keys: Iterable[str]) -> dict[str, str]:
        """The texts that are there of those asked for."""
        wanted, found = list(keys), dict[str, str]()
        with self._told():
            try:
                for start in range(0, len(wanted), _KEYS_PER_QUERY):
                    batch = wanted[start : start + _KEYS_PER_QUERY]
                    query = f"SELECT key, value FROM kept WHERE key IN ({','.join('?' * len(batch))})"
                    found.update(self._connection.execute(query, batch).fetchall())
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._connection.close()
                self._connection = self._begin_anew()
                return {}
        return found

    def keep(self, texts: Mapping[str, str]) -> None:
        with self._told(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", list(texts.items()))

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
        try:
            connection.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _begin_anew(self) -> sqlite3.Connection:
        for suffix in ("", "-journal"):
            with suppress(FileNotFoundError):
                self.path.with_name(self.path.name + suffix).unlink()
        return self._connect()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise IndexCacheError(str(self.path), words.cache_unusable(str(error))) from error
