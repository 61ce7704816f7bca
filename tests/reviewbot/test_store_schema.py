"""The schema: migrations, constraints and models say the same; files that are not ours to touch stay as they are."""

from __future__ import annotations

import multiprocessing
import re
import shutil
import sqlite3
import types
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from pydantic import BaseModel
from sqlalchemy import Enum, create_engine, inspect

from retrieval.models import EvidenceItem, EvidenceKind, Miss, Relation, SymbolCount, Totals
from reviewbot.errors import ReviewbotError, StoreDamagedError, StoreError, StoreForeignError, StoreTooNewError
from reviewbot.models import CheckedDraft, Draft, Finding, FiredRule, Labels, Prior
from reviewbot.store import open_store
from reviewbot.store.schema import HEAD, MIGRATIONS, Schema
from reviewbot.store.tables import (
    Base,
    DraftRow,
    FindingRow,
    FiredRuleRow,
    LedgerCountRow,
    LedgerItemRow,
    LedgerMissRow,
    LedgerRow,
    PriorRow,
)
from tests.reviewbot.analyses import example
from tests.reviewbot.store_worker import open_and_save
from tests.support.values import imported, ledger, merged, patch, registration

NEXT = f"{int(HEAD) + 1:04}"  # a migration that the program does not have yet
PARTS_IN_ROWS_OF_THEIR_OWN = {"labels", "rules", "findings"}
MODELS_AND_TABLES: list[tuple[type[BaseModel], type[Base]]] = [
    (EvidenceItem, LedgerItemRow),
    (Miss, LedgerMissRow),
    (SymbolCount, LedgerCountRow),
    (Totals, LedgerRow),
    (Labels, DraftRow),
    (Labels, PriorRow),
    (Prior, PriorRow),
    (FiredRule, FiredRuleRow),
    (Draft, DraftRow),
    (CheckedDraft, DraftRow),
    (Finding, FindingRow),
]


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def file(tmp_path: Path, empty_database: Path) -> Path:
    """A database as the migrations make it."""
    return Path(shutil.copy(empty_database, tmp_path))


def query(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Runs statements outside the store and returns the rows of the last."""
    database = sqlite3.connect(path)
    try:
        rows: list[tuple[object, ...]] = []
        for statement in statements:
            rows = database.execute(statement).fetchall()
        database.commit()
        return rows
    finally:
        database.close()


# --- models, metadata and migrations agree ----------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "table"), MODELS_AND_TABLES)
def test_every_field_has_its_column(model: type[BaseModel], table: type[Base]) -> None:
    columns = set(Base.metadata.tables[table.__tablename__].columns.keys())
    assert set(model.model_fields) - PARTS_IN_ROWS_OF_THEIR_OWN <= columns


def test_enumerations_are_columns_with_equal_constraints(file: Path) -> None:
    """Read from the database that the migrations made, not from the metadata."""
    engine = create_engine(url_of(file))
    checks = {
        (table, str(check["name"])): set(re.findall(r"'([^']*)'", str(check["sqltext"])))
        for table in inspect(engine).get_table_names()
        for check in inspect(engine).get_check_constraints(table)
    }
    engine.dispose()
    expected = {}
    for table in Base.metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, Enum):
                enumeration = column.type.enum_class
                assert enumeration is not None
                assert issubclass(enumeration, StrEnum)
                expected[table.name, f"ck_{table.name}_{column.name}"] = {member.value for member in enumeration}
    assert checks == expected
    constrained = {(table, name.removeprefix(f"ck_{table}_")) for table, name in checks}
    for model, table_row in MODELS_AND_TABLES:
        for name, field in model.model_fields.items():
            if any(isinstance(kind, type) and issubclass(kind, StrEnum) for kind in optional(field.annotation)):
                assert (table_row.__tablename__, name) in constrained


def optional(annotation: object) -> tuple[object, ...]:
    """``X`` and ``X | None`` are both X."""
    return get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)


def test_the_database_refuses_a_value_outside_an_enumeration(file: Path) -> None:
    with open_store(url_of(file)) as store:
        store.save(example())
    for statement in (
        "UPDATE ledger_items SET kind = 'rumour'",
        "UPDATE analyses SET state = 'DONE'",
        "UPDATE drafts SET needs_cann = '待确认'",
        "UPDATE drafts SET risk = NULL",
        "INSERT INTO ledgers (analysis_id) VALUES (99)",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            query(file, "PRAGMA foreign_keys=ON", statement)
    query(file, "UPDATE drafts SET needs_cann = '是', compile_stage = NULL")


def test_alembic_sees_no_difference(file: Path) -> None:
    engine = create_engine(url_of(file))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_migrations_and_metadata_make_the_same_tables(file: Path, tmp_path: Path) -> None:
    """Alembic compares no CHECK constraints; the statements themselves hide nothing."""
    direct = tmp_path / "direct.db"
    engine = create_engine(url_of(direct))
    Base.metadata.create_all(engine)
    engine.dispose()
    assert statements(file) == statements(direct)


def statements(path: Path) -> set[tuple[str, frozenset[str]]]:
    """Each table's and index's parts, whatever their order."""
    rows = query(path, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name != 'alembic_version'")
    return {
        (str(name), frozenset(re.sub(r"\s+", " ", part).strip(" )") for part in parts(str(sql)))) for name, sql in rows
    }


def parts(sql: str) -> list[str]:
    """Splits at commas that are outside of parentheses below the first level."""
    found, depth = [""], 0
    for char in sql:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 1:
            found.append("")
        else:
            found[-1] += char
    return [*found[0].split("(", 1), *found[1:]]


def test_head_is_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == HEAD


def take_back(file: Path, revision: str) -> list[str]:
    """Undo the migrations after ``revision``; returns the tables that are left."""
    engine = create_engine(url_of(file))
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.downgrade(config, revision)
    tables = inspect(engine).get_table_names()
    engine.dispose()
    return tables


def test_migrations_can_be_taken_back(file: Path) -> None:
    assert take_back(file, "base") == ["alembic_version"]


def test_a_ledger_from_before_further_couplings_has_none(file: Path) -> None:
    """Taken back and brought up to date, an item is as it was without what the older table could not hold."""
    plain, near = merged(patch(), imported()), registration(relation=Relation.SIBLING)
    analysis = example().model_copy(update={"ledger": ledger(plain, near)})
    with open_store(url_of(file)) as store:
        number = store.save(analysis)
        assert store.load(number) == analysis
    take_back(file, "0001")
    with open_store(url_of(file)) as store:
        first, second = store.load(number).ledger.items
    assert first == analysis.ledger.items[0].model_copy(update={"further": ()})
    assert (second.relation, second.kind, second.further) == (Relation.SAME_MODULE, EvidenceKind.REGISTRATION, ())


def test_pragmas(file: Path) -> None:
    with open_store(url_of(file)) as store, store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 30_000


# --- several processes, several versions ------------------------------------------------------------------------------


def test_processes_that_open_a_fresh_database_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "reviewbot.db"
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(3)
    processes = [spawn.Process(target=open_and_save, args=(path, number, barrier)) for number in range(1, 4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with open_store(url_of(path)) as store:
        assert sorted(str(entry.upstream_pr) for entry in store.history()) == ["1", "2", "3"]


def with_next_migration(tmp_path: Path, body: str) -> Schema:
    """The migrations of the program and one more, ``NEXT``, ``body`` being its upgrade."""
    migrations = tmp_path / "migrations 100%"  # an awkward place, as a home directory can be
    shutil.copytree(MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    (migrations / "versions" / f"{NEXT}_next.py").write_text(
        f"from alembic import op\nimport sqlalchemy as sa\n\nrevision, down_revision = '{NEXT}', '{HEAD}'\n\n\n"
        f"def upgrade():\n    with op.batch_alter_table('analyses') as batch:\n        {body}\n",
        encoding="utf-8",
    )
    return Schema(head=NEXT, migrations=migrations)


def test_a_migration_that_rebuilds_a_table_keeps_the_rows_that_hang_on_it(file: Path, tmp_path: Path) -> None:
    with open_store(url_of(file)) as store:
        number = store.save(example())
    body = "batch.add_column(sa.Column('note', sa.Text())); batch.alter_column('reason', type_=sa.String(99))"
    with open_store(url_of(file), schema=with_next_migration(tmp_path, body)) as store:
        assert store.load(number) == example()
    assert query(file, "SELECT version_num FROM alembic_version") == [(NEXT,)]
    with pytest.raises(StoreTooNewError) as caught:
        open_store(url_of(file))
    assert NEXT in str(caught.value)
    assert "升级" in str(caught.value)


def test_a_migration_that_fails_changes_nothing(file: Path, tmp_path: Path) -> None:
    with open_store(url_of(file)) as store:
        number = store.save(example())
    before = statements(file)
    body = "batch.add_column(sa.Column('note', sa.Text())); op.execute('INSERT INTO analyses (id) VALUES (77)')"
    with pytest.raises(Exception, match="NOT NULL"):
        open_store(url_of(file), schema=with_next_migration(tmp_path, body))
    assert statements(file) == before
    with open_store(url_of(file)) as store:
        assert store.load(number) == example()


def test_a_migration_that_breaks_references_is_taken_back(file: Path, tmp_path: Path) -> None:
    with open_store(url_of(file)) as store:
        number = store.save(example())
    with pytest.raises(StoreDamagedError, match="引用关系"):
        open_store(url_of(file), schema=with_next_migration(tmp_path, "op.execute('DELETE FROM changes')"))
    with open_store(url_of(file)) as store:
        assert store.load(number) == example()


# --- files that are not to be touched ---------------------------------------------------------------------------------


def noise(path: Path) -> None:
    path.write_bytes(b"These are notes, not a database.\n" * 200)


def torn(path: Path) -> None:
    """Cut off in the middle, as a full disk or a broken copy leaves it."""
    query(path, "PRAGMA journal_mode=DELETE")
    path.write_bytes(path.read_bytes()[:6000])


def foreign(path: Path) -> None:
    path.unlink()
    query(path, "CREATE TABLE songs (title TEXT)", "INSERT INTO songs VALUES ('Mill wheel')")


def other_alembic(path: Path) -> None:
    foreign(path)
    query(path, "CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('0001')")


def no_revision(path: Path) -> None:
    query(path, "DELETE FROM alembic_version", "PRAGMA journal_mode=DELETE")


def newer(path: Path) -> None:
    query(path, "UPDATE alembic_version SET version_num = '9999'")
    query(path, "PRAGMA journal_mode=DELETE")


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (noise, StoreDamagedError),
        (torn, StoreDamagedError),
        (foreign, StoreForeignError),
        (other_alembic, StoreForeignError),
        (no_revision, StoreDamagedError),
        (newer, StoreTooNewError),
    ],
)
def test_a_file_that_cannot_be_used_is_left_as_it_is(
    file: Path, spoil: Callable[[Path], None], error: type[StoreError]
) -> None:
    spoil(file)
    before = file.read_bytes()
    with pytest.raises(error) as caught:
        open_store(url_of(file))
    assert str(file) in str(caught.value)
    assert str(caught.value).endswith("。")
    assert isinstance(caught.value, ReviewbotError)
    assert caught.value.location == str(file)
    assert file.read_bytes() == before


def test_an_empty_file_counts_as_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "reviewbot.db"
    path.touch()
    with open_store(url_of(path)) as store:
        assert store.load(store.save(example())) == example()
