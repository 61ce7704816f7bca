"""From a file's bytes to what the cache keeps of it, and in parallel for many.

The unit is a blob in a language: equal bytes under a Python and a text name hold different facts. Worker processes are
spawned, not forked: a fork would copy threads' locks and the open cache. Work is handed out in batches of about equal
size, largest files first: one generated file can take as long as five hundred others, and must not start last.
"""

from __future__ import annotations

import gc
import hashlib
import math
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from importlib import metadata, resources
from typing import NamedTuple

from retrieval.copies.fact_grams import grams_of
from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.extraction import extract_cpp_facts
from retrieval.coupling.facts import Fact
from retrieval.coupling.operator_lists import extract_listed
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.registry import extract_facts
from retrieval.fact_rows import BlobFacts, BlobRows, rows_of
from retrieval.models import Language
from retrieval.scope_words import ScopeWords, cpp_scope_words, python_scope_words
from retrieval.symbols import language_of
from retrieval.word_search import is_text, line_counts

_WORTH_A_POOL = 96  # below this many blobs, starting processes costs more than it saves
_BATCH_BYTES, _BATCH_BLOBS = 100_000, 12
_BATCHES_AHEAD = 10  # for each process: work must not run out while facts are being written
_IN_SIGHT_BYTES = 64_000_000  # read ahead, and put in order of size: a whole tree of torch_npu
_OBJECTS_PER_COLLECTION = 200_000  # a large file makes that many, none of them in cycles
_OUTSIDE_COUPLING = (
    "copies/fact_grams.py",
    "copies/sketch.py",
    "copies/tokens.py",
    "cpp_headers.py",
    "cpp_names.py",
    "cpp_symbols.py",
    "cpp_tokens.py",
    "definitions.py",
    "delta/path_kinds.py",
    "extraction.py",
    "fact_cache.py",
    "fact_rows.py",
    "models/evidence.py",
    "pieces.py",
    "python_headers.py",
    "python_symbols.py",
    "python_tokens.py",
    "registrations.py",
    "scope_words.py",
    "symbols.py",
    "syntax.py",
    "word_search.py",
)
# Modules of `retrieval.coupling` that only ask: facts do not depend on them, so a change there keeps the cache.
_ASKING = frozenset(
    {
        "asking.py",
        "about.py",
        "changed_tests.py",
        "consumers.py",
        "coupling.py",
        "heritage.py",
        "hook.py",
        "lineage.py",
        "lookup.py",
        "near_names.py",
        "placed_code.py",
        "question.py",
        "rarity.py",
        "signatures.py",
    }
)


class Blob(NamedTuple):
    """``key`` is the blob hash and the language it is read as."""

    key: str
    language: Language
    data: bytes


def blob_key(sha: str, path: str) -> str:
    return f"{sha}:{language_of(path).value}"


@cache
def extractor_version() -> str:
    """12 hex digits over everything facts depend on: the code that extracts them and the grammar it uses."""
    digest = hashlib.sha256()
    package = resources.files("retrieval")
    coupling = package / "coupling"
    sources = [*coupling.iterdir(), *(coupling / "cpp").iterdir(), *(package / name for name in _OUTSIDE_COUPLING)]
    for source in sorted(sources, key=lambda item: item.name):
        if source.name.endswith(".py") and source.name not in _ASKING:
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    for distribution in ("tree-sitter", "tree-sitter-cpp", "tree-sitter-python"):
        digest.update(f"{distribution} {metadata.version(distribution)}".encode())
    return digest.hexdigest()[:12]


def extract(blob: Blob) -> BlobFacts:
    facts, scopes = _read(blob) if is_text(blob.data) else ((), ())
    return BlobFacts(blob.key, facts, line_counts(blob.data), grams_of(blob.data, facts, blob.language), scopes)


def _read(blob: Blob) -> tuple[Sequence[Fact], Sequence[ScopeWords]]:
    match blob.language:
        case Language.PYTHON:
            file = PythonFile(blob.data)
            return extract_facts(file), python_scope_words(file.source)
        case Language.CPP:
            cpp = CppFile(blob.data)
            facts = extract_cpp_facts(cpp)
            return facts, cpp_scope_words(cpp, facts)
        case Language.OTHER:
            return extract_listed(blob.data), ()


def _extract_batch(blobs: Sequence[Blob]) -> list[BlobRows]:
    return [rows_of(extract(blob)) for blob in blobs]


def extract_all(
    blobs: Iterable[Blob], total: int, jobs: int, done: Callable[[int], None]
) -> Iterator[Sequence[BlobRows]]:
    """Facts of all blobs in batches, in no particular order. ``done`` is told how many blobs each batch held."""
    batches = _batches(blobs)
    if jobs <= 1 or total < _WORTH_A_POOL:
        for batch in batches:
            yield _extract_batch(batch)
            done(len(batch))
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_collect_rarely) as pool:
        for _ in range(jobs):
            pool.submit(_extract_batch, ())  # starts a process, which takes as long as reading the blobs
        running: set[Future[list[BlobRows]]] = set()
        exhausted = False
        while running or not exhausted:
            while not exhausted and len(running) < _BATCHES_AHEAD * jobs:  # bounded: all facts need not be in memory
                upcoming = next(batches, None)
                exhausted = upcoming is None
                if upcoming is not None:
                    running.add(pool.submit(_extract_batch, upcoming))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                facts = future.result()
                yield facts
                done(len(facts))


def _batches(blobs: Iterable[Blob]) -> Iterator[list[Blob]]:
    """Batches of about equal size, the largest blobs of those in sight first."""
    for in_sight in _runs_of(blobs, _IN_SIGHT_BYTES):
        in_sight.sort(key=lambda blob: len(blob.data), reverse=True)
        yield from _runs_of(in_sight, _BATCH_BYTES, _BATCH_BLOBS)


def _runs_of(blobs: Iterable[Blob], size: int, count: float = math.inf) -> Iterator[list[Blob]]:
    """Runs of blobs, each ending with the one that makes it ``size`` bytes or ``count`` blobs."""
    run: list[Blob] = []
    held = 0
    for blob in blobs:
        run.append(blob)
        held += len(blob.data)
        if held >= size or len(run) >= count:
            yield run
            run, held = [], 0
    if run:
        yield run


def _collect_rarely() -> None:
    """Set up a worker process: looking for garbage in cycles among what lives anyway takes a tenth of its time."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
