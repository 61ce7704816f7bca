"""Indexes that close themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.index import Index
from tests.support.tree import Files, IndexOf, memory_index


@pytest.fixture
def index_of(tmp_path: Path) -> Iterator[IndexOf]:
    """Builds an index over files given as ``{path: source}``; all share one cache, as trees of one user do."""
    opened: list[Index] = []

    def build(files: Files) -> Index:
        opened.append(memory_index(files, tmp_path / "facts"))
        return opened[-1]

    yield build
    for index in opened:
        index.close()
