"""The fork list: the definitions of both trees, and the alignment of downstream definitions with upstream ones.

Both stand apart from the cold index: no question about one change needs them. The alignment is timed on a sample of
the downstream files, evenly spread: all of them take longer than everything else together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Topic, Unit
from evals.bench.subject import Subject
from retrieval.copies.fork_list import definitions_in, forks_between, kept_file
from retrieval.copies.kept_texts import KeptTexts
from retrieval.source_tree import OpenTree, SourceTree, TreeFile, open_tree

_ALIGNED = 400  # downstream files


class _Sample(OpenTree):
    """Some files of a tree, evenly spread. Closing it leaves the tree open."""

    def __init__(self, tree: SourceTree, most: int) -> None:
        self._tree = tree
        files = tree.files()
        self._files = files[:: max(1, -(-len(files) // most))]

    @property
    def name(self) -> str:
        return self._tree.name

    @property
    def revision(self) -> str:
        return self._tree.revision

    def files(self) -> Sequence[TreeFile]:
        return self._files

    def read(self, path: str) -> bytes:
        return self._tree.read(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return self._tree.read_many(paths)

    def exists(self, path: str) -> bool:
        return any(file.path == path for file in self._files)


def forks(subject: Subject, cache: Path, say: Say) -> Topic:
    """``cache`` is an empty folder."""
    jobs = os.cpu_count() or 1
    with (
        open_tree(subject.base) as upstream,
        open_tree(subject.downstream) as downstream,
        KeptTexts(kept_file(cache)) as kept,
    ):
        say(words.READING_UPSTREAM)
        originals, read = clocked(lambda: definitions_in(upstream, kept, jobs, _silent))
        say(words.ALIGNING)
        own, read_own = clocked(lambda: definitions_in(downstream, kept, jobs, _silent))
        sample = _Sample(downstream, _ALIGNED)
        found, aligned = clocked(lambda: forks_between(upstream, sample, (originals, own), kept, _silent))
        files, sampled, total = (len(tree.files()) for tree in (upstream, sample, downstream))
    note = words.forks(sum(len(file.forks) for file in found), sampled, total)
    figures = (
        _seconds("upstream_definitions", words.UPSTREAM_DEFINITIONS, read, words.files(files)),
        _seconds("downstream_definitions", words.DOWNSTREAM_DEFINITIONS, read_own),
        _seconds("fork_alignment", words.FORK_ALIGNMENT, aligned, note),
    )
    return Topic("forks", words.FORKS_TITLE, figures)


def _seconds(key: str, label: str, taken: Taken, note: str = "") -> Figure:
    used = words.processor(taken.processor)
    return Figure(key, label, taken.wall, Unit.SECONDS, note=f"{note}{words.COMMA}{used}" if note else used)


def _silent(done: int, total: int) -> None:
    """Progress is shown by topic."""
