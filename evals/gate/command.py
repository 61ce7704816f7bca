"""``reviewbot eval gate``. Exit codes: 0 passed · 1 worse beyond noise, or the files cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evals import words as shared_words
from evals.compare import words as compare_words
from evals.gate import words
from reviewbot.cli import options
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from evals.gate.gating import GateResult
    from evals.run.models import Run

RunName = Annotated[str, typer.Argument(metavar="RUN", help=words.ARGUMENT_RUN)]
Baseline = Annotated[str | None, typer.Option("--baseline", metavar="RUN", help=words.OPTION_BASELINE)]
ThresholdsFile = Annotated[Path | None, typer.Option("--thresholds", metavar="FILE", help=words.OPTION_THRESHOLDS)]
Update = Annotated[bool, typer.Option("--update", help=words.OPTION_UPDATE)]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help=compare_words.OPTION_RUNS, show_default="runs")]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=shared_words.CASES_RECORDS_HELP)]


def gate(
    name: RunName,
    baseline: Baseline = None,
    thresholds: ThresholdsFile = None,
    update: Update = False,
    runs: Runs = Path("runs"),
    records: Records = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    from evals.compare.comparison import compare
    from evals.gate.baseline import open_baseline, without_texts
    from evals.gate.gating import gate as gated
    from evals.gate.thresholds import load_thresholds
    from evals.records import load_records
    from evals.run.loading import load_run, save_portable
    from reviewbot.errors import OptionsError

    output, run, limits = Output(), load_run(name, runs), load_thresholds(thresholds)
    if update:
        if baseline is None:
            raise OptionsError(words.UPDATE_NEEDS_FILE, ("--update", "--baseline"))
        save_portable(without_texts(run), Path(baseline))
        output.line(words.updated(baseline, len(run.outcomes)))
        return 0
    before = open_baseline(baseline, runs)
    comparison = compare(before, run, load_records(records), level=limits.level)
    result = gated(comparison, before, run, limits)
    if json:
        output.json({**result.model_dump(mode="json"), "notes": list(comparison.notes), "records": comparison.records})
    else:
        for note in comparison.notes:
            output.note(compare_words.NOTES[note])
        _show(output, result, before, run, comparison.records)
    return 0 if result.passed else 1


def _show(output: Output, result: GateResult, before: Run, run: Run, records: int) -> None:
    from evals.compare.view import interval
    from evals.scores.spelling import plain, signed
    from evals.scores.words import NAMES

    output.table(
        words.COLUMNS,
        [
            (
                NAMES[one.difference.key],
                plain(one.difference.first),
                plain(one.difference.second),
                signed(one.difference.value),
                interval(one.difference),
                plain(one.slack) if one.slack else "",
                words.FAILED if one.failed else words.LOST if one.lost else words.PASSED,
            )
            for one in result.watched
        ],
    )
    names = before.manifest.name, run.manifest.name
    if result.passed:
        output.line(words.passed(names[1], names[0], records), style="bold green")
        return
    reasons = [words.worse(NAMES[one.difference.key]) for one in result.watched if one.failed]
    reasons += [words.lost(NAMES[one.difference.key]) for one in result.watched if one.lost]
    reasons += [words.new_errors(result.new_errors)] if result.new_errors else []
    output.line(words.failed(names[1], names[0], reasons), style="bold red")
