"""The facts of blobs in one SQLite file: read by many, written by whoever meets a new blob first.

A file is named after the extractor's version, so facts of another version are never read. A blob is written in one
transaction with all its facts, so a blob that is listed is complete: two processes that build the same tree do some
work twice and never see half of it. WAL lets readers go on meanwhile.

A damaged file is given up for the next generation of the same name (``facts-….1.sqlite3``). The trap: a file that
another process may have open must not be replaced under its name, or SQLite would mix the old log with the new file.
"""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from retrieval import words
from retrieval.coupling.facts import Fact
from retrieval.errors import DamagedCacheError, IndexCacheError
from retrieval.fact_rows import BlobRows, facts_of, occurrence
from retrieval.models import EvidenceKind

_T = TypeVar("_T")

_BUSY_SECONDS = 60.0
_PARAMETERS_PER_QUERY = 500  # SQLite before 3.32 takes 999

# Results that say nothing against the file: missing rights or room, a lock, a device that fails.
_UNUSABLE = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
_DAMAGED_READS = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS})

# `near` lists the facts that hooks are made of by their target. `word` and `piece` have one row per word and
# transaction; the places of a word are pairs "blob:lines", those of a piece packed occurrences in scopes. Fewer rows
# and indexes than the obvious tables: writing them is a third of a build.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, first_fact INTEGER NOT NULL, facts INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS fact (
    id INTEGER PRIMARY KEY, blob INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL,
    scope TEXT NOT NULL, lines TEXT NOT NULL, token TEXT NOT NULL, owner TEXT NOT NULL, shape TEXT, detail TEXT,
    first INTEGER, last INTEGER
);
CREATE INDEX IF NOT EXISTS fact_by_name ON fact (name, kind);
CREATE INDEX IF NOT EXISTS fact_renamed ON fact (blob, name, owner, target)
    WHERE kind = 'import' AND owner != name AND owner != '*' AND scope = '<module>';
CREATE TABLE IF NOT EXISTS near (target TEXT NOT NULL, fact INTEGER NOT NULL, PRIMARY KEY (target, fact)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS word (word TEXT NOT NULL, part INTEGER NOT NULL, places TEXT NOT NULL,
    PRIMARY KEY (word, part)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS gram (gram INTEGER NOT NULL, blob INTEGER NOT NULL, line INTEGER NOT NULL,
    PRIMARY KEY (gram, blob, line)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scope (
    id INTEGER PRIMARY KEY, blob INTEGER NOT NULL, qualname TEXT NOT NULL, size INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS piece (piece TEXT NOT NULL, part INTEGER NOT NULL, places BLOB NOT NULL,
    PRIMARY KEY (piece, part)) WITHOUT ROWID;
"""
_TABLES = ("blob", "fact", "near", "word", "gram", "scope", "piece")
_PACKED = "Q"  # eight bytes for an occurrence
_INSERT_FACT = f"INSERT INTO fact VALUES ({','.join('?' * 13)})"
_FACT = "fact.blob, name, kind, fact.target, scope, lines, token, owner, shape, detail, first, last"
_NEAR = frozenset({EvidenceKind.PATCH, EvidenceKind.SUBCLASS, EvidenceKind.IMPORT})


class FactCache:
    """``path`` is the SQLite file of the first generation; its directory is made.

    Raises `IndexCacheError` when the cache cannot be used at all. A damage found when opening is repaired at once;
    found later it is a `DamagedCacheError`, upon which `start_over` leads to an empty cache.
    """

    def __init__(self, path: Path) -> None:
        self._first = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise IndexCacheError(str(path), words.cache_unusable(str(error))) from error
        self.path = latest_generation(path)
        try:
            self._connection = self._connect()
        except DamagedCacheError:
            self._connection = self._next_generation()

    def close(self) -> None:
        self._connection.close()

    def start_over(self) -> None:
        """Give up a damaged file, which holds nothing that cannot be built again, for the next generation."""
        self.close()
        self._connection = self._next_generation()

    def ids(self, keys: Iterable[str]) -> dict[str, int]:
        """Blob key → row id, of the blobs the cache has."""
        found: dict[str, int] = {}
        for batch in _batches(list(keys)):
            found.update(self._rows(f"SELECT key, id FROM blob WHERE key IN ({_marks(batch)})", batch))
        return found

    def store(self, blobs: Iterable[BlobRows]) -> None:
        """Add blobs in one transaction; those that another process added meanwhile are left as they are."""
        with self._writing() as connection:
            writing = _Writing(connection)
            for blob in blobs:
                writing.add(blob)
            writing.add_words()

    def named(self, names: Sequence[str], kinds: Sequence[EvidenceKind]) -> list[tuple[int, Fact]]:
        """(blob, fact) of facts filed under one of ``names``, in no particular order."""
        found: list[tuple[int, Fact]] = []
        for batch in _batches(names):
            query = f"SELECT {_FACT} FROM fact WHERE name IN ({_marks(batch)}) AND kind IN ({_marks(kinds)})"
            found += self._facts(query, (*batch, *kinds))
        return found

    def under(self, module: str, kinds: Sequence[EvidenceKind]) -> list[tuple[int, Fact]]:
        """(blob, fact) of patches, subclasses and imports whose target is ``module`` or below it."""
        query = (
            f"SELECT {_FACT} FROM near JOIN fact ON fact.id = near.fact WHERE (near.target = ? OR "
            f"(near.target >= ? AND near.target < ?)) AND kind IN ({_marks(kinds)})"
        )
        return self._facts(query, (module, f"{module}.", f"{module}/", *kinds))

    def of_blob(self, blob: int, *kinds: EvidenceKind, scope: str | None = None) -> list[Fact]:
        """Facts of one blob, or of one scope of it, in the order they were extracted."""
        query = (
            f"SELECT {_FACT} FROM blob JOIN fact ON fact.id BETWEEN first_fact AND first_fact + facts - 1 "
            f"WHERE blob.id = ? AND kind IN ({_marks(kinds)})"
        )
        parameters: list[object] = [blob, *kinds]
        if scope is not None:
            query += " AND instr(scope, ?)"  # coarse: rows that several scopes share list them all
            parameters.append(scope)
        return [fact for _, fact in self._facts(f"{query} ORDER BY fact.id", parameters, scope)]

    def holding(self, grams: Sequence[int]) -> list[tuple[int, int, int]]:
        """(gram, blob, first line) of the definitions whose sketch holds one of ``grams``."""
        found: list[tuple[int, int, int]] = []
        for batch in _batches(grams):
            found += self._rows(f"SELECT gram, blob, line FROM gram WHERE gram IN ({_marks(batch)})", batch)
        return found

    def defined_at(self, blob: int, lines: Sequence[int]) -> list[tuple[int, Fact]]:
        """(blob, fact) of the definitions of a blob that start on one of ``lines``."""
        query = (
            f"SELECT {_FACT} FROM blob JOIN fact ON fact.id BETWEEN first_fact AND first_fact + facts - 1 "
            f"WHERE blob.id = ? AND kind = 'fork' AND first IN ({_marks(lines)})"
        )
        return self._facts(query, (blob, *lines))

    def renamed_imports(self) -> Sequence[tuple[int, str, str, str]]:
        """(blob, name, bound name, target) of the imports at module level that bind another name than they ask for."""
        query = (
            "SELECT blob, name, owner, target FROM fact "
            "WHERE kind = 'import' AND owner != name AND owner != '*' AND scope = '<module>'"
        )
        return self._rows(query, ())

    def word_lines(self, word: str) -> dict[int, int]:
        """Blob → number of lines that hold ``word``."""
        rows = self._rows("SELECT places FROM word WHERE word = ?", (word,))
        try:
            pairs = [place.split(":") for (places,) in rows for place in places.split(" ")]
            return {int(blob): int(lines) for blob, lines in pairs}
        except ValueError as error:
            raise DamagedCacheError(str(self.path), words.cache_damaged(str(error))) from error

    def scopes(self) -> Sequence[tuple[int, int, str, int]]:
        """(id, blob, qualname, number of pieces) of every scope of every blob."""
        return self._rows("SELECT id, blob, qualname, size FROM scope", ())

    def occurrences(self, piece: str) -> Sequence[int]:
        """`retrieval.fact_rows.occurrence` of each scope that has ``piece``."""
        found = array(_PACKED)
        try:
            for (places,) in self._rows("SELECT places FROM piece WHERE piece = ?", (piece,)):
                found.frombytes(places)
        except (TypeError, ValueError) as error:
            raise DamagedCacheError(str(self.path), words.cache_damaged(str(error))) from error
        return found

    def counts(self) -> dict[str, int]:
        """Number of facts of each kind, of blobs and of words."""
        places = "sum(length(lines) - length(replace(lines, ';', '')) + 1)"  # a row may hold several
        found = dict(self._rows(f"SELECT kind, {places} FROM fact GROUP BY kind", ()))
        (found["blob"],) = (row[0] for row in self._rows("SELECT count(*) FROM blob", ()))
        (found["word"],) = (row[0] for row in self._rows("SELECT count(DISTINCT word) FROM word", ()))
        return found

    def _rows(self, query: str, parameters: Sequence[object]) -> Sequence[tuple]:  # type: ignore[type-arg]
        try:
            return self._connection.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise _error(self.path, error) from error
        except UnicodeDecodeError as error:  # a message of SQLite that quotes what it found
            raise DamagedCacheError(str(self.path), words.cache_damaged(str(error))) from error

    def _facts(self, query: str, parameters: Sequence[object], scope: str | None = None) -> list[tuple[int, Fact]]:
        rows = self._rows(query, parameters)
        try:
            return [fact for row in rows for fact in facts_of(row, scope)]
        except (TypeError, ValueError) as error:  # a row that no writer wrote
            raise DamagedCacheError(str(self.path), words.cache_damaged(str(error).partition("\n")[0])) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise _error(self.path, error) from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _next_generation(self) -> sqlite3.Connection:
        """Connect to a later generation, a new one unless another process has already begun it."""
        given_up, generations = self.path, _generations(self._first)
        latest = max(generations)
        self.path = _generation(self._first, latest + 1 if generations[latest] == given_up else latest)
        connection = self._connect()
        _delete(given_up)
        return connection

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.DatabaseError as error:
            raise _error(self.path, error) from error
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA cache_size=-65536")
            connection.execute("PRAGMA wal_autocheckpoint=8000")  # pages: a few times in a cold build
            connection.execute("PRAGMA cell_size_check=ON")  # look closer at each page: damage shows sooner
            connection.executescript(_SCHEMA)
            # Reads the header and every table's root page, which a truncated or overwritten file does not survive.
            for table in _TABLES:
                connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchall()
        except sqlite3.DatabaseError as error:
            connection.close()
            raise _error(self.path, error) from error
        return connection


class _Writing:
    """One transaction that adds blobs. Facts of a blob get consecutive ids."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        (self._next_fact,) = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM fact").fetchone()
        self._places: dict[str, list[str]] = {}
        self._grams: list[tuple[int, int, int]] = []
        (self._next_scope,) = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM scope").fetchone()
        self._occurrences: dict[str, array[int]] = {}
        self._part: int | None = None

    def add(self, blob: BlobRows) -> None:
        values = (blob.key, self._next_fact, len(blob.facts))
        inserted = self._connection.execute(
            "INSERT OR IGNORE INTO blob (key, first_fact, facts) VALUES (?, ?, ?)", values
        )
        row = inserted.lastrowid
        if inserted.rowcount != 1 or row is None:
            return
        self._part = self._part or row
        numbered = list(enumerate(blob.facts, self._next_fact))
        self._next_fact += len(numbered)
        self._connection.executemany(_INSERT_FACT, ((number, row, *fact) for number, fact in numbered))
        near = [(fact[2], number) for number, fact in numbered if fact[1] in _NEAR]
        self._connection.executemany("INSERT INTO near VALUES (?, ?)", near)
        for word, lines in blob.words:
            self._places.setdefault(word, []).append(f"{row}:{lines}")
        self._grams += [(gram, row, line) for gram, line in blob.grams]
        self._add_scopes(row, blob)

    def _add_scopes(self, row: int, blob: BlobRows) -> None:
        numbered = ((number, row, *scope) for number, scope in enumerate(blob.scopes, self._next_scope))
        self._connection.executemany("INSERT INTO scope VALUES (?, ?, ?, ?)", numbered)
        offset = occurrence(self._next_scope, 0)
        for piece, places in blob.pieces.items():
            self._occurrences.setdefault(piece, array(_PACKED)).extend([offset + place for place in places])
        self._next_scope += len(blob.scopes)

    def add_words(self) -> None:
        # In the order of the table, so that neighbours are written together.
        rows = [(word, self._part, " ".join(places)) for word, places in sorted(self._places.items())]
        self._connection.executemany("INSERT INTO word VALUES (?, ?, ?)", rows)
        self._connection.executemany("INSERT OR IGNORE INTO gram VALUES (?, ?, ?)", sorted(self._grams))
        packed = [(piece, self._part, places.tobytes()) for piece, places in sorted(self._occurrences.items())]
        self._connection.executemany("INSERT INTO piece VALUES (?, ?, ?)", packed)


def latest_generation(first: Path) -> Path:
    """The file in use of a cache whose first generation is ``first``; it need not exist yet."""
    return max(_generations(first).items())[1]


def _generation(first: Path, number: int) -> Path:
    return first.with_suffix(f".{number}{first.suffix}") if number else first


def _generations(first: Path) -> dict[int, Path]:
    """The generations of a cache that lie on disk, by number; the first is always listed."""
    pattern = re.compile(re.escape(first.stem) + r"\.(\d+)" + re.escape(first.suffix))
    listed = first.parent.iterdir() if first.parent.is_dir() else ()
    return {0: first} | {int(match[1]): path for path in listed if (match := pattern.fullmatch(path.name))}


def _delete(path: Path) -> None:
    """Drop a file that is no longer wanted. Where that is forbidden it only takes up room."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _error(path: Path, error: sqlite3.DatabaseError) -> IndexCacheError:
    """A file that cannot be used as things are, or one that holds rubbish: only the latter is worth building again."""
    code: int | None = getattr(error, "sqlite_errorcode", None)  # none when Python could not decode a text
    if code is not None and code not in _DAMAGED_READS and code & 0xFF in _UNUSABLE:
        return IndexCacheError(str(path), words.cache_unusable(str(error)))
    return DamagedCacheError(str(path), words.cache_damaged(str(error)))


def _marks(items: Sequence[object]) -> str:
    return ",".join("?" * len(items))


def _batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), _PARAMETERS_PER_QUERY):
        yield items[start : start + _PARAMETERS_PER_QUERY]
