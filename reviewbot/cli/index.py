"""``reviewbot index``: build, show and ask the coupling index of a downstream tree."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load, output_for

Symbol = Annotated[str, typer.Argument(metavar="SYMBOL", help=words.ARGUMENT_SYMBOL)]


def build(
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from retrieval.cache_files import cache_file
    from retrieval.fact_cache import latest_generation
    from reviewbot.cli.progress import progress_bar
    from reviewbot.workspace import open_downstream

    loaded = load(config, downstream=downstream, downstream_rev=downstream_rev, jobs=jobs)
    output = output_for(loaded)
    started = perf_counter()
    with progress_bar(output, words.BUILDING_INDEX) as report, open_downstream(loaded.settings, report) as index:
        seconds = round(perf_counter() - started, 3)
        name, revision, files = index.tree.name, index.tree.revision, len(index.files)
        built, counts = index.built, index.fact_counts()
    cache = latest_generation(cache_file(loaded.settings.cache.dir))
    if json:
        tree = {"downstream": name, "revision": revision, "files": files}
        cost = {"reused": built.reused, "parsed": built.read, "seconds": seconds}
        output.json({**tree, **cost, **_contents(str(cache), _size(cache), counts)})
        return
    output.line(words.index_tree(name, revision, files))
    output.line(words.index_built(built.reused, built.read, seconds))
    _print_contents(output, str(cache), _size(cache), counts)


def show(json: options.Json = False, config: options.Config = None, debug: options.Debug = False) -> None:
    from retrieval.cache_files import cache_file
    from retrieval.fact_cache import FactCache, latest_generation

    loaded = load(config)
    output = output_for(loaded)
    path = latest_generation(cache_file(loaded.settings.cache.dir))
    outdated = [file for file in sorted(path.parent.glob("facts-*.sqlite3")) if file != path]
    counts: dict[str, int] = {}
    if path.exists():
        cache = FactCache(path)
        try:
            counts = cache.counts()
        finally:
            cache.close()
    if json:
        old = [{"path": str(file), "bytes": _size(file)} for file in outdated]
        output.json({**_contents(str(path), _size(path), counts), "outdated": old})
        return
    if counts:
        _print_contents(output, str(path), _size(path), counts)
    else:
        output.line(words.index_empty(str(path)))
    if outdated:
        output.line(words.index_outdated(str(path.parent), len(outdated), sum(map(_size, outdated))), style="dim")


def query(
    symbol: Symbol,
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    limit: options.Limit = None,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from reviewbot.cli.ledger_view import show_ledger
    from reviewbot.cli.progress import progress_bar
    from reviewbot.symbol_query import ask, delta_of
    from reviewbot.workspace import open_downstream

    delta_of(symbol)  # a symbol that cannot be asked for is told before the index is built
    loaded = load(config, downstream=downstream, downstream_rev=downstream_rev, limit=limit, jobs=jobs)
    output = output_for(loaded)
    with progress_bar(output, words.BUILDING_INDEX) as report, open_downstream(loaded.settings, report) as index:
        ledger = ask(index, symbol, limit=loaded.settings.ledger.limit)
    if json:
        output.json({"symbol": symbol, "ledger": ledger.model_dump(mode="json")})
        return
    output.line(words.query_title(symbol, ledger.downstream, ledger.revision))
    show_ledger(output, ledger)


def _print_contents(output: Output, path: str, size: int, counts: dict[str, int]) -> None:
    facts = dict(counts)
    blobs, distinct_words = facts.pop("blob"), facts.pop("word")
    output.line(words.index_cache(path, size, blobs, distinct_words))
    output.table(words.FACT_COLUMNS, [(shared.EVIDENCE_KIND_WORDS[kind], str(count)) for kind, count in facts.items()])


def _contents(path: str, size: int, counts: dict[str, int]) -> dict[str, Any]:
    facts = {kind: count for kind, count in counts.items() if kind not in {"blob", "word"}}
    return {
        "cache": path,
        "bytes": size,
        "blobs": counts.get("blob", 0),
        "words": counts.get("word", 0),
        "facts": facts,
    }


def _size(path: Path) -> int:
    """Bytes of a cache file with its write-ahead log."""
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
