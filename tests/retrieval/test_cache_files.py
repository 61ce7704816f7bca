"""Old files of the facts cache are forgotten; the one in use and recent ones stay."""

from __future__ import annotations

import os
import time
from pathlib import Path

from retrieval.cache_files import UNUSED_SECONDS, cache_file
from tests.support.tree import memory_index


def lay_aged(path: Path, seconds: float) -> Path:
    path.write_bytes(b"")
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_only_files_that_nobody_opened_for_a_month_are_deleted(tmp_path: Path) -> None:
    old = lay_aged(tmp_path / "facts-0123456789ab.sqlite3", UNUSED_SECONDS + 60)
    journal = lay_aged(tmp_path / "facts-0123456789ab.sqlite3-wal", UNUSED_SECONDS + 60)
    recent = lay_aged(tmp_path / "facts-ba9876543210.sqlite3", UNUSED_SECONDS - 3600)
    foreign = lay_aged(tmp_path / "notes.txt", UNUSED_SECONDS + 60)
    memory_index({"a.py": "x = 1\n"}, tmp_path).close()
    assert not old.exists()
    assert not journal.exists()
    assert recent.exists()
    assert foreign.exists()


def test_opening_counts_as_use(tmp_path: Path) -> None:
    memory_index({"a.py": "x = 1\n"}, tmp_path).close()
    lay = cache_file(tmp_path)
    then = time.time() - UNUSED_SECONDS - 60
    os.utime(lay, (then, then))
    memory_index({"a.py": "x = 1\n"}, tmp_path).close()
    assert time.time() - lay.stat().st_mtime < 3600
