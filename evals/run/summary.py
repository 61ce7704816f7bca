"""What a person sees when a run has ended: counts, the main scores, where it lies and what to do next."""

from __future__ import annotations

import shlex
from pathlib import Path

from evals.run import words
from evals.run.folder import RUNS
from evals.run.models import Run
from evals.scores import words as score_words
from evals.scores.keys import definition
from evals.scores.models import Score, ScoreSheet, Scoring
from evals.scores.spelling import between, plain
from reviewbot.cli.output import Output

#: The figures that a terminal shows; the report has all of them.
MAIN = (
    "miss_rate",
    "false_alarm_rate",
    "work_auc",
    "verdict_accuracy",
    "verdict_kappa",
    "risk_accuracy",
    "risk_kappa",
    "needs_adaptation_f1",
    "npu_affected_f1",
    "shown_recall",
    "cited_recall",
    "citations_resolved",
    "paragraph_coverage",
    "money_sum",
    "seconds_median",
)
_ERRORS_SHOWN = 3


def print_summary(output: Output, run: Run, scoring: Scoring, place: Path) -> None:
    """``place`` is the folder or the one file in which the run lies."""
    sheet = scoring.sheet
    output.line(words.counts(sheet.records, sheet.answered, len(run.manifest.records)))
    if sheet.states:
        output.line(words.states([(score_words.STATES[state], count) for state, count in sheet.states.items()]))
    if sheet.errors:
        output.line(_errors(sheet, run), style="yellow")
    rows = [_row(score) for key in MAIN if (score := sheet.score(key)).value is not None]
    if rows:
        output.line()
        output.table(words.COLUMNS, rows)
        output.line()
    if place.is_dir():
        output.line(words.where(str(place)))
    usual = place.absolute() == (RUNS / run.manifest.name).absolute()
    output.line(words.report_next(run.manifest.name if usual else shlex.quote(str(place))))


def _errors(sheet: ScoreSheet, run: Run) -> str:
    failed = [(outcome.record, outcome.error.message) for outcome in run.outcomes if outcome.error]
    kinds = [(words.ERROR_KINDS[kind], count) for kind, count in sheet.errors.items()]
    return words.errors(kinds, [words.example(*one) for one in failed[:_ERRORS_SHOWN]])


def _row(score: Score) -> tuple[str, str, str, str]:
    name = score_words.NAMES[score.key]
    shown = words.weak(name) if definition(score.key).weak else name
    return shown, plain(score.value), between(score.interval), words.rests_on(score.hits, score.n)
