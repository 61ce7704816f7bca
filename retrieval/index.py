"""The coupling index: facts of one downstream tree at one revision, answered from the cache of blob facts.

Opening an index reads only blobs that the cache does not know, so a new revision costs its changed files. The index
itself holds nothing but which blob lies at which paths; everything else is a look-up in the cache.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from retrieval.coupling.facts import Fact, absolute
from retrieval.coupling.lookup import Located
from retrieval.errors import DamagedCacheError
from retrieval.extraction import Blob, blob_key, extract_all, extractor_version
from retrieval.fact_cache import FactCache
from retrieval.models import MODULE_SCOPE, EvidenceKind, Language
from retrieval.source_tree import SourceTree, TreeFile
from retrieval.symbols import language_of, module_of
from retrieval.word_search import lines_with, words_of

Progress = Callable[[int, int], None]  # blobs done, blobs to do

_MAX_REEXPORTS = 8  # a name that travels through more modules than this is a cycle


def cache_file(cache_dir: Path) -> Path:
    return cache_dir / f"facts-{extractor_version()}.sqlite3"


def open_index(
    tree: SourceTree, cache_dir: Path, *, jobs: int | None = None, progress: Progress | None = None
) -> Index:
    """The index of ``tree``, built as far as the cache under ``cache_dir`` does not have it.

    ``jobs`` is the number of processes, by default one per core. A damaged cache is replaced and built again once.
    Raises `IndexCacheError` when the cache cannot be written and `SourceTreeError` when the tree cannot be read.
    """
    path = cache_file(cache_dir)
    for attempt in (1, 2):
        cache = FactCache(path)
        try:
            return Index(tree, cache, _fill(tree, cache, jobs or os.cpu_count() or 1, progress))
        except DamagedCacheError:
            cache.discard()
            if attempt == 2:
                raise
    raise AssertionError("unreachable: the loop returns or raises")


def _fill(tree: SourceTree, cache: FactCache, jobs: int, progress: Progress | None) -> dict[str, int]:
    """Facts of every blob the cache lacks; returns the row id of each blob key of the tree."""
    paths = {blob_key(file.blob, file.path): file for file in tree.files()}
    known = cache.ids(paths)
    missing = [file for key, file in paths.items() if key not in known]
    if not missing:
        return known
    finished = 0

    def done(count: int) -> None:
        nonlocal finished
        finished += count
        if progress is not None:
            progress(finished, len(missing))

    for batch in extract_all(_blobs(tree, missing), len(missing), jobs, done):
        cache.store(batch)
    return cache.ids(paths)


def _blobs(tree: SourceTree, files: Sequence[TreeFile]) -> Iterator[Blob]:
    by_path = {file.path: file for file in files}
    for path, data in tree.read_many(by_path):
        yield Blob(blob_key(by_path[path].blob, path), language_of(path), data)


class _Home(NamedTuple):
    """One place of a blob in the tree."""

    path: str
    module: str
    is_package: bool


def _locate(fact: Fact, home: _Home) -> Located:
    target = absolute(fact.target, home.module, home.is_package)
    return Located(home.path, home.module, fact, target, absolute(fact.owner, home.module, home.is_package))


class Index:
    """Facts of one tree. Implements `retrieval.coupling.lookup.FactLookup`; not shared between threads."""

    def __init__(self, tree: SourceTree, cache: FactCache, ids: dict[str, int]) -> None:
        self.tree = tree
        self.files = tree.files()
        self._cache = cache
        self._homes: dict[int, list[_Home]] = {}
        self._modules: dict[str, tuple[int, _Home]] = {}
        for file in self.files:
            blob = ids[blob_key(file.blob, file.path)]
            home = _Home(file.path, module_of(file.path), file.path.endswith("__init__.py"))
            self._homes.setdefault(blob, []).append(home)
            if language_of(file.path) is Language.PYTHON:
                self._modules[home.module] = (blob, home)
        self._word_lines: dict[str, dict[int, int]] = {}
        self._files_with: dict[str, int] = {}
        self._exports: dict[str, dict[str, str]] = {}

    def close(self) -> None:
        self._cache.close()

    def named(self, names: Iterable[str], *kinds: EvidenceKind) -> Sequence[Located]:
        return self._located(self._cache.named(tuple(dict.fromkeys(names)), kinds))

    def under(self, module: str, *kinds: EvidenceKind) -> Sequence[Located]:
        return self._located(self._cache.under(module, kinds))

    def bases_of(self, name: str) -> Sequence[Located]:
        home = self._home(name)
        if home is None:
            return ()
        blob, place = self._modules[home]
        located = (_locate(fact, place) for fact in self._cache.of_blob(blob, EvidenceKind.SUBCLASS))
        return [base for base in located if base.owner == name]

    def defines(self, name: str) -> bool:
        return self._home(name) is not None

    def canonical(self, located: Located) -> str:
        return self.canonical_name(located.target)

    def canonical_name(self, target: str) -> str:
        """``target`` with re-exports followed; a downstream name that nothing re-exports stays as it is."""
        for _ in range(_MAX_REEXPORTS):
            home = self._home(target)
            names = target[len(home) + 1 :].split(".") if home is not None else []
            origin = self._exports_of(home).get(names[0]) if home is not None and names else None
            if origin is None:
                return target
            target = ".".join((origin, *names[1:]))
        return target

    def files_with(self, word: str) -> int:
        found = self._files_with.get(word)
        if found is None:
            found = self._files_with[word] = sum(len(self._homes.get(blob, ())) for blob in self._lines_of(word))
        return found

    def count(self, pattern: str) -> tuple[int, int]:
        """(lines, files) of the tree that hold ``pattern``, a name or dotted name, as a whole word."""
        words = words_of(pattern)
        holders = [self._lines_of(word) for word in words]
        if not holders:
            return 0, 0
        blobs = [blob for blob in set.intersection(*map(set, holders)) if blob in self._homes]
        lines = files = 0
        for blob in blobs:
            homes = self._homes[blob]
            found = holders[0][blob] if words == (pattern,) else len(lines_with(self.tree.read(homes[0].path), pattern))
            lines += found * len(homes)
            files += len(homes) if found else 0
        return lines, files

    def fact_counts(self) -> dict[str, int]:
        """Rows of the whole cache, which may hold blobs of other revisions too."""
        return self._cache.counts()

    def _lines_of(self, word: str) -> dict[int, int]:
        found = self._word_lines.get(word)
        if found is None:
            found = self._word_lines[word] = self._cache.word_lines(word)
        return found

    def _located(self, facts: Iterable[tuple[int, Fact]]) -> list[Located]:
        found = [_locate(fact, home) for blob, fact in facts for home in self._homes.get(blob, ())]
        found.sort(key=lambda located: (located.path, located.fact.lines, located.fact.name))
        return found

    def _home(self, name: str) -> str | None:
        """The longest prefix of ``name`` that is a module of the tree."""
        at = len(name)
        while at > 0:
            prefix = name[:at]
            if prefix in self._modules:
                return prefix
            at = name.rfind(".", 0, at)
        return None

    def _exports_of(self, module: str) -> dict[str, str]:
        """Names that ``module`` imports at top level, and what they stand for, absolute."""
        found = self._exports.get(module)
        if found is None:
            blob, place = self._modules[module]
            found = {}
            for fact in self._cache.of_blob(blob, EvidenceKind.IMPORT):
                target = absolute(fact.target, module, place.is_package)
                is_name = fact.scope == MODULE_SCOPE and fact.owner not in ("*", target.partition(".")[0])
                if is_name and target != f"{module}.{fact.owner}":
                    found.setdefault(fact.owner, target)
            self._exports[module] = found
        return found
