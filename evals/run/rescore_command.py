"""``reviewbot eval rescore``: new scores for stored answers. Exit codes as in `reviewbot.cli.exit_codes`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals.run import words
from evals.run.command import Records, Runs
from reviewbot.cli import options
from reviewbot.cli.output import Output

Split = Annotated[str | None, typer.Option("--split", metavar="NAME", help=words.OPTION_RESCORE_SPLIT)]
Name = Annotated[str, typer.Argument(metavar="RUN", help=words.ARGUMENT_RUN)]


def rescore(
    name: Name,
    records: Records = None,
    runs: Runs = Path("runs"),
    split: Split = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    from evals.records import load_records
    from evals.run.judging import scoring_of, within
    from evals.run.loading import find_folder, load_run
    from evals.run.provenance import digest_of_records
    from evals.run.selection import load_splits, of_split
    from evals.run.summary import print_summary
    from evals.running import say

    run = load_run(name, runs)
    if digest_of_records(records) != run.manifest.data:
        say(words.LABELS_CHANGED, style="yellow")
    known = load_records(records)
    if split is not None:
        run = within(run, of_split(known, split, load_splits(), lambda _: True))
    scoring = scoring_of(run, known)
    folder = find_folder(name, runs)
    if folder is not None and split is None:  # what a run keeps are the scores of all its records
        with folder.writing():
            folder.save_scoring(scoring)
    if json:
        Output().json(scoring.model_dump(mode="json"))
    else:
        print_summary(Output(), run, scoring, folder.path if folder is not None else Path(name))
    return 0
