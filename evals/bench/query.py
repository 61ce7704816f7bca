"""The whole query: from change to ledger, for every change, one after the other as in a service.

Each run opens the indexes anew: the same question asked twice is answered from memory, and would prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from evals.bench import words
from evals.bench.clock import Taken, clocked
from evals.bench.figures import Figure, Say, Target, Topic, Unit, middle, percentile
from evals.bench.steps import Steps, opened, taken_apart, whole
from evals.bench.subject import Asked, ask
from retrieval.models import UpstreamChange
from retrieval.source_tree import SourceTree

QUERY = Target(50)


def whole_query(
    tree: SourceTree, base: SourceTree, cache: Path, changes: Sequence[UpstreamChange], runs: int, say: Say
) -> tuple[Topic, Sequence[Asked]]:
    """The topic, and the changes as asked."""
    say(words.READING_CHANGES)
    with_deltas = [_asked(change, base) for change in changes]
    asked = [one for one, _ in with_deltas]
    deltas = [taken.milliseconds for _, taken in with_deltas]
    taken = []
    for number in range(1, runs + 1):
        say(words.querying(number, runs))
        with opened(tree, base, cache) as indexes:
            taken.append([whole(one, indexes) for one in asked])
    with opened(tree, base, cache) as indexes:
        apart = [taken_apart(one, indexes) for one in asked]
    ledgers = [median(one.milliseconds for one in same) for same in zip(*taken, strict=True)]
    used = [median(1000 * one.processor for one in same) for same in zip(*taken, strict=True)]
    figures = (
        middle("query", words.QUERY, ledgers, Unit.MILLISECONDS, QUERY, words.changes(len(changes))),
        Figure("query_p95", words.QUERY_P95, percentile(ledgers, 0.95), Unit.MILLISECONDS),
        middle("query_processor", words.QUERY_PROCESSOR, used, Unit.MILLISECONDS),
        *_means(apart),
        middle("delta", words.DELTA, deltas, Unit.MILLISECONDS, note=words.BEFORE_THE_QUERY),
        Figure("delta_p95", words.DELTA_P95, percentile(deltas, 0.95), Unit.MILLISECONDS),
    )
    return Topic("query", words.QUERY_TITLE, figures), asked


def _means(apart: Sequence[Steps]) -> list[Figure]:
    spent = {step: mean(getattr(one, step).milliseconds for one in apart) for step in Steps._fields}
    return [Figure(f"mean_{step}", words.mean_of(step), value, Unit.MILLISECONDS) for step, value in spent.items()]


def _asked(change: UpstreamChange, base: SourceTree) -> tuple[Asked, Taken]:
    return clocked(lambda: ask(change, base))
