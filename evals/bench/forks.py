"""The fork list: the definitions of both trees, and the alignment of downstream definitions with upstream ones.

Both stand apart from the cold index: no question about one change needs them. The alignment is timed on a sample of
the downstream files, evenly spread: all of them take longer than everything else together.
"""

from __future__ import annotations

import os
from pathlib import Path

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Topic, Unit
from evals.bench.subject import Subject
from retrieval.copies.fork_list import definitions_in, forks_between, kept_file
from retrieval.copies.kept_texts import KeptTexts
from retrieval.part_tree import PartTree
from retrieval.source_tree import SourceTree, open_tree

_ALIGNED = 400  # downstream files


def _sample(tree: SourceTree, most: int) -> SourceTree:
    """At most that many files of a tree, evenly spread."""
    files = tree.files()
    return PartTree(tree, {file.path for file in files[:: max(1, -(-len(files) // most))]}.__contains__)


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
        sample = _sample(downstream, _ALIGNED)
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
