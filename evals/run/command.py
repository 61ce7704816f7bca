"""``reviewbot eval run``. Its exit codes are those of `evals.run.driving`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals import words as shared_words
from evals.run import words
from evals.run.engine import Engine
from reviewbot.cli import options
from reviewbot.cli.settings import load, output_for

Name = Annotated[str, typer.Option("--name", metavar="NAME", help=words.OPTION_NAME)]
EngineOption = Annotated[Engine, typer.Option("--engine", metavar="ENGINE", help=words.OPTION_ENGINE)]
Split = Annotated[str, typer.Option("--split", metavar="NAME", help=words.OPTION_SPLIT)]
Sample = Annotated[int | None, typer.Option("--sample", metavar="N", min=1, help=words.OPTION_SAMPLE)]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help=words.OPTION_SEED)]
LimitCost = Annotated[float | None, typer.Option("--limit-cost", metavar="AMOUNT", min=0, help=words.OPTION_LIMIT_COST)]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", min=1, help=words.OPTION_JOBS)]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=words.OPTION_RECORDS)]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help=shared_words.DATA_HELP)]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help=words.OPTION_RUNS)]
Export = Annotated[Path | None, typer.Option("--export", metavar="FILE", help=words.OPTION_EXPORT)]
Dossiers = Annotated[bool, typer.Option("--dossiers", help=words.OPTION_DOSSIERS)]
AnswersFile = Annotated[Path | None, typer.Option("--answers", metavar="FILE", help=words.OPTION_ANSWERS)]
Replace = Annotated[bool, typer.Option("--replace", help=words.OPTION_REPLACE)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=words.OPTION_YES)]
Pulls = Annotated[bool, typer.Option("--pull-requests/--no-pull-requests", help=words.OPTION_PULLS)]


def run(
    name: Name,
    engine: EngineOption = Engine.TEMPLATE,
    split: Split = "usable",
    sample: Sample = None,
    seed: Seed = 0,
    limit_cost: LimitCost = None,
    jobs: Jobs = None,
    export: Export = None,
    dossiers: Dossiers = False,
    answers: AnswersFile = None,
    replace: Replace = False,
    yes: Yes = False,
    pull_requests: Pulls = True,
    records: Records = None,
    data: Data = None,
    runs: Runs = Path("runs"),
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from evals.run.driving import Order, drive

    loaded = load(config)
    order = Order(
        name=name,
        engine=engine,
        split=split,
        sample=sample,
        seed=seed,
        limit_cost=limit_cost,
        jobs=jobs,
        export=export,
        dossiers=dossiers,
        answers=answers,
        replace=replace,
        yes=yes,
        pull_requests=pull_requests,
        records=records,
        data=data,
        runs=runs,
        json=json,
    )
    return drive(order, loaded.settings, output_for(loaded))
