"""One change against ``git grep``, which a person would run once per changed name.

Three comparisons: the index finds what ``git grep`` finds, the places of the changed names; it finds every coupling but
copies, which is the look-up proper; and it answers the whole query, with copies aligned, affinities and ranks. Each of
the three has an index of its own, open from the first change to the last as a service holds it. A change is asked once
of each, so nothing it asks for is remembered from itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Target, Topic, Unit, middle
from evals.bench.repository import FIRST, grep
from evals.bench.steps import Indexes, Steps, opened, taken_apart, whole
from evals.bench.subject import Asked
from retrieval.models import EvidenceKind
from retrieval.source_tree import SourceTree, open_tree

TIMES_FASTER = Target(20, least=True)


class _Compared(NamedTuple):
    """One change: how many names, and what each search took."""

    names: int
    grep: Taken
    names_found: Taken
    steps: Steps
    query: Taken


def against_grep(repository: Path, base: SourceTree, cache: Path, asked: Sequence[Asked], say: Say) -> Topic:
    """Same revision, same names, one change after the other."""
    compared = []
    with open_tree(repository, FIRST) as tree, ExitStack() as stack:
        indexes = [stack.enter_context(opened(tree, base, cache)) for _ in range(3)]
        for number, one in enumerate(asked, 1):
            say(words.comparing(number, len(asked)))
            compared.append(_compare(repository, one, *indexes))
    searched = [one.grep for one in compared]
    looked_up = [one.steps.lookup for one in compared]
    named, asked_whole = [one.names_found for one in compared], [one.query for one in compared]
    figures = (
        middle("names", words.NAMES, [one.names for one in compared], Unit.COUNT, note=words.changes(len(compared))),
        _milliseconds("git_grep", words.GIT_GREP, searched),
        _milliseconds("names_found", words.NAMES_FOUND, named),
        *(
            _milliseconds(step, words.STEPS[step], [getattr(one.steps, step) for one in compared])
            for step in ("lookup", "upstream", "fork", "affinity", "ranking")
        ),
        _milliseconds("whole_query", words.WHOLE_QUERY, asked_whole),
        _times_faster("names_times_faster", words.NAMES_TIMES_FASTER, searched, named),
        _times_faster("times_faster", words.TIMES_FASTER, searched, looked_up, TIMES_FASTER),
        _times_faster("query_times_faster", words.QUERY_TIMES_FASTER, searched, asked_whole),
    )
    return Topic("lookup", words.LOOKUP_TITLE, figures)


def _compare(repository: Path, one: Asked, for_names: Indexes, for_steps: Indexes, for_query: Indexes) -> _Compared:
    names, index = one.names, for_names.downstream
    _, searched = clocked(lambda: [grep(repository, name) for name in names])
    _, located = clocked(lambda: ([index.count(name) for name in names], index.named(names, *EvidenceKind)))
    return _Compared(len(names), searched, located, taken_apart(one, for_steps), whole(one, for_query))


def _milliseconds(key: str, label: str, taken: Sequence[Taken]) -> Figure:
    return middle(key, label, [one.milliseconds for one in taken], Unit.MILLISECONDS)


def _times_faster(
    key: str, label: str, searched: Sequence[Taken], taken: Sequence[Taken], target: Target | None = None
) -> Figure:
    """The median of the ratios of single changes; the ratio of sums stands in the note."""
    ratios = [grep.wall / one.wall for grep, one in zip(searched, taken, strict=True)]
    together = sum(one.wall for one in searched) / sum(one.wall for one in taken)
    return middle(key, label, ratios, Unit.TIMES, target, words.all_together(together))
