"""The progress bar of a run: records, errors, time left, and money where the engine costs any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from evals.run import words
from evals.run.runner import Tally, Watch
from reviewbot.cli.output import Output


@contextmanager
def run_progress(output: Output, title: str, *, costs: bool) -> Iterator[Watch]:
    """Yields what shows a tally; nothing is shown when standard error is no terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=output.err, transient=True, disable=not output.err.is_terminal) as bar:
        task = bar.add_task(title, total=None, visible=False, told="")

        def watch(tally: Tally) -> None:
            told = [words.errors_so_far(tally.errors)] if tally.errors else []
            if costs:
                told.append(words.money_so_far(tally.budget.spent, tally.expected))
            bar.update(task, completed=tally.done, total=tally.total, visible=True, told=words.JOIN.join(told))

        yield watch
