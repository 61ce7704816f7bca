"""``reviewbot eval compare A B``. Exit code 0 whatever the outcome: a gate is another command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals import words as shared_words
from evals.compare import words
from reviewbot.cli import options
from reviewbot.cli.output import Output

First = Annotated[str, typer.Argument(metavar="A", help=words.ARGUMENT_FIRST)]
Second = Annotated[str, typer.Argument(metavar="B", help=words.ARGUMENT_SECOND)]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help=words.OPTION_RUNS, show_default="runs")]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=shared_words.CASES_RECORDS_HELP)]
All = Annotated[bool, typer.Option("--all", help=words.OPTION_ALL)]


def compare(
    first: First,
    second: Second,
    runs: Runs = Path("runs"),
    records: Records = None,
    everything: All = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    from evals.compare.comparison import compare as compared
    from evals.compare.view import as_document, show
    from evals.records import load_records
    from evals.run.loading import load_run

    result = compared(load_run(first, runs), load_run(second, runs), load_records(records))
    output = Output()
    if json:
        output.json(as_document(result))
    else:
        show(output, result, everything=everything)
