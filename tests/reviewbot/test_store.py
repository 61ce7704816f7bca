"""The store: what goes in comes out, in full, and can be found again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from reviewbot.errors import AnalysisNotFoundError, StoreDamagedError, StoreError, StoreUnavailableError
from reviewbot.models import Analysis, AnalysisState
from reviewbot.store import Store, change_key, open_store
from tests.reviewbot.analyses import LABELS, example
from tests.reviewbot.any_value import anything
from tests.support import values


@pytest.fixture
def url(tmp_path: Path, empty_database: Path) -> str:
    shutil.copy(empty_database, tmp_path)
    return f"sqlite:///{tmp_path}/{empty_database.name}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(analysis=anything(Analysis))
def test_what_is_loaded_is_what_was_saved(store: Store, analysis: Analysis) -> None:
    assert store.load(store.save(analysis)) == analysis


def test_an_analysis_survives_the_process(url: str) -> None:
    with open_store(url) as first:
        number = first.save(example())
    with open_store(url) as second:
        assert second.load(number) == example()


def test_a_change_is_stored_once_however_it_was_obtained(store: Store) -> None:
    by_file = store.save(example(source="a.diff"))
    by_commit = store.save(example(source="commit 1234"))
    with sqlite3.connect(store.path) as database:
        assert database.execute("SELECT count(*) FROM changes").fetchone() == (1,)
    database.close()
    assert store.load(by_file).change.source == "a.diff"
    assert store.load(by_commit).change.source == "commit 1234"


def test_the_key_of_a_change_is_its_content() -> None:
    key = change_key(values.change(source="a"))
    assert key == change_key(values.change(source="b"))
    assert key == change_key(values.change(source="a", date=None)), "defaults do not count"
    others = [
        values.change(title="Another title"),
        values.change(reverted=True),
        values.change(values.changed_file(added=4)),
        values.change("torch/_mill/wheels.py"),
        values.change(diff_complete=False),
    ]
    assert len({key, *map(change_key, others)}) == 1 + len(others)


def test_a_list_shows_the_newest_first(store: Store) -> None:
    first = store.save(example(number=7))
    store.save(example(number=8))
    last = store.save(example(number=7).model_copy(update={"state": AnalysisState.SUPERSEDED}))
    entries = store.history(7)
    assert [entry.number for entry in entries] == [last, first]
    assert [entry.state for entry in entries] == [AnalysisState.SUPERSEDED, AnalysisState.DONE]
    assert store.history(99) == ()
    assert [entry.number for entry in store.history(limit=1)] == [last]
    newest = store.newest()
    assert newest is not None
    assert newest.number == last
    entry = entries[1]
    analysis = example(number=7)
    assert entry.upstream_pr == 7
    assert entry.title == analysis.change.title
    assert (entry.downstream, entry.revision) == (analysis.ledger.downstream, analysis.ledger.revision)
    assert (entry.labels, entry.summary, entry.writer) == (LABELS, analysis.draft.summary, "template")
    assert timedelta() <= datetime.now(UTC) - entry.created_at < timedelta(minutes=1)


def test_the_latest_analysis_of_a_change(store: Store) -> None:
    store.save(example(number=7))
    last = store.save(example(number=7, source="again"))
    store.save(example(number=8))
    latest = store.latest(change_key(example(number=7).change))
    assert latest is not None
    assert latest.number == last
    assert store.latest("0" * 64) is None


def test_an_empty_store_has_no_newest(store: Store) -> None:
    assert store.newest() is None
    assert store.history() == ()


def test_a_number_that_was_never_given(store: Store) -> None:
    with pytest.raises(AnalysisNotFoundError, match="12"):
        store.load(12)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE ledger_items SET lines = '\"x\"'",
        "UPDATE ledger_items SET detail = '{'",
        "UPDATE ledger_items SET further = '['",
        'UPDATE ledger_items SET further = \'[{"kind": "rumour"}]\'',
        "UPDATE analyses SET delta = '{\"colour\": 1}'",
        "DELETE FROM drafts",
        "DELETE FROM ledgers",
        "DROP TABLE fired_rules",
    ],
)
def test_rows_that_do_not_fit_are_reported_as_damage(store: Store, damage: str) -> None:
    number = store.save(example())
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA foreign_keys=ON")
        database.execute(damage)
    database.close()
    with pytest.raises(StoreDamagedError, match="已损坏"):
        store.load(number)


def test_a_writer_that_holds_the_file_is_waited_for_and_then_reported(url: str) -> None:
    with open_store(url, busy_seconds=0.05) as store:
        number = store.save(example())
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="正被其他程序占用"):
            store.save(example())
        assert store.load(number) == example(), "readers do not wait"
        other.execute("ROLLBACK")
        other.close()
        assert store.load(store.save(example(number=9))) == example(number=9)


def test_a_failed_save_leaves_nothing_behind(store: Store) -> None:
    broken = example().model_copy(update={"reason": None})  # NOT NULL, noticed after the change row was written
    with pytest.raises(Exception, match="NOT NULL"):
        store.save(broken)
    with sqlite3.connect(store.path) as database:
        for table in ("changes", "analyses", "ledgers", "drafts"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    database.close()


@pytest.mark.parametrize(
    "bad", ["postgresql://bot:hunter2@db/reviews", "sqlite://", "sqlite:///:memory:", "mysql://x/y", "reviewbot.db", ""]
)
def test_an_address_that_is_no_sqlite_file(bad: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(bad)
    assert "SQLite" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailableError, match=r"file/reviewbot\.db"):
        open_store(f"sqlite:///{tmp_path}/file/reviewbot.db")


def test_a_directory_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="文件无法打开"):
        open_store(f"sqlite:///{tmp_path}")
