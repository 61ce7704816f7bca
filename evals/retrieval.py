"""``python -m evals.retrieval``: evidence recall on the labelled records, with counts beside every figure.

Exit codes as in ``evals.cases``. Figures go to standard output, progress to standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.table import Table

from evals import words
from evals.errors import EvalsError
from evals.measuring import Measured, kind_counts, measure_records
from evals.real_data import RealData, default_root
from evals.recall import Ratio, Recall, recall_at
from evals.records import LabelledRecord, load_records, usable_records
from evals.running import run, say
from evals.workbench import open_workbench
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output, Terminal
from reviewbot.cli.progress import progress_bar
from reviewbot.settings_sources import load_settings

DEPTHS = (5, 10, 20, 50)
#: How deep ``--misses`` looks: the length of a ledger.
MISSES_AT = 20

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.RETRIEVAL_HELP)
def main(
    data: Annotated[Path | None, typer.Option("--data", help=words.DATA_HELP)] = None,
    records: Annotated[Path | None, typer.Option("--records", help=words.CASES_RECORDS_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help=words.JSON_HELP)] = False,
    misses: Annotated[bool, typer.Option("--misses", help=words.MISSES_HELP)] = False,
    kinds: Annotated[bool, typer.Option("--kind-counts", help=words.KIND_COUNTS_HELP)] = False,
) -> None:
    labelled = load_records(records)
    real = RealData(data or default_root())
    real.prepare(labelled, say)
    measured, opening_seconds = _measure(real, usable_records(labelled))
    recalls = [recall_at(k, [one.ranked for one in measured]) for k in DEPTHS]
    if as_json:
        typer.echo(json.dumps(_document(recalls, measured, opening_seconds), ensure_ascii=False, indent=2))
        return
    console = Terminal(sys.stdout)
    console.print(_table(recalls))
    console.print(_costs(measured, opening_seconds), soft_wrap=True)
    if kinds:
        console.print(words.kind_counts({str(kind): count for kind, count in kind_counts(measured).most_common()}))
    if misses:
        for one in measured:
            for place in one.ranked.missed(MISSES_AT):
                console.print(words.missed_place(one.ranked.id, place.path, place.scope), soft_wrap=True)


def _measure(real: RealData, records: Sequence[LabelledRecord]) -> tuple[list[Measured], float]:
    """What was measured, and the seconds it took to open trees and index."""
    if not records:
        raise EvalsError(words.NO_USABLE_RECORDS)
    cache = load_settings().settings.cache.dir
    with (
        progress_bar(Output(), words.MEASURING) as report,
        open_workbench(real.base, real.downstream, cache, report) as bench,
    ):
        measured = []
        for one in measure_records(records, real.diffs, bench, real.downstream):
            measured.append(one)
            report(len(measured), len(records))
        return measured, bench.opening_seconds


def _table(recalls: Sequence[Recall]) -> Table:
    table = Table(title=words.recall_title(recalls[0].records))
    table.add_column(words.COLUMN_DEPTH, justify="right")
    for name in (words.COLUMN_SCOPE, words.COLUMN_NAMED, words.COLUMN_FILE, words.COLUMN_MACRO):
        table.add_column(name, justify="right")
    for recall in recalls:
        macro = "—" if recall.macro is None else f"{recall.macro:.3f} ({recall.records})"
        ratios = (recall.scope, recall.named_scope, recall.file)
        table.add_row(str(recall.k), *(_shown(ratio) for ratio in ratios), macro)
    return table


def _shown(ratio: Ratio) -> str:
    return "—" if ratio.value is None else f"{ratio.value:.3f} ({ratio.hits}/{ratio.total})"


def _costs(measured: Sequence[Measured], opening_seconds: float) -> str:
    return words.retrieval_costs(
        len(measured),
        opening_seconds,
        median(one.delta_ms for one in measured),
        median(one.ledger_ms for one in measured),
        median(one.tokens for one in measured),
        max(one.tokens for one in measured),
    )


def _document(recalls: Sequence[Recall], measured: Sequence[Measured], opening_seconds: float) -> dict[str, Any]:
    """Shape of ``--json``: ratios as value, hits, total; times in milliseconds but ``opening_seconds``."""
    return {
        "recall": [
            {
                "k": recall.k,
                "scope": _ratio(recall.scope),
                "named_scope": _ratio(recall.named_scope),
                "file": _ratio(recall.file),
                "macro": {"value": recall.macro, "records": recall.records},
            }
            for recall in recalls
        ],
        "records": [
            {
                "id": one.ranked.id,
                "expected": len(one.ranked.expected),
                "missed": [place._asdict() for place in one.ranked.missed(MISSES_AT)],
                "tokens": one.tokens,
                "delta_ms": round(one.delta_ms, 3),
                "ledger_ms": round(one.ledger_ms, 3),
            }
            for one in measured
        ],
        "kinds": {str(kind): count for kind, count in kind_counts(measured).most_common()},
        "opening_seconds": round(opening_seconds, 3),
    }


def _ratio(ratio: Ratio) -> dict[str, Any]:
    return {"value": ratio.value, **asdict(ratio)}


if __name__ == "__main__":
    run(app, "evals.retrieval")
