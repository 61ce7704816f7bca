"""A progress bar on standard error that appears only when someone looks and leaves no trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reviewbot.cli.output import Output


@contextmanager
def progress_bar(output: Output, title: str) -> Iterator[Callable[[int, int], None]]:
    """Yields ``report(done, total)``; the bar starts with the first report."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.err, transient=True, disable=not output.err.is_terminal) as bar:
        task = bar.add_task(title, total=None, visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield report
