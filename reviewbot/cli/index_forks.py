"""``reviewbot index forks``: the fork list 清单, every downstream definition that was copied from upstream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load, output_for
from reviewbot.errors import OptionsError

if TYPE_CHECKING:
    from retrieval.copies.first_seen import FirstSeen
    from retrieval.copies.fork_list import FileForks
    from retrieval.copies.forks import Fork
    from retrieval.source_tree import SourceTree
    from reviewbot.settings_sources import LoadedSettings

MinSimilarity = Annotated[
    float,
    typer.Option(
        "--min-similarity", metavar="X", min=0.0, max=1.0, help=words.OPTION_MIN_SIMILARITY, show_default=False
    ),
]
History = Annotated[bool, typer.Option("--history", help=words.OPTION_FIRST_SEEN)]


@dataclass(slots=True)
class Seconds:
    """What each part took; a part that the cache had is quick."""

    upstream: float = 0.0
    downstream: float = 0.0
    alignment: float = 0.0


def forks(
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    upstream: options.Upstream = None,
    base: options.Base = None,
    upstream_base: options.UpstreamBase = None,
    min_similarity: MinSimilarity = 0.0,
    history: History = False,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from retrieval.copies.fork_list import at_least

    loaded = load(
        config,
        downstream=downstream,
        downstream_rev=downstream_rev,
        upstream=upstream,
        base=base,
        upstream_base=upstream_base,
        jobs=jobs,
    )
    output = output_for(loaded)
    seconds = Seconds()
    with _trees(loaded) as (original, copy):
        found = at_least(min_similarity, _found(loaded, original, copy, output, seconds))
        seen = _first_seen(copy, found) if history else None
        title = (copy.name, copy.revision, original.name, original.revision)
    if json:
        output.json(_document(title, found, seen, seconds))
    else:
        _print(output, title, found, seen, seconds)


@contextmanager
def _trees(loaded: LoadedSettings) -> Iterator[tuple[SourceTree, SourceTree]]:
    """The upstream and the downstream tree."""
    from retrieval.source_tree import open_tree
    from reviewbot.workspace import upstream_in_force

    upstream, downstream = upstream_in_force(loaded), loaded.settings.downstream
    if downstream.path is None:
        raise OptionsError(shared.DOWNSTREAM_MISSING, ("--downstream",))
    place = upstream.base_dir or upstream.clone
    if place is None:
        raise OptionsError(words.UPSTREAM_FOR_FORKS_MISSING, ("--upstream", "--upstream-base"))
    with (
        open_tree(place, None if upstream.base_dir else upstream.base) as original,
        open_tree(downstream.path, downstream.revision) as copy,
    ):
        yield original, copy


def _found(
    loaded: LoadedSettings, upstream: SourceTree, downstream: SourceTree, output: Output, seconds: Seconds
) -> Sequence[FileForks]:
    import os

    from retrieval.cache_files import forget_unused
    from retrieval.copies.fork_list import definitions_in, forks_between, kept_file
    from retrieval.copies.kept_texts import KeptTexts
    from reviewbot.cli.progress import progress_bar

    jobs = loaded.settings.index.jobs or os.cpu_count() or 1
    with KeptTexts(kept_file(loaded.settings.cache.dir)) as kept:
        forget_unused(kept.path)
        began = perf_counter()
        with progress_bar(output, words.READING_UPSTREAM) as report:
            originals = definitions_in(upstream, kept, jobs, report)
        seconds.upstream, began = perf_counter() - began, perf_counter()
        with progress_bar(output, words.READING_DOWNSTREAM) as report:
            own = definitions_in(downstream, kept, jobs, report)
        seconds.downstream, began = perf_counter() - began, perf_counter()
        with progress_bar(output, words.ALIGNING) as report:
            found = forks_between(upstream, downstream, (originals, own), kept, report)
        seconds.alignment = perf_counter() - began
    return found


def _first_seen(tree: SourceTree, found: Sequence[FileForks]) -> Mapping[tuple[str, str], FirstSeen]:
    """Nothing where the tree is no git repository: a folder has no history."""
    from retrieval.copies.first_seen import first_seen
    from retrieval.git_tree import GitTree

    if not isinstance(tree, GitTree):
        return {}
    names = ((fork.path, fork.name) for file in found for fork in file.forks)
    return first_seen(tree.repository, tree.revision, names)


def _print(
    output: Output,
    title: tuple[str, str, str, str],
    found: Sequence[FileForks],
    seen: Mapping[tuple[str, str], FirstSeen] | None,
    seconds: Seconds,
) -> None:
    output.line(words.forks_title(*title))
    for file in found:
        copy = file.copy
        output.line()
        output.line(
            words.fork_file(
                copy.path, copy.original_path, copy.similarity, copy.copied, copy.functions, whole=copy.is_copy
            ),
            style="bold",
        )
        columns = words.FORK_COLUMNS if seen is None else (*words.FORK_COLUMNS, words.COLUMN_FIRST_SEEN)
        rows = [_row(fork, copy.original_path, seen) for fork in file.forks]
        output.table(columns, rows, fold=(3, 4))
    output.line()
    all_ = [fork for file in found for fork in file.forks]
    functions = [fork for fork in all_ if not fork.is_class]
    renamed = sum(fork.renamed for fork in functions)
    total = words.forks_total(len(functions), len(all_) - len(functions), renamed, len(found))
    output.line(total if all_ else words.NO_FORKS)
    output.line(words.fork_seconds(*asdict(seconds).values()), style="dim")


def _row(fork: Fork, original: str, seen: Mapping[tuple[str, str], FirstSeen] | None) -> tuple[str, ...]:
    """A file other than that of the most copies is named with the scope."""
    scope = words.fork_class(fork.scope, fork.copied, fork.members) if fork.is_class else fork.scope
    where = fork.original_scope if fork.original_path == original else f"{fork.original_path} {fork.original_scope}"
    row = (f"{fork.similarity:.2f}", str(fork.tokens), str(fork.line), scope, where)
    if seen is None:
        return row
    first = seen.get((fork.path, fork.name))
    return (*row, f"{first.day} {first.commit[:10]}" if first else words.UNKNOWN)


def _document(
    title: tuple[str, str, str, str],
    found: Sequence[FileForks],
    seen: Mapping[tuple[str, str], FirstSeen] | None,
    seconds: Seconds,
) -> dict[str, Any]:
    """Shape of ``--json``. ``first_seen`` is there with ``--history`` only, null where it is unknown."""
    downstream, revision, upstream, upstream_revision = title
    files = []
    for copy, listed in found:
        rows = []
        for fork in listed:
            row = fork._asdict() | {"similarity": round(fork.similarity, 4), "renamed": fork.renamed}
            if seen is not None:
                first = seen.get((fork.path, fork.name))
                row["first_seen"] = first._asdict() if first else None
            rows.append(row)
        whole = {"similarity": round(copy.similarity, 4), "whole_file": copy.is_copy}
        files.append(copy._asdict() | whole | {"forks": rows})
    return {
        "downstream": downstream,
        "revision": revision,
        "upstream": upstream,
        "upstream_revision": upstream_revision,
        "files": files,
        "seconds": {name: round(value, 3) for name, value in asdict(seconds).items()},
    }
