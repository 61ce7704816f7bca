"""How costs grow: with the size of the downstream tree, and with the number of changed symbols. Trees are synthetic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from evals.bench import synthetic, words
from evals.bench.building import build
from evals.bench.clock import clocked
from evals.bench.figures import Growth, Say, Topic
from evals.bench.repository import FIRST, grep, make_repository
from evals.bench.steps import opened, taken_apart, whole
from evals.bench.subject import Asked, ask
from retrieval.change import parse_patch
from retrieval.source_tree import SourceTree, open_tree

FACTORS = (1, 2, 4, 8)
_SYMBOLS = 4  # of the change that is asked about while the tree grows


def with_tree_size(files: int, runs: int, say: Say) -> Topic:
    """``files`` is the size of the smallest tree."""
    rows = []
    for factor in FACTORS:
        say(words.growing_tree(factor * files))
        with TemporaryDirectory(prefix="reviewbot-bench-") as folder:
            rows.append(Growth(factor, factor * files, _tree_costs(Path(folder), factor * files, runs)))
    return Topic("growth_tree", words.GROWTH_TREE_TITLE, growth=tuple(rows), columns=words.TREE_COLUMNS)


def _tree_costs(folder: Path, files: int, runs: int) -> dict[str, float]:
    downstream = synthetic.write(folder / "downstream", synthetic.downstream(files))
    base = synthetic.write(folder / "upstream", synthetic.upstream(files))
    with open_tree(base) as upstream:
        asked = ask(parse_patch(synthetic.patch(_SYMBOLS, files), words.SYNTHETIC_PATCH), upstream)
    cold = build(downstream, folder / "cache")
    warm = median(build(downstream, folder / "cache").milliseconds for _ in range(runs))
    with open_tree(downstream) as tree, open_tree(base) as upstream:
        costs = _query_costs(asked, tree, upstream, folder / "cache", runs)
    return {"cold": cold.wall, "cold_processor": cold.processor, "warm": warm, **costs}


def with_symbols(files: int, runs: int, say: Say) -> Topic:
    """One tree of ``files`` files; changes of one symbol, two, four and eight, beside ``git grep`` for as many."""
    rows = []
    with TemporaryDirectory(prefix="reviewbot-bench-") as name:
        folder = Path(name)
        downstream = synthetic.write(folder / "downstream", synthetic.downstream(files))
        base = synthetic.write(folder / "upstream", synthetic.upstream(files))
        with open_tree(downstream) as tree:
            repository = make_repository(tree, folder / "bare.git")
        with open_tree(base) as upstream, open_tree(repository, FIRST) as tree:
            for factor in FACTORS:
                say(words.growing_change(factor))
                asked = ask(parse_patch(synthetic.patch(factor, files), words.SYNTHETIC_PATCH), upstream)
                searched = median(_grep_milliseconds(repository, asked.names) for _ in range(runs))
                costs = _query_costs(asked, tree, upstream, folder / "cache", runs)
                rows.append(Growth(factor, factor, costs | {"git_grep": searched}))
    return Topic("growth_symbols", words.growth_symbols_title(files), growth=tuple(rows), columns=words.SYMBOL_COLUMNS)


def _query_costs(asked: Asked, tree: SourceTree, base: SourceTree, cache: Path, runs: int) -> dict[str, float]:
    lookups, queries = [], []
    for _ in range(runs):
        with opened(tree, base, cache) as indexes:
            lookups.append(taken_apart(asked, indexes).lookup.milliseconds)
        with opened(tree, base, cache) as indexes:
            queries.append(whole(asked, indexes).milliseconds)
    return {"lookup": median(lookups), "query": median(queries)}


def _grep_milliseconds(repository: Path, names: Sequence[str]) -> float:
    return clocked(lambda: [grep(repository, name) for name in names])[1].milliseconds
