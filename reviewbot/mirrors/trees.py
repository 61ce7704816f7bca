"""Open trees and indexes at pinned revisions, kept for the next analysis: opening one costs more than asking it.

Contract: whoever holds an index has it alone; SQLite connections and lazily filled tables are not for two threads at
once. At most ``idle`` indexes stay open unused; the one unused for longest is closed first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from retrieval.git_repository import GitRepository
from retrieval.index import Index, open_index
from retrieval.models import UpstreamChange
from retrieval.source_tree import SourceTree, is_repository, open_tree
from retrieval.upstream_index import open_upstream_index
from reviewbot.mirrors.mirrors import Mirrors, Side
from reviewbot.settings import Settings


class IndexPool:
    """Indexes by key, each lent to one borrower at a time."""

    def __init__(self, idle: int = 2) -> None:
        self._most_idle = idle
        self._idle: list[tuple[str, Index]] = []  # the longest unused first
        self._guard = threading.Lock()

    @contextmanager
    def borrow(self, key: str, make: Callable[[], Index]) -> Iterator[Index]:
        """An index of ``key``, made when none is free. One that was in use when an error flew by is not kept."""
        index = self._take(key) or make()
        try:
            yield index
        except BaseException:
            _shut(index)
            raise
        for old in self._keep(key, index):
            _shut(old)

    def close(self) -> None:
        with self._guard:
            idle, self._idle = self._idle, []
        for _, index in idle:
            _shut(index)

    def _take(self, key: str) -> Index | None:
        with self._guard:
            for place, (held, index) in enumerate(self._idle):
                if held == key:
                    del self._idle[place]
                    return index
        return None

    def _keep(self, key: str, index: Index) -> list[Index]:
        with self._guard:
            self._idle.append((key, index))
            over = self._idle[: max(len(self._idle) - self._most_idle, 0)]
            self._idle = self._idle[len(over) :]
        return [old for _, old in over]


class Trees:
    """The trees and indexes of both sides. Safe for threads; close it at the end."""

    def __init__(self, settings: Settings, mirrors: Mirrors) -> None:
        self._settings = settings
        self._mirrors = mirrors
        self._pool = IndexPool()

    @contextmanager
    def downstream(self, revision: str) -> Iterator[Index]:
        """The coupling index of torch_npu at a pinned revision; "" for a downstream that is a plain folder."""
        path = self._mirrors.location(Side.DOWNSTREAM)

        def make() -> Index:
            tree = open_tree(path, revision or None)
            return _owning(tree, lambda: open_index(tree, self._settings.cache.dir, jobs=self._jobs))

        with self._pool.borrow(f"downstream {revision}", make) as index:
            yield index

    @contextmanager
    def upstream(self, change: UpstreamChange) -> Iterator[tuple[SourceTree | None, SourceTree | None, Index | None]]:
        """Base, head and the index of the base, None for what the upstream repository does not have."""
        with ExitStack() as stack:
            base = self._commit(change.base_sha)
            head = self._commit(change.head_sha)
            for tree in (base, head):
                if tree is not None:
                    stack.callback(tree.close)
            code = None
            if base is not None and self._settings.index.upstream:
                code = stack.enter_context(
                    self._pool.borrow(f"upstream {change.base_sha}", self._upstream_index(change))
                )
            yield base, head, code

    def close(self) -> None:
        self._pool.close()

    @property
    def _jobs(self) -> int | None:
        return self._settings.index.jobs or None

    def _commit(self, sha: str | None) -> SourceTree | None:
        path = self._clone()
        if path is None or sha is None or not GitRepository(path).knows(sha):
            return None
        return open_tree(path, sha)

    def _clone(self) -> Path | None:
        """The upstream repository; None where there is none to read commits from."""
        if not self._mirrors.has(Side.UPSTREAM):
            return None
        path = self._mirrors.location(Side.UPSTREAM)
        return path if is_repository(path) else None

    def _upstream_index(self, change: UpstreamChange) -> Callable[[], Index]:
        def make() -> Index:
            tree = self._commit(change.base_sha)
            assert tree is not None
            return _owning(tree, lambda: open_upstream_index(tree, self._settings.cache.dir, jobs=self._jobs))

        return make


def _shut(index: Index) -> None:
    index.close()
    index.tree.close()


def _owning(tree: SourceTree, make: Callable[[], Index]) -> Index:
    """The index of a tree that nobody else holds; the tree is closed when there will be no index."""
    try:
        return make()
    except BaseException:
        tree.close()
        raise
