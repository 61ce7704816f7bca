"""Building the index: cold, part by part, after one changed file; and the memory that takes."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Target, Topic, Unit, middle
from evals.bench.memory import can_sample, sampled
from evals.bench.repository import FIRST, SECOND
from retrieval.cache_files import cache_file
from retrieval.extraction import Blob, blob_key, extract
from retrieval.fact_cache import FactCache
from retrieval.fact_rows import rows_of
from retrieval.index import open_index
from retrieval.models import Language
from retrieval.source_tree import SourceTree, open_tree
from retrieval.symbols import language_of
from retrieval.syntax import parse_source
from retrieval.upstream_index import open_upstream_index
from retrieval.word_search import is_text, line_counts

COLD = Target(5)
ONE_FILE = Target(100)
MEMORY = Target(600)
_MEGABYTE = 1_000_000


def cold(location: Path, caches: Sequence[Path], say: Say) -> Topic:
    """One cold build into each of ``caches``, which are empty folders."""
    taken = []
    for number, cache in enumerate(caches, 1):
        say(words.building(number, len(caches)))
        taken.append(build(location, cache))
    size = sum(file.stat().st_size for file in caches[-1].glob("facts-*"))
    with open_tree(location) as tree:
        files = len(tree.files())
    figures = (
        middle("cold_index", words.COLD_INDEX, [one.wall for one in taken], Unit.SECONDS, COLD, words.files(files)),
        middle("cold_index_processor", words.COLD_PROCESSOR, [one.processor for one in taken], Unit.SECONDS),
        Figure("cache_size", words.CACHE_SIZE, size / _MEGABYTE, Unit.MEGABYTES),
    )
    return Topic("cold", words.COLD_TITLE, figures)


def build(location: Path, cache: Path, revision: str | None = None) -> Taken:
    """Opens tree and index, as a command does before its first answer."""

    def work() -> None:
        with open_tree(location, revision) as tree:
            open_index(tree, cache).close()

    return clocked(work)[1]


def upstream(base: Path, cache: Path, say: Say) -> Topic:
    """The index of the upstream code, built cold: ``cache`` may know downstream trees alone."""
    say(words.BUILDING_UPSTREAM)

    def work() -> int:
        with open_tree(base) as tree, closing(open_upstream_index(tree, cache)) as index:
            return len(index.files)

    files, taken = clocked(work)
    note = words.COMMA.join((words.files(files), words.processor(taken.processor)))
    figure = Figure("upstream_facts", words.UPSTREAM_FACTS, taken.wall, Unit.SECONDS, note=note)
    return Topic("upstream", words.UPSTREAM_TITLE, (figure,))


def phases(location: Path, say: Say) -> Topic:
    """Processor seconds of each part of a cold build, in one process one after the other."""
    say(words.SPLITTING)
    with open_tree(location) as tree, TemporaryDirectory(prefix="reviewbot-bench-") as folder:
        files, listed = clocked(tree.files)
        blobs, read = clocked(lambda: _blobs(tree))
        code = [blob.data for blob in blobs if blob.language is Language.PYTHON and is_text(blob.data)]
        _, parsed = clocked(lambda: _drop(parse_source(data, Language.PYTHON) for data in code))
        _, counted = clocked(lambda: _drop(line_counts(blob.data) for blob in blobs))
        facts, extracted = clocked(lambda: [extract(blob) for blob in blobs])
        rows, packed = clocked(lambda: [rows_of(one) for one in facts])
        cache = FactCache(cache_file(Path(folder)))
        _, stored = clocked(lambda: cache.store(rows))
        cache.close()
    parts = {
        "list": listed.processor,
        "read": read.processor,
        "parse": parsed.processor,
        "words": counted.processor,
        "facts": max(0.0, extracted.processor - parsed.processor - counted.processor),
        "rows": packed.processor,
        "store": stored.processor,
    }
    figures = tuple(Figure(key, words.PHASES[key], value, Unit.SECONDS) for key, value in parts.items())
    return Topic("phases", words.phases_title(len(files), len(code)), figures)


def _blobs(tree: SourceTree) -> list[Blob]:
    hashes = {file.path: file.blob for file in tree.files()}
    return [Blob(blob_key(hashes[path], path), language_of(path), data) for path, data in tree.read_many(hashes)]


def _drop(results: Iterable[object]) -> None:
    """Run through ``results`` and keep none."""
    for _ in results:
        pass


def one_changed_file(repository: Path, cache: Path, runs: int, say: Say) -> Topic:
    """A revision that differs in one file from the one ``cache`` knows; then the same again, with nothing new."""
    changed, unchanged = [], []
    for number in range(1, runs + 1):
        say(words.changing(number, runs))
        with TemporaryDirectory(prefix="reviewbot-bench-") as folder:
            shutil.copytree(cache, folder, dirs_exist_ok=True)
            changed.append(build(repository, Path(folder), SECOND))
            unchanged.append(build(repository, Path(folder), SECOND))
    with open_tree(repository, FIRST) as first, open_tree(repository, SECOND) as second:
        (path,) = {file.path for file in set(second.files()) - set(first.files())}
        size = len(second.read(path))
    figures = (
        middle(
            "one_file",
            words.ONE_FILE,
            [one.milliseconds for one in changed],
            Unit.MILLISECONDS,
            ONE_FILE,
            words.changed_file(path, size),
        ),
        middle(
            "one_file_processor",
            words.ONE_FILE_PROCESSOR,
            [1000 * one.processor for one in changed],
            Unit.MILLISECONDS,
        ),
        middle("unchanged", words.UNCHANGED, [one.milliseconds for one in unchanged], Unit.MILLISECONDS),
    )
    return Topic("incremental", words.INCREMENTAL_TITLE, figures)


def memory(location: Path, cache: Path, say: Say) -> Topic:
    """A cold build in a process of its own, watched from outside."""
    say(words.WATCHING_MEMORY)
    builder = multiprocessing.get_context("spawn").Process(target=_build, args=(location, cache))
    builder.start()
    if builder.pid is None or not can_sample():
        builder.join()
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        figures: tuple[Figure, ...] = (
            Figure("memory_largest", words.MEMORY_LARGEST, largest / _MEGABYTE, Unit.MEGABYTES, note=words.NO_PROC),
        )
    else:
        with sampled(builder.pid) as peak:
            builder.join()
        figures = (
            Figure(
                "memory_together", words.MEMORY_TOGETHER, peak.together / _MEGABYTE, Unit.MEGABYTES, MEMORY,
                words.processes((os.cpu_count() or 1) + 1),
            ),
            Figure("memory_alone", words.MEMORY_ALONE, peak.alone / _MEGABYTE, Unit.MEGABYTES, MEMORY),
        )  # fmt: skip
    return Topic("memory", words.MEMORY_TITLE, figures)


def _build(location: Path, cache: Path) -> None:
    build(location, cache)
