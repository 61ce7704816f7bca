"""``python -m evals.retrieval``. Exit codes as in ``evals.cases``; figures on standard output, progress on error."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from evals import words as shared_words
from evals.measuring import Measured, kind_counts, measure_all
from evals.ranking import SHIPPED, order, shipped_scoring, shipped_table
from evals.real_data import RealData, default_root
from evals.recall import recall_at
from evals.records import load_records, usable_records
from evals.retrieval import words
from evals.retrieval.ablation import ablations
from evals.retrieval.document import ablation_rows, document, miss_rows, oracle_rows
from evals.retrieval.misses import Missed, misses_of
from evals.retrieval.oracle import Level, Mentions, NameSet, OracleRow, mentions, reach_at
from evals.retrieval.report import ablation_table, cost_lines, miss_lines, oracle_table, recall_table
from evals.running import run, say
from evals.tune.weights_file import is_fitted
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Terminal

DEPTHS = (5, 10, 20, 50)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.HELP)
def main(
    data: Annotated[Path | None, typer.Option("--data", help=shared_words.DATA_HELP)] = None,
    records: Annotated[Path | None, typer.Option("--records", help=shared_words.CASES_RECORDS_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help=shared_words.JSON_HELP)] = False,
    oracle: Annotated[bool, typer.Option("--oracle", help=words.ORACLE_HELP)] = False,
    ablation: Annotated[bool, typer.Option("--ablation", help=words.ABLATION_HELP)] = False,
    misses: Annotated[bool, typer.Option("--misses", help=words.MISSES_HELP)] = False,
    kinds: Annotated[bool, typer.Option("--kind-counts", help=words.KIND_COUNTS_HELP)] = False,
) -> None:
    labelled = load_records(records)
    real = RealData(data or default_root())
    real.prepare(labelled, say)
    measured, opening_seconds = measure_all(real, usable_records(labelled))
    fitted = is_fitted(shipped_table(), SHIPPED)
    recalls = [recall_at(k, [one.ledger(k) for one in measured]) for k in DEPTHS]
    read = [mentions(real.downstream, one.ranked.expected, one.names) for one in measured] if oracle or misses else []
    reaches = _reaches(measured, read) if oracle else []
    rows = list(ablations(measured, shipped_scoring())) if ablation else []
    missed = _misses(measured, read) if misses else []
    if as_json:
        shape: dict[str, Any] = document(recalls, measured, opening_seconds) | {"fitted_weights": fitted}
        shape |= {"oracle": oracle_rows(reaches)} if oracle else {}
        shape |= {"ablation": ablation_rows(rows)} if ablation else {}
        shape |= {"misses": miss_rows(missed)} if misses else {}
        typer.echo(json.dumps(shape, ensure_ascii=False, indent=2))
        return
    console = Terminal(sys.stdout)
    console.print(recall_table(words.recall_title(recalls[0].records), recalls))
    for line in cost_lines(measured, opening_seconds):
        console.print(line, soft_wrap=True)
    if fitted:
        console.print(words.FITTED_WEIGHTS, soft_wrap=True)
    if oracle:
        console.print(oracle_table(reaches, recalls))
    if ablation:
        console.print(ablation_table(rows))
    if kinds:
        console.print(words.kind_counts({str(kind): count for kind, count in kind_counts(measured).most_common()}))
    if misses:
        for line in miss_lines(missed):
            console.print(line, soft_wrap=True)


def _reaches(measured: Sequence[Measured], read: Sequence[Mentions]) -> list[OracleRow]:
    ledgers = {k: [one.ledger(k) for one in measured] for k in DEPTHS}
    return [
        OracleRow(names, level, {k: reach_at(k, ranked, read, names, level) for k, ranked in ledgers.items()})
        for level in Level
        for names in NameSet
    ]


def _misses(measured: Sequence[Measured], read: Sequence[Mentions]) -> list[Missed]:
    scoring = shipped_scoring()
    return [
        missed
        for one, found in zip(measured, read, strict=True)
        for missed in misses_of(one, order(one.found, scoring), found)
    ]


if __name__ == "__main__":
    run(app, "evals.retrieval")
