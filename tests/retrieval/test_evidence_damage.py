"""A fact that points beyond its file is damage of the cache, and the ledger is built from a new one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from retrieval.evidence import build_ledger
from retrieval.fact_cache import latest_generation
from tests.support.tree import memory_index
from tests.support.values import change, definition, delta

FILES = {"mill_npu/a.py": "from torch._mill.gears import spin\n\ndef f(x):\n    return spin(x)\n"}
ASKED = delta(definition("spin"))


def test_a_line_beyond_the_file_is_read_anew(tmp_path: Path) -> None:
    index = memory_index(FILES, tmp_path)
    good = build_ledger(ASKED, change(), index)
    path = index.cache_path
    index.close()
    assert [item.lines for item in good.items] != []
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE fact SET lines = '99999' WHERE name = 'spin'")
    connection.close()
    index = memory_index(FILES, tmp_path)
    assert build_ledger(ASKED, change(), index) == good
    assert index.cache_path == latest_generation(path) != path
    index.close()
