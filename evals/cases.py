"""``python -m evals.cases``: lays the real trees and one diff per usable labelled record on disk.

Exit codes: 0 done or nothing to do · 1 damaged data, no space, bad records · 10 the wheels cannot be fetched.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from evals import words
from evals.real_data import RealData, default_root
from evals.records import load_records, usable_records
from evals.running import run, say
from reviewbot.cli.help import ChineseCommand

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.CASES_HELP)
def main(
    out: Annotated[Path | None, typer.Option("--out", help=words.CASES_OUT_HELP)] = None,
    records: Annotated[Path | None, typer.Option("--records", help=words.CASES_RECORDS_HELP)] = None,
) -> None:
    began = time.perf_counter()
    labelled = load_records(records)
    data = RealData(out or default_root())
    data.prepare(labelled, say)
    say(words.real_data_ready(data.root, len(usable_records(labelled)), time.perf_counter() - began))


if __name__ == "__main__":
    run(app, "evals.cases")
