"""``python -m evals.demo``: three real upstream changes, analysed end to end on the real trees, each with its time;
then the service, from a signed delivery to the comment on a fake forge.

The three are named by what they show. Without network the same three situations are shown on trees of a few lines.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from evals import miniature, words
from evals.demo_service import Showcase, show_service
from evals.errors import FetchError
from evals.real_data import RealData, default_root
from evals.records import LabelledRecord, load_records
from evals.running import run, say
from evals.workbench import Workbench, change_of, open_workbench
from retrieval.change import About, apply_about, parse_patch
from retrieval.models import UpstreamChange
from reviewbot import render
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.models import Analysis
from reviewbot.settings_sources import load_settings


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled record, and the miniature change that shows the same; ``heading`` says what it shows."""

    heading: str
    record_id: str
    stand_in: miniature.MiniatureChange


EXAMPLES = (
    Example(words.DEMO_SIGNATURE, "r015", miniature.SIGNATURE),
    Example(words.DEMO_PATCHED, "r087", miniature.PATCHED_METHOD),
    Example(words.DEMO_UNCOUPLED, "r011", miniature.UNCOUPLED),
)

Scene = tuple[Workbench, list[UpstreamChange], Showcase]

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.DEMO_HELP)
def main(
    data: Annotated[Path | None, typer.Option("--data", help=words.DATA_HELP)] = None,
    offline: Annotated[bool, typer.Option("--offline", help=words.OFFLINE_HELP)] = False,
) -> None:
    began = time.perf_counter()
    output = Output(load_settings().settings.output.color)
    labelled = load_records()
    real = RealData(data or default_root())
    with _miniature_scene() if offline or not _prepared(real, labelled) else _real_scene(real, labelled) as scene:
        bench, changes, showcase = scene
        output.line(words.demo_opened(bench.index.tree.revision, bench.opening_seconds), style="dim")
        for number, (example, change) in enumerate(zip(EXAMPLES, changes, strict=True), start=1):
            started = time.perf_counter()
            analysis = bench.analyse(change)
            _show(output, f"{number}. {example.heading}", analysis, time.perf_counter() - started)
        show_service(output, showcase)
    output.line(words.demo_done(time.perf_counter() - began), style="dim")


def _prepared(real: RealData, labelled: tuple[LabelledRecord, ...]) -> bool:
    """Whether the real trees are there, fetched now if need be. Says why not when they cannot be fetched."""
    try:
        real.prepare(labelled, say)
    except FetchError as error:
        say(words.demo_without_network(str(error)), style="yellow")
        return False
    return True


@contextmanager
def _real_scene(real: RealData, labelled: tuple[LabelledRecord, ...]) -> Iterator[Scene]:
    by_id = {record.id: record for record in labelled}
    chosen = [by_id[example.record_id] for example in EXAMPLES]
    cache = load_settings().settings.cache.dir
    with ExitStack() as stack:
        with progress_bar(Output(), words.BUILDING_INDEX) as report:
            bench = stack.enter_context(open_workbench(real.base, real.downstream, cache, report))
        changes = [change_of(record, real.diff(record)) for record in chosen]
        first = changes[0]
        yield (
            bench,
            changes,
            Showcase(real.downstream, cache, first.number or 1, first.title, real.diff(chosen[0]).read_bytes()),
        )


@contextmanager
def _miniature_scene() -> Iterator[Scene]:
    with tempfile.TemporaryDirectory(prefix="reviewbot-demo-") as folder:
        base, downstream = miniature.write_trees(Path(folder))
        cache, first = Path(folder) / "cache", EXAMPLES[0].stand_in
        with open_workbench(base, downstream, cache) as bench:
            changes = [_miniature_change(example.stand_in) for example in EXAMPLES]
            yield bench, changes, Showcase(downstream, cache, first.number, first.title, first.patch())


def _miniature_change(change: miniature.MiniatureChange) -> UpstreamChange:
    patch = parse_patch(change.patch(), f"{change.number}.patch")
    return apply_about(patch, About(number=change.number, title=change.title))


def _show(output: Output, heading: str, analysis: Analysis, seconds: float) -> None:
    output.line()
    output.line(heading, style="bold cyan")
    output.out.block(render.record_panel(analysis))
    output.line(words.demo_took(seconds), style="dim")


if __name__ == "__main__":
    run(app, "evals.demo")
