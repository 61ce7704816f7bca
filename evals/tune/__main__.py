"""``python -m evals.tune``. Exit codes as in ``evals.cases``; figures on standard output, progress on error."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from evals import words as shared_words
from evals.errors import EvalsError, WeightsError
from evals.measuring import measure_all
from evals.ranking import SHIPPED, Number, scoring_from, shipped_table
from evals.real_data import RealData, default_root
from evals.records import load_records, usable_records
from evals.running import run, say
from evals.tune import words
from evals.tune.examples import Example
from evals.tune.fitting import Tuned, Tuner
from evals.tune.report import document, moved, recall_table, weights_table
from evals.tune.weights_file import by_hand, rewritten
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output, Terminal
from reviewbot.cli.progress import progress_bar

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.HELP)
def main(
    data: Annotated[Path | None, typer.Option("--data", help=shared_words.DATA_HELP)] = None,
    records: Annotated[Path | None, typer.Option("--records", help=shared_words.CASES_RECORDS_HELP)] = None,
    table: Annotated[Path | None, typer.Option("--table", help=words.TABLE_HELP)] = None,
    write: Annotated[Path | None, typer.Option("--write", help=words.WRITE_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help=shared_words.JSON_HELP)] = False,
) -> None:
    if write is not None and not write.parent.is_dir():
        raise WeightsError(str(write), words.NO_SUCH_FOLDER)
    text = _read(table) if table else shipped_table()
    start = _start(text, str(table or SHIPPED))
    tuned = _tune(start, _examples(data, records))
    if as_json:
        typer.echo(json.dumps(document(tuned), ensure_ascii=False, indent=2))
    else:
        console = Terminal(sys.stdout)
        console.print(recall_table(tuned))
        console.print(weights_table(tuned))
        console.print(words.unmoved(len(tuned.movements) - len(moved(tuned))))
        console.print(words.ONLY_HELD_OUT, soft_wrap=True)
    if write is not None:
        _write(write, rewritten(text, tuned.fitted))


def _start(text: str, source: str) -> dict[str, Number]:
    values = by_hand(text, source)
    try:
        scoring_from(values)
    except (TypeError, ValueError) as error:
        raise WeightsError(source, words.no_scoring(str(error))) from error
    return values


def _examples(data: Path | None, records: Path | None) -> list[Example]:
    """The usable records that cite a place of the tree at hand."""
    labelled = load_records(records)
    real = RealData(data or default_root())
    real.prepare(labelled, say)
    usable = usable_records(labelled)
    say(words.plan(len(usable)))
    measured, _ = measure_all(real, usable)
    return [
        Example(one.ranked.id, one.batch, one.ranked.expected, one.found) for one in measured if one.ranked.expected
    ]


def _tune(start: dict[str, Number], examples: list[Example]) -> Tuned:
    tuner = Tuner(start, examples)
    if tuner.folds < 2:
        raise EvalsError(words.TOO_FEW_BATCHES)
    began = time.perf_counter()
    for one in examples:
        tuner.trials.outcome(one, start)
    each = (time.perf_counter() - began) / len(examples)
    say(words.estimate(len(examples), len(tuner.names), tuner.folds, each * tuner.rankings_at_most))
    with progress_bar(Output(), words.FITTING) as report:
        tuned = tuner.tune(report)
    say(words.took(time.perf_counter() - began, tuner.trials.ranked))
    return tuned


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WeightsError(str(path), words.unreadable(str(error))) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise WeightsError(str(path), words.not_writable(error.strerror or str(error))) from error
    say(words.written(str(path)))


if __name__ == "__main__":
    run(app, "evals.tune")
