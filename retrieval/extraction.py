"""From a file's bytes to what the cache keeps of it, and in parallel for many.

The unit is a blob in a language: equal bytes under a Python and a text name hold different facts. Worker processes are
spawned, not forked: a fork would copy threads' locks and the open cache.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from importlib import metadata, resources
from itertools import islice
from typing import NamedTuple

from retrieval.coupling.registry import extract_facts
from retrieval.fact_rows import BlobFacts, BlobRows, rows_of
from retrieval.models import Language
from retrieval.symbols import language_of
from retrieval.word_search import is_text, line_counts

_WORTH_A_POOL = 96  # below this many blobs, starting processes costs more than it saves
_BATCH = 12
_OUTSIDE_COUPLING = ("extraction.py", "fact_cache.py", "fact_rows.py", "syntax.py", "word_search.py")
# Modules of `retrieval.coupling` that only ask: facts do not depend on them, so a change there keeps the cache.
_ASKING = frozenset({"coupling.py", "heritage.py", "hook.py", "lookup.py", "question.py", "signatures.py"})


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
    sources = [*(package / "coupling").iterdir(), *(package / name for name in _OUTSIDE_COUPLING)]
    for source in sorted(sources, key=lambda item: item.name):
        if source.name.endswith(".py") and source.name not in _ASKING:
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    for distribution in ("tree-sitter", "tree-sitter-python"):
        digest.update(f"{distribution} {metadata.version(distribution)}".encode())
    return digest.hexdigest()[:12]


def extract(blob: Blob) -> BlobFacts:
    facts = extract_facts(blob.data) if blob.language is Language.PYTHON and is_text(blob.data) else ()
    return BlobFacts(blob.key, facts, line_counts(blob.data))


def _extract_batch(blobs: Sequence[Blob]) -> list[BlobRows]:
    return [rows_of(extract(blob)) for blob in blobs]


def extract_all(
    blobs: Iterable[Blob], total: int, jobs: int, done: Callable[[int], None]
) -> Iterator[Sequence[BlobRows]]:
    """Facts of all blobs in batches, in no particular order. ``done`` is told how many blobs each batch held."""
    blobs = iter(blobs)
    if jobs <= 1 or total < _WORTH_A_POOL:
        while batch := list(islice(blobs, _BATCH)):
            yield _extract_batch(batch)
            done(len(batch))
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        running: set[Future[list[BlobRows]]] = set()
        exhausted = False
        while running or not exhausted:
            while not exhausted and len(running) < 2 * jobs:  # bounded: a whole tree need not be in memory
                batch = list(islice(blobs, _BATCH))
                exhausted = not batch
                if batch:
                    running.add(pool.submit(_extract_batch, batch))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                facts = future.result()
                yield facts
                done(len(facts))
