"""Look-up for one change against ``git grep``, and the whole query.

Two comparisons: the index finds what ``git grep`` finds, the places of the changed names; and it finds every coupling
of the change, copies aligned, which is more. It is opened anew for each, so that no answer is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Target, Topic, Unit, middle, percentile
from evals.bench.repository import FIRST, grep
from evals.bench.subject import Asked, ask
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import Question
from retrieval.coupling.registry import KINDS, Kind, couplings
from retrieval.evidence import build_ledger
from retrieval.index import Index, open_index
from retrieval.models import EvidenceKind, UpstreamChange
from retrieval.rank import rank
from retrieval.source_tree import SourceTree, open_tree
from retrieval.vocabulary import vocabulary_of

TIMES_FASTER = Target(20, least=True)
QUERY = Target(50)


class _Compared(NamedTuple):
    """One change: how many names, and what each step took."""

    names: int
    grep: Taken
    names_found: Taken
    lookup: Taken
    ranking: Taken


def against_grep(repository: Path, cache: Path, asked: Sequence[Asked], say: Say) -> Topic:
    """Same revision, same names, one change after the other."""
    compared = []
    with open_tree(repository, FIRST) as tree:
        for number, one in enumerate(asked, 1):
            say(words.comparing(number, len(asked)))
            compared.append(_compare(repository, tree, cache, one))
    together = sum(one.grep.wall for one in compared) / sum(one.lookup.wall for one in compared)
    note = words.changes(len(compared))
    figures = (
        middle("names", words.NAMES, [one.names for one in compared], Unit.COUNT, note=note),
        _milliseconds("git_grep", words.GIT_GREP, [one.grep for one in compared]),
        _milliseconds("lookup", words.LOOKUP, [one.lookup for one in compared]),
        _milliseconds("names_found", words.NAMES_FOUND, [one.names_found for one in compared]),
        _milliseconds("ranking", words.RANKING, [one.ranking for one in compared]),
        middle(
            "times_faster",
            words.TIMES_FASTER,
            [one.grep.wall / one.lookup.wall for one in compared],
            Unit.TIMES,
            TIMES_FASTER,
            words.all_together(together),
        ),
        middle(
            "names_times_faster",
            words.NAMES_TIMES_FASTER,
            [one.grep.wall / one.names_found.wall for one in compared],
            Unit.TIMES,
            TIMES_FASTER,
        ),
    )
    return Topic("lookup", words.LOOKUP_TITLE, figures)


def _compare(repository: Path, tree: SourceTree, cache: Path, one: Asked) -> _Compared:
    names, question = one.names, one.question
    _, searched = clocked(lambda: [grep(repository, name) for name in names])
    with opened(tree, cache) as index:
        _, located = clocked(lambda: ([index.count(name) for name in names], index.named(names, *EvidenceKind)))
    with opened(tree, cache) as index:
        coupled, looked_up = clocked(lambda: couplings(question, index))
        _, ranked = clocked(lambda: rank(coupled))
    return _Compared(len(names), searched, located, looked_up, ranked)


def _milliseconds(key: str, label: str, taken: Sequence[Taken]) -> Figure:
    return middle(key, label, [one.milliseconds for one in taken], Unit.MILLISECONDS)


def whole_query(
    tree: SourceTree, cache: Path, base: SourceTree, changes: Sequence[UpstreamChange], runs: int, say: Say
) -> tuple[Topic, Sequence[Asked]]:
    """From question to ledger for every change, one after the other as in a service; and the changes as asked.

    Each run opens the index anew: the same question asked twice is answered from memory, and would prove nothing.
    """
    say(words.READING_CHANGES)
    with_deltas = [_asked(change, base) for change in changes]
    asked = [one for one, _ in with_deltas]
    deltas = [taken.milliseconds for _, taken in with_deltas]
    taken = []
    for number in range(1, runs + 1):
        say(words.querying(number, runs))
        with opened(tree, cache) as index:
            taken.append([_ledger(one, index) for one in asked])
    with opened(tree, cache) as index:
        parts = sum((Counter(_parts(one, index)) for one in asked), Counter[str]())
    ledgers = [median(one.milliseconds for one in same) for same in zip(*taken, strict=True)]
    used = [median(1000 * one.processor for one in same) for same in zip(*taken, strict=True)]
    figures = (
        middle("query", words.QUERY, ledgers, Unit.MILLISECONDS, QUERY, words.changes(len(changes))),
        Figure("query_p95", words.QUERY_P95, percentile(ledgers, 0.95), Unit.MILLISECONDS),
        middle("query_processor", words.QUERY_PROCESSOR, used, Unit.MILLISECONDS),
        middle("delta", words.DELTA, deltas, Unit.MILLISECONDS, note=words.BEFORE_THE_QUERY),
        Figure("delta_p95", words.DELTA_P95, percentile(deltas, 0.95), Unit.MILLISECONDS),
        *(
            Figure(f"mean_{part}", words.part_of_query(part), total / len(changes), Unit.MILLISECONDS)
            for part, total in parts.most_common()
        ),
    )
    return Topic("query", words.QUERY_TITLE, figures), asked


@contextmanager
def opened(tree: SourceTree, cache: Path) -> Iterator[Index]:
    """A newly opened index, which remembers no answer yet."""
    index = open_index(tree, cache)
    try:
        yield index
    finally:
        index.close()


def _asked(change: UpstreamChange, base: SourceTree) -> tuple[Asked, Taken]:
    return clocked(lambda: ask(change, base))


def _ledger(one: Asked, index: Index) -> Taken:
    return clocked(lambda: build_ledger(one.delta, one.change, index, texts=one.texts))[1]


def _parts(one: Asked, index: Index) -> dict[str, float]:
    """Milliseconds that each kind takes, the affinities, and the ranking of what all found."""
    question, coupled, spent = one.question, list[Coupling](), dict[str, float]()
    for kind in KINDS:
        found, taken = _coupled(kind, question, index)
        coupled += found
        spent[str(kind.kind)] = spent.get(str(kind.kind), 0.0) + taken.milliseconds
    akin, compared = clocked(lambda: index.akin(vocabulary_of(one.delta, one.change)))
    _, ranked = clocked(lambda: rank(coupled, akin.shares))
    return spent | {"affinity": compared.milliseconds, "ranking": ranked.milliseconds}


def _coupled(kind: Kind, question: Question, index: Index) -> tuple[list[Coupling], Taken]:
    return clocked(lambda: list(kind.couple(question, index)))
