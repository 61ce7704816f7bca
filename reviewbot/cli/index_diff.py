"""``reviewbot index diff``: which couplings with upstream torch_npu gained and lost between two revisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load, output_for
from reviewbot.errors import OptionsError

if TYPE_CHECKING:  # the index is slow to import, and the help pages must not wait for it
    from retrieval.index import Index, Progress
    from retrieval.index_diff import Held, IndexDiff
    from reviewbot.settings import Settings

OldRevision = Annotated[str, typer.Argument(metavar="REV1", help=words.ARGUMENT_OLD_REVISION)]
NewRevision = Annotated[str, typer.Argument(metavar="REV2", help=words.ARGUMENT_NEW_REVISION)]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help=words.OPTION_DIFF_LIMIT, show_default="20")]
All = Annotated[bool, typer.Option("--all", help=words.OPTION_DIFF_ALL)]

_LIMIT = 20
_DIM = "dim"
#: (kind, path as shown, coupling) of one line of a section.
Row = tuple[str, str, "Held"]


def diff(
    old: OldRevision,
    new: NewRevision,
    downstream: options.Downstream = None,
    limit: Limit = None,
    everything: All = False,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from retrieval.index_diff import diff_indexes
    from reviewbot.cli.progress import progress_bar

    most = _most(limit, everything=everything)
    loaded = load(config, downstream=downstream, jobs=jobs)
    output = output_for(loaded)
    started = perf_counter()
    with progress_bar(output, words.BUILDING_INDEX) as report, ExitStack() as stack:
        before, after = (stack.enter_context(_opened(loaded.settings, revision, report)) for revision in (old, new))
        found = diff_indexes(before, after)
        seconds = round(perf_counter() - started, 3)
        heading = _heading(before, after)
    if json:
        output.json({**heading, "seconds": seconds, **_values(found)})
        return
    output.line(words.diff_title(heading["downstream"], heading["old"]["revision"], heading["new"]["revision"]))
    _print(output, found, most)


def _most(limit: int | None, *, everything: bool) -> int | None:
    """How many places of each section to list; null for all. Raises ``OptionsError`` for what makes no sense."""
    if everything and limit is not None:
        conflict = shared.options_conflict("--all", "--limit", words.DIFF_ALL_NEEDS_NO_LIMIT)
        raise OptionsError(conflict, ("--all", "--limit"))
    if limit is not None and limit < 1:
        expected = shared.expected_value("greater_than_equal", {"ge": 1})
        raise OptionsError(words.bad_value("--limit", expected, str(limit)), ("--limit",))
    return None if everything else limit or _LIMIT


def _opened(settings: Settings, revision: str, report: Progress) -> AbstractContextManager[Index]:
    from reviewbot.workspace import open_downstream

    downstream = settings.downstream.model_copy(update={"revision": revision})
    return open_downstream(settings.model_copy(update={"downstream": downstream}), report)


def _heading(before: Index, after: Index) -> dict[str, Any]:
    sides = {
        name: {"revision": index.tree.revision, "files": len(index.files), **index.built._asdict()}
        for name, index in (("old", before), ("new", after))
    }
    return {"downstream": after.tree.name, **sides}


def _values(found: IndexDiff) -> dict[str, Any]:
    counts = {kind: dict(zip(words.DIFF_SECTIONS, numbers, strict=True)) for kind, numbers in _counts(found).items()}
    return {
        "changed_files": found.files._asdict(),
        "counts": counts,
        "gained": [held._asdict() for held in found.gained],
        "lost": [held._asdict() for held in found.lost],
        "moved": [{"old_path": move.old_path, **move.held._asdict()} for move in found.moved],
    }


def _counts(found: IndexDiff) -> dict[str, tuple[int, int, int]]:
    """Kind → (gained, lost, moved), of the kinds that changed, in the order of kinds."""
    from retrieval.index_diff import COMPARED

    gained, lost = (Counter(held.kind for held in side) for side in (found.gained, found.lost))
    moved = Counter(move.held.kind for move in found.moved)
    numbers = {kind: (gained[kind], lost[kind], moved[kind]) for kind in COMPARED}
    return {str(kind): three for kind, three in numbers.items() if any(three)}


def _print(output: Output, found: IndexDiff, most: int | None) -> None:
    files = found.files
    output.line(words.diff_files(len(files.added), len(files.deleted), len(files.modified), files.same))
    counts = _counts(found)
    if not counts:
        output.line(words.DIFF_NONE)
        return
    total = tuple(map(sum, zip(*counts.values(), strict=True)))
    rows = [(shared.EVIDENCE_KIND_WORDS[kind], *map(str, numbers)) for kind, numbers in counts.items()]
    output.table(words.DIFF_COLUMNS, [*rows, (words.DIFF_TOTAL, *map(str, total))])
    sections: dict[str, list[Row]] = {
        "gained": [(held.kind, held.path, held) for held in found.gained],
        "lost": [(held.kind, held.path, held) for held in found.lost],
        "moved": [
            (move.held.kind, words.diff_moved_file(move.old_path, move.held.path), move.held) for move in found.moved
        ],
    }
    for name, entries in sections.items():
        if entries:
            _print_section(output, words.diff_section(words.DIFF_SECTIONS[name], len(entries)), entries, most)


def _print_section(output: Output, title: str, entries: Sequence[Row], most: int | None) -> None:
    output.line()
    output.line(title, style="bold")
    shown = entries[:most]
    for kind, of_kind in groupby(shown, key=lambda row: row[0]):
        output.line(shared.EVIDENCE_KIND_WORDS[kind], style="yellow")
        for path, places in groupby(of_kind, key=lambda row: row[1]):
            output.out.print(Padding(Text(_shown(path), style="cyan"), (0, 0, 0, 2)))
            for _, _, held in places:
                output.out.print(Padding(_place(held), (0, 0, 0, 4)))
    if len(shown) < len(entries):
        output.line(words.diff_cut(len(entries) - len(shown)), style=_DIM)


def _place(held: Held) -> Text:
    from reviewbot.citations import line_ranges

    return Text.assemble(
        (f":{line_ranges(held.lines)}", _DIM), f"  {_shown(held.symbol)}  ", (_shown(held.scope), _DIM)
    )


def _shown(text: str) -> str:
    """Text from outside as a terminal may have it: nothing invisible, on one line."""
    from reviewbot.render.scrub import clean

    return " ".join(clean(text).split())
