"""The coupling index: facts of one downstream tree at one revision, answered from the cache of blob facts.

Opening an index reads only blobs that the cache does not know, so a new revision costs its changed files. The index
itself holds nothing but which blob lies at which paths; everything else is a look-up in the cache. A damage that shows
only in the middle of a look-up makes the index build the cache again and ask once more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import chain, product
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from retrieval import words
from retrieval.cache_files import cache_file, forget_unused
from retrieval.collector import collector_paused
from retrieval.copies.candidates import rarest_first
from retrieval.coupling.facts import OWN, Fact, absolute
from retrieval.coupling.imported import STAR
from retrieval.coupling.lookup import Located
from retrieval.errors import DamagedCacheError
from retrieval.extraction import Blob, blob_key, extract_all
from retrieval.fact_cache import FactCache
from retrieval.fact_rows import BlobRows
from retrieval.models import MODULE_SCOPE, EvidenceKind, Language
from retrieval.scopes import Affinity, Scopes
from retrieval.source_tree import SourceTree
from retrieval.symbols import file_stem, language_of, module_of
from retrieval.word_search import indexed_words, lines_with

_P = ParamSpec("_P")
_T = TypeVar("_T")
Progress = Callable[[int, int], None]  # blobs done, blobs to do

_STORED_AT_ONCE = 250  # blobs in one transaction: what a killed build loses
_ANSWERS_KEPT, _FILES_KEPT = 256, 32  # kinds ask for the same names, changes for the same packages
_NAMES_KEPT = 4096  # with a kind each: targets share the classes around them
_SEEN_FROM_FILE = (OWN, ".")  # fronts of the targets that `absolute` has to complete
_MAX_REEXPORTS = 8  # a name that travels through more modules than this is a cycle


def open_index(
    tree: SourceTree, cache_dir: Path, *, jobs: int | None = None, progress: Progress | None = None
) -> Index:
    """The index of ``tree``, built as far as the cache under ``cache_dir`` does not have it.

    ``jobs`` is the number of processes, by default one per core. A damaged cache is replaced and built again once.
    Raises `IndexCacheError` when the cache cannot be written and `SourceTreeError` when the tree cannot be read.
    """
    cache = FactCache(cache_file(cache_dir))
    forget_unused(cache.path)
    return Index(tree, cache, jobs or os.cpu_count() or 1, progress)


class Built(NamedTuple):
    """How an index came about, in contents of files; equal contents count once."""

    reused: int  # their facts lay in the cache
    read: int  # read from the tree and parsed


def _fill(
    tree: SourceTree, keys: Mapping[str, str], cache: FactCache, jobs: int, progress: Progress | None
) -> tuple[dict[str, int], Built]:
    """Facts of every blob the cache lacks. ``keys`` maps paths to blob keys; returns the row id of each key."""
    paths = {key: path for path, key in keys.items()}
    known = cache.ids(paths)
    missing = [path for key, path in paths.items() if key not in known]
    built = Built(len(known), len(missing))
    if not missing:
        return known, built
    finished = 0

    def done(count: int) -> None:
        nonlocal finished
        finished += count
        if progress is not None:
            progress(finished, len(missing))

    waiting: list[BlobRows] = []
    blobs = (Blob(keys[path], language_of(path), data) for path, data in tree.read_many(missing))
    with collector_paused():
        for batch in extract_all(blobs, len(missing), jobs, done):
            waiting += batch
            if len(waiting) >= _STORED_AT_ONCE:
                cache.store(waiting)
                waiting = []
        cache.store(waiting)
    known |= cache.ids(keys[path] for path in missing)
    if len(known) != len(paths):
        raise DamagedCacheError(str(cache.path), words.CACHE_FORGETS)
    return known, built


class _Home(NamedTuple):
    """One place of a blob in the tree."""

    path: str
    module: str
    is_package: bool


class _Exports(NamedTuple):
    """What a module has from others at top level: names with what they stand for, and the modules it stars."""

    names: dict[str, str]
    stars: list[str]


def _home_of(path: str) -> _Home:
    return _Home(path, module_of(path), file_stem(path) == "__init__")


def _prevails(home: _Home, other: _Home) -> bool:
    """Of two files with one module name Python imports the package; a stub never runs."""
    return (not home.path.endswith(".pyi"), home.is_package) > (not other.path.endswith(".pyi"), other.is_package)


def _order(located: Located) -> tuple[object, ...]:
    """By place, then by everything else that tells facts apart: no answer depends on the order of building."""
    fact = located.fact
    return located.path, fact.lines, fact.name, fact.kind, fact.scope, located.target, fact.token, located.owner


def _locate(fact: Fact, home: _Home) -> Located:
    target, owner = fact.target, fact.owner  # mostly absolute, and a query locates thousands
    if target.startswith(_SEEN_FROM_FILE):
        target = absolute(target, home.module, home.is_package)
    if owner.startswith(_SEEN_FROM_FILE):
        owner = absolute(owner, home.module, home.is_package)
    return Located(home.path, home.module, fact, target, owner)


def _healing(ask: Callable[Concatenate[Index, _P], _T]) -> Callable[Concatenate[Index, _P], _T]:
    """A look-up that survives a damaged cache: it is built again, once, and asked anew from the start."""

    @wraps(ask)
    def healed(self: Index, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return ask(self, *args, **kwargs)
        except DamagedCacheError:
            self.rebuild()
            return ask(self, *args, **kwargs)

    return healed


class Index:
    """Facts of one tree. Implements `retrieval.coupling.lookup.FactLookup`; used by one thread at a time."""

    def __init__(self, tree: SourceTree, cache: FactCache, jobs: int, progress: Progress | None = None) -> None:
        self.tree = tree
        self.files = tree.files()
        self._cache = cache
        self._jobs = jobs
        try:
            self._load(progress)
        except DamagedCacheError:
            self.rebuild(progress)

    @property
    def cache_path(self) -> Path:
        """The file that the facts lie in."""
        return self._cache.path

    def close(self) -> None:
        self._cache.close()

    def rebuild(self, progress: Progress | None = None) -> None:
        """Give up what the cache holds and read the whole tree again."""
        self._cache.start_over()
        self._load(progress)

    def _load(self, progress: Progress | None) -> None:
        keys = {file.path: blob_key(file.blob, file.path) for file in self.files}
        ids, self.built = _fill(self.tree, keys, self._cache, self._jobs, progress)
        self._blobs = {path: ids[key] for path, key in keys.items()}
        self._homes: dict[int, list[_Home]] = {}
        self._paths_called: dict[str, list[str]] = {}
        self._modules: dict[str, tuple[int, _Home]] = {}
        self._word_lines: dict[str, dict[int, int]] = {}
        self._files_with: dict[str, int] = {}
        self._exports: dict[str, _Exports] = {}
        self._aliases: dict[str, set[str]] = {}
        for path, blob in self._blobs.items():
            home = _home_of(path)
            self._homes.setdefault(blob, []).append(home)
            if home.module == path:  # no Python: others do not import it
                continue
            known = self._modules.get(home.module)
            if known is None or _prevails(home, known[1]):
                self._modules[home.module] = (blob, home)
        self._lines: dict[str, Sequence[bytes]] = {}
        self._of_blob = lru_cache(_ANSWERS_KEPT)(self._cache.of_blob)
        self._named = lru_cache(_ANSWERS_KEPT)(self._find_named)
        self._filed: dict[tuple[str, EvidenceKind], Sequence[Located]] = {}
        self._under = lru_cache(_ANSWERS_KEPT)(self._find_under)
        self._scopes = Scopes(self._cache, {blob: [home.path for home in homes] for blob, homes in self._homes.items()})
        for blob, name, bound, target in self._cache.renamed_imports():
            if blob in self._homes and bound != target.partition(".")[0]:
                self._aliases.setdefault(name, set()).add(bound)

    @_healing
    def named(self, names: Iterable[str], *kinds: EvidenceKind) -> Sequence[Located]:
        return self._named(tuple(dict.fromkeys(names)), kinds)

    @_healing
    def under(self, module: str, *kinds: EvidenceKind) -> Sequence[Located]:
        return self._under(module, kinds)

    def _find_named(self, wanted: tuple[str, ...], kinds: Sequence[EvidenceKind]) -> Sequence[Located]:
        aliases = {alias for name in wanted for alias in self._aliases.get(name, ())}.difference(wanted)
        lists = self._filed_under(wanted, kinds)
        for found in self._filed_under(sorted(aliases), kinds):
            # What goes by another name is told apart by its target alone.
            lists.append([located for located in found if located.fact.target])
        return lists[0] if len(lists) == 1 else sorted(chain.from_iterable(lists), key=_order)

    def _filed_under(self, names: Sequence[str], kinds: Sequence[EvidenceKind]) -> list[Sequence[Located]]:
        """The facts of each name and kind, those asked for before from memory; empty lists are left out."""
        if len(self._filed) > _NAMES_KEPT:
            self._filed.clear()
        pairs = list(product(names, kinds))
        unknown = list(dict.fromkeys(name for name, kind in pairs if (name, kind) not in self._filed))
        if unknown:
            found: dict[tuple[str, EvidenceKind], list[tuple[int, Fact]]] = {}
            for blob, fact in self._cache.named(unknown, kinds):
                found.setdefault((fact.name, fact.kind), []).append((blob, fact))
            for pair in product(unknown, kinds):
                self._filed[pair] = self._located(found.get(pair, ()))
        return [self._filed[pair] for pair in pairs if self._filed[pair]]

    def _find_under(self, module: str, kinds: Sequence[EvidenceKind]) -> Sequence[Located]:
        return self._located(self._cache.under(module, kinds))

    @_healing
    def inside(self, paths: Iterable[str], *kinds: EvidenceKind, scope: str | None = None) -> Sequence[Located]:
        wanted = set(paths)
        blobs = {self._blobs[path] for path in wanted}
        facts = ((blob, fact) for blob in blobs for fact in self._of_blob(blob, *kinds, scope=scope))
        return [located for located in self._located(facts) if located.path in wanted]

    def paths_of(self, module: str) -> Sequence[str]:
        return [self._modules[module][1].path] if module in self._modules else []

    def files_called(self, stems: Iterable[str]) -> Sequence[str]:
        if not self._paths_called:
            for path in self._blobs:
                self._paths_called.setdefault(file_stem(path), []).append(path)
        return [path for stem in dict.fromkeys(stems) for path in self._paths_called.get(stem, ())]

    @_healing
    def resembling(self, grams: Sequence[int], language: Language) -> Sequence[Located]:
        holders: dict[int, list[tuple[int, int]]] = {}
        for gram, blob, line in self._cache.holding(grams):
            if blob in self._homes and language_of(self._homes[blob][0].path) is language:
                holders.setdefault(gram, []).append((blob, line))
        starts: dict[int, list[int]] = {}
        for blob, line in rarest_first((holders.get(gram, ()) for gram in grams), self._first_place):
            starts.setdefault(blob, []).append(line)
        return self._located(found for blob, lines in starts.items() for found in self._cache.defined_at(blob, lines))

    def _first_place(self, definition: tuple[int, int]) -> tuple[str, int]:
        """(path, line) of a definition: rows of blobs are numbered in the order in which a cache met them."""
        blob, line = definition
        return min(home.path for home in self._homes[blob]), line

    @_healing
    def bases_of(self, name: str) -> Sequence[Located]:
        home = self.home_of(name)
        if home is None:
            return ()
        blob, place = self._modules[home]
        located = (_locate(fact, place) for fact in self._of_blob(blob, EvidenceKind.SUBCLASS))
        return [base for base in located if base.owner == name]

    def defines(self, name: str) -> bool:
        return self.home_of(name) is not None

    def canonical(self, located: Located) -> str:
        # What the file defines itself is no re-export, even if the file also imports something of that name.
        return located.target if located.fact.target.startswith(OWN) else self.canonical_name(located.target)

    @_healing
    def canonical_name(self, target: str) -> str:
        """``target`` with re-exports followed; a downstream name that nothing re-exports stays as it is."""
        for _ in range(_MAX_REEXPORTS):
            home = self.home_of(target)
            if home is None or target == home:
                return target
            name, _, rest = target[len(home) + 1 :].partition(".")
            origin = self._exports_of(home).names.get(name) or self._starred(home, name)
            if origin is None:
                return target
            target = f"{origin}.{rest}" if rest else origin
        return target

    def text(self, path: str, first: int, last: int) -> str:
        return b"\n".join(self.lines(path)[first - 1 : last]).decode("utf-8", "replace")

    def lines(self, path: str) -> Sequence[bytes]:
        """The lines of a file, without their ends. Those of the files read last are kept: a query returns to them."""
        found = self._lines.pop(path, None) or self.tree.read(path).split(b"\n")
        self._lines[path] = found
        if len(self._lines) > _FILES_KEPT:
            del self._lines[next(iter(self._lines))]
        return found

    @_healing
    def affinity(self, vocabulary: Mapping[str, float]) -> Affinity:
        """How much each scope of the tree is about what ``vocabulary`` (piece → weight) is about."""
        return self._scopes.affinity(vocabulary)

    @_healing
    def size_of(self, path: str, qualname: str) -> int:
        """Number of words in the code of a scope of the tree."""
        return self._scopes.size_of(path, qualname)

    @_healing
    def files_with(self, word: str) -> int:
        found = self._files_with.get(word)
        if found is None:
            found = self._files_with[word] = sum(len(self._homes.get(blob, ())) for blob in self._lines_of(word))
        return found

    @_healing
    def count(self, pattern: str) -> tuple[int, int]:
        """(lines, files) of the tree that hold ``pattern``, mostly a name or dotted name, as a whole word.

        A single word is looked up; for the rest the files that hold all its words are read, all files if it has none.
        """
        parts = indexed_words(pattern)
        holders = [self._lines_of(part) for part in parts]
        blobs = set(self._homes) if not holders else set(self._homes).intersection(*holders)
        lines = files = 0
        for blob in blobs:
            homes = self._homes[blob]
            found = holders[0][blob] if parts == (pattern,) else len(lines_with(self.tree.read(homes[0].path), pattern))
            lines += found * len(homes)
            files += len(homes) if found else 0
        return lines, files

    @_healing
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
        found.sort(key=_order)
        return found

    def home_of(self, name: str) -> str | None:
        """The longest prefix of ``name`` that is a module of the tree."""
        at = len(name)
        while at > 0:
            prefix = name[:at]
            if prefix in self._modules:
                return prefix
            at = name.rfind(".", 0, at)
        return None

    def _starred(self, module: str, name: str) -> str | None:
        """What ``name`` stands for when ``module`` can only have it from a star import: its text lacks the word."""
        stars, holders = self._exports_of(module).stars, self._lines_of(name)
        if not stars or self._modules[module][0] in holders:
            return None
        inside = [star for star in stars if star in self._modules]
        outside = [star for star in stars if star not in self._modules]
        for star in reversed(inside):  # the last one wins, as it does in Python
            if self._modules[star][0] in holders or self._exports_of(star).stars:
                return f"{star}.{name}"
        return f"{outside[0]}.{name}" if len(outside) == 1 else None

    def _exports_of(self, module: str) -> _Exports:
        found = self._exports.get(module)
        if found is None:
            blob, place = self._modules[module]
            found = self._exports[module] = _Exports({}, [])
            for fact in self._of_blob(blob, EvidenceKind.IMPORT):
                target = absolute(fact.target, module, place.is_package)
                if fact.scope != MODULE_SCOPE or target == module:
                    continue
                if fact.owner == STAR:
                    found.stars.append(target)
                    continue
                if fact.owner != fact.name and fact.owner == fact.target.partition(".")[0]:
                    target = fact.owner  # `import a.b` binds `a`
                if target != f"{module}.{fact.owner}":
                    found.names.setdefault(fact.owner, target)
        return found
