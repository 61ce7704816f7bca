"""What is kept between runs, in one SQLite file of the cache directory: answers, manners of endpoints, money spent.

Contract: safe for any number of threads and processes; each method is one transaction. An identical request (SHA-256 of
endpoint, model, parameters and messages) is answered from it at no cost. Money is set aside before a request and
settled after it, so that workers side by side cannot pass a cap together; what a killed worker had set aside counts as
spent for that day. Every method raises ``MemoryUnusableError`` for a file that cannot be used.

The file may be deleted at any time: answers are then paid for again, and the day's spending begins anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from reviewbot.drafting.model.answer import ModelAnswer
from reviewbot.drafting.model.capabilities import Manner
from reviewbot.errors import ReviewbotError
from reviewbot.models import Usage

FILE_NAME = "model.sqlite"
_BUSY_SECONDS = 30.0
#: Raised when a table changes: the file is then begun anew.
_FORMAT = 2
_TABLES = """
CREATE TABLE answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE asides (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE manners (endpoint TEXT, model TEXT, manner TEXT NOT NULL, PRIMARY KEY (endpoint, model)) WITHOUT ROWID;
CREATE TABLE spending (
    number INTEGER PRIMARY KEY, day TEXT NOT NULL, model TEXT NOT NULL, calls INTEGER NOT NULL DEFAULT 0,
    prompt_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL
);
CREATE INDEX spending_by_day ON spending (day);
"""


class MemoryUnusableError(ReviewbotError):
    """``path`` is the file, ``reason`` what SQLite or the operating system said."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class OverCapError(ReviewbotError):
    """``spent`` is what the day has cost so far."""

    def __init__(self, spent: float) -> None:
        super().__init__(f"{spent:g}")
        self.spent = spent


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model took on one day (``YYYY-MM-DD``)."""

    day: str
    model: str
    usage: Usage


class Memory:
    def __init__(self, path: Path) -> None:
        self.path = path

    def answer(self, key: str) -> ModelAnswer | None:
        with self._transaction() as connection:
            row = connection.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else _read(row[0])

    def keep_answer(self, key: str, answer: ModelAnswer) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer.model_dump_json()))

    def aside(self, key: str) -> str | None:
        """The text of a short answer that is no record (`Asker.ask_aside`)."""
        with self._transaction() as connection:
            row = connection.execute("SELECT text FROM asides WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep_aside(self, key: str, text: str) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO asides VALUES (?, ?)", (key, text))

    def manner(self, base_url: str, model: str) -> Manner | None:
        with self._transaction() as connection:
            query = "SELECT manner FROM manners WHERE endpoint = ? AND model = ?"
            row = connection.execute(query, (_endpoint(base_url), model)).fetchone()
        return None if row is None else Manner.model_validate_json(row[0])

    def keep_manner(self, base_url: str, model: str, manner: Manner) -> None:
        row = _endpoint(base_url), model, manner.model_dump_json()
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO manners VALUES (?, ?, ?)", row)

    def set_aside(self, day: str, model: str, cost: float | None, cap: float | None) -> int:
        """A number to settle with. Raises ``OverCapError`` when ``cost`` would take the day beyond ``cap``."""
        with self._transaction() as connection:
            if cap is not None and cost is not None:
                query = "SELECT coalesce(sum(cost), 0.0) FROM spending WHERE day = ?"
                spent = float(connection.execute(query, (day,)).fetchone()[0])
                if spent + cost > cap:
                    raise OverCapError(spent)
            row = connection.execute("INSERT INTO spending (day, model, cost) VALUES (?, ?, ?)", (day, model, cost))
            assert row.lastrowid is not None
            return row.lastrowid

    def settle(self, number: int, usage: Usage) -> None:
        """What was set aside under ``number`` becomes what was spent; of a request that failed nothing is left."""
        change = (
            "UPDATE spending SET calls = ?, prompt_tokens = ?, cached_tokens = ?, completion_tokens = ?, cost = ? "
            "WHERE number = ?"
        )
        told = usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, usage.cost
        with self._transaction() as connection:
            if usage.calls:
                connection.execute(change, (*told, number))
            else:
                connection.execute("DELETE FROM spending WHERE number = ?", (number,))

    def spending(self) -> tuple[Spent, ...]:
        """By day and model, the latest day first."""
        query = (
            "SELECT day, model, sum(calls), sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), sum(cost) "
            "FROM spending GROUP BY day, model ORDER BY day DESC, model"
        )
        with self._transaction() as connection:
            rows = connection.execute(query).fetchall()
        names = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens", "cost")
        return tuple(Spent(day, model, Usage(**dict(zip(names, told, strict=True)))) for day, model, *told in rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                self._bring_up_to_date(connection)
                yield connection
                connection.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise MemoryUnusableError(self.path, str(error)) from error

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA user_version").fetchone()[0] == _FORMAT:
            return
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            connection.execute(f'DROP TABLE "{name}"')
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_FORMAT}")


def _read(text: str) -> ModelAnswer | None:
    """None for an answer that a newer shape of answers no longer reads: it is asked for again."""
    try:
        return ModelAnswer.model_validate_json(text)
    except ValidationError:
        return None


def _endpoint(base_url: str) -> str:
    """Never the address itself: it may hold a login."""
    return hashlib.sha256(base_url.rstrip("/").encode()).hexdigest()[:16]
