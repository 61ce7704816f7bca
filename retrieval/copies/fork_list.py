"""The fork list 清单 of two trees: every downstream definition that is a copy of an upstream one, file by file.

What is worked out is kept (`KeptTexts`): the definitions of a blob under its content, the forks of a downstream
file under its content and that of all upstream files. A run that was stopped goes on where it was, and a second one
only reads.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from importlib import metadata, resources
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from retrieval.copies.alignment import Piece
from retrieval.copies.definitions import Copyable, copyables, from_text, to_text
from retrieval.copies.file_copy import FileCopy, file_copy
from retrieval.copies.forks import Fork, forks_in
from retrieval.copies.kept_texts import KeptTexts
from retrieval.copies.originals import Original, Originals
from retrieval.models import Language
from retrieval.source_tree import SourceTree, TreeFile
from retrieval.symbols import language_of
from retrieval.syntax import normalise

Progress = Callable[[int, int], None]  # files done, files to do
Definitions = Mapping[str, Sequence[Copyable]]

_STUB = ".pyi"  # signatures without bodies
_BATCH = 20
_BATCHES_IN_SIGHT = 16
_WORTH_A_POOL = 96
_FILES_IN_MEMORY = 64
_PIECES_IN_MEMORY = 3000
_READING = (  # modules beside this package that the definitions of a file depend on
    "cpp_headers.py",
    "cpp_names.py",
    "cpp_symbols.py",
    "definitions.py",
    "python_symbols.py",
    "symbols.py",
    "syntax.py",
)


class FileForks(NamedTuple):
    """``copy`` tells of the file as a whole."""

    copy: FileCopy
    forks: Sequence[Fork]


def definitions_in(tree: SourceTree, kept: KeptTexts, jobs: int, progress: Progress) -> Definitions:
    """What can be a copy or an original in each source file of ``tree``, read as far as the cache does not know it."""
    files = _sources(tree)
    keys = {_definition_key(file): file for file in files}
    known = kept.get(keys)
    missing = [file for key, file in keys.items() if key not in known]
    done = 0
    for texts in _extracted(tree, missing, jobs):
        known.update(texts)
        kept.keep(texts)
        done += len(texts)
        progress(done, len(missing))
    return {file.path: from_text(known[_definition_key(file)]) for file in files}


def forks_between(
    upstream: SourceTree,
    downstream: SourceTree,
    known: tuple[Definitions, Definitions],
    kept: KeptTexts,
    progress: Progress,
) -> Sequence[FileForks]:
    """Downstream files that hold forks, by path. ``known`` are the definitions upstream and downstream."""
    originals = Originals(known[0])
    state = sha256(repr([upstream.name, *_sources(upstream)]).encode()).hexdigest()[:24]
    files = {f"forks:{state}:{file.path}:{file.blob}": file for file in _sources(downstream)}
    found = kept.get(files)
    reading = _Reading(upstream)
    missing = [key for key in files if key not in found]
    fresh: dict[str, str] = {}
    for number, key in enumerate(missing, 1):
        path = files[key].path
        fresh[key] = _to_text(_forks_of(path, _text(downstream, path), known[1][path], originals, reading))
        if len(fresh) == _BATCH or number == len(missing):
            kept.keep(fresh)
            found.update(fresh)
            fresh = {}
        progress(number, len(missing))
    return [forks for key in files for forks in _from_text(found[key])]


def at_least(similarity: float, found: Sequence[FileForks]) -> Sequence[FileForks]:
    """Without forks below ``similarity``, and without files that hold none then."""
    kept = (FileForks(copy, [fork for fork in forks if fork.similarity >= similarity]) for copy, forks in found)
    return [file for file in kept if file.forks]


def _forks_of(
    path: str, text: str, definitions: Sequence[Copyable], originals: Originals, reading: _Reading
) -> Sequence[FileForks]:
    forks = forks_in(path, text, definitions, originals, reading.piece)
    copy = file_copy(path, text, definitions, forks, reading.text)
    return [FileForks(copy, forks)] if copy is not None else []


class _Reading:
    """Upstream files and definitions, the last used kept in memory."""

    def __init__(self, tree: SourceTree) -> None:
        self.text = lru_cache(_FILES_IN_MEMORY)(lambda path: _text(tree, path))
        self._lines = lru_cache(_FILES_IN_MEMORY)(lambda path: self.text(path).split("\n"))
        self.piece = lru_cache(_PIECES_IN_MEMORY)(self._piece)

    def _piece(self, original: Original) -> Piece:
        one = original.definition
        return Piece("\n".join(self._lines(original.path)[one.first - 1 : one.last]), language_of(original.path))


def _sources(tree: SourceTree) -> Sequence[TreeFile]:
    return [
        file for file in tree.files() if language_of(file.path) is not Language.OTHER and not file.path.endswith(_STUB)
    ]


def _text(tree: SourceTree, path: str) -> str:
    return normalise(tree.read(path)).decode()


def _extracted(tree: SourceTree, files: Sequence[TreeFile], jobs: int) -> Iterator[dict[str, str]]:
    by_path = {file.path: file for file in files}
    blobs = ((_definition_key(by_path[path]), language_of(path), data) for path, data in tree.read_many(by_path))
    batches = iter(lambda: list(islice(blobs, _BATCH)), [])
    with _mapping(jobs if len(files) >= _WORTH_A_POOL else 1) as mapping:
        while window := list(islice(batches, _BATCHES_IN_SIGHT)):  # bounded: a whole tree need not be in memory
            yield from mapping(_definitions_of, window)


_Blob = tuple[str, Language, bytes]
_Map = Callable[[Callable[[list[_Blob]], dict[str, str]], Iterable[list[_Blob]]], Iterable[dict[str, str]]]


@contextmanager
def _mapping(jobs: int) -> Iterator[_Map]:
    if jobs <= 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool.map


def _definitions_of(blobs: list[_Blob]) -> dict[str, str]:
    return {key: to_text(copyables(data, language)) for key, language, data in blobs}


def _definition_key(file: TreeFile) -> str:
    return f"definitions:{language_of(file.path).value}:{file.blob}"


def kept_file(cache_dir: Path) -> Path:
    """Each version of the code has a file of its own."""
    return cache_dir / f"forks-{_version()}.sqlite3"


@cache
def _version() -> str:
    """Over the code that what is kept depends on."""
    package = resources.files("retrieval")
    sources = [*(package / "copies").iterdir(), *(package / name for name in _READING)]
    digest = sha256()
    for source in sorted(sources, key=lambda item: item.name):
        if source.name.endswith(".py"):
            digest.update(source.read_bytes())
    for distribution in ("tree-sitter", "tree-sitter-python", "tree-sitter-cpp"):
        digest.update(metadata.version(distribution).encode())
    return digest.hexdigest()[:12]


def _to_text(found: Sequence[FileForks]) -> str:
    return json.dumps(found, separators=(",", ":"))


def _from_text(text: str) -> Sequence[FileForks]:
    return [FileForks(FileCopy(*copy), [_fork(fork) for fork in forks]) for copy, forks in json.loads(text)]


def _fork(row: Sequence[object]) -> Fork:
    fork = Fork(*row)  # type: ignore[arg-type]  # as `_to_text` wrote it
    (first, last), (start, end) = fork.lines, fork.original_lines
    return fork._replace(lines=(first, last), original_lines=(start, end))
