"""The report as a page of Markdown to paste into a pull request: figures and lists, no single record's page.

Text from outside is scrubbed as in a comment (nobody is mentioned, no bot obeys) and cannot leave its table cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evals.judge import view as judge_view
from evals.judge import words as judge_words
from evals.report import numbers, words
from evals.report.beating import MAIN_KEYS, sum_of_rates
from evals.report.building import Report
from evals.report.reproducing import run_command
from evals.report.rows import RecordRow, Standing
from evals.scores import words as score_words
from evals.scores.keys import Kind, definition
from evals.scores.models import ScoreSheet
from reviewbot.models import Labels
from reviewbot.render import words as render_words
from reviewbot.render.scrub import clean, scrub_line


def as_markdown(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_cell(words.title(report.manifest.name))}\n"
    for sentence in report.headline:
        yield f"{_cell(sentence)}\n"
    yield from _section(words.BASELINES, _baseline_columns(), _baselines(report))
    yield from _section(words.SCORES, words.MD_SCORE_COLUMNS, _scores(report.sheet), folded=True)
    yield from _section(words.BATCHES, words.BATCH_COLUMNS, _batches(report.sheet), folded=True)
    rare = [
        (render_words.LABEL_WORDS[one.label], one.value, one.record, one.answered or words.ABSENT)
        for one in report.sheet.rare
    ]
    yield from _section(words.RARE, words.RARE_COLUMNS, rare, folded=True)
    yield from _section(words.STATES, words.STATE_COLUMNS, _states(report))
    if summary := report.judge.summary:
        yield from _section(judge_words.SUMMARY, judge_words.SUMMARY_COLUMNS, judge_view.summary_rows(summary))
        yield f"{_cell(judge_view.heading(summary))}\n\n{_cell(judge_view.footing(summary))}\n"
    elif report.judge.reason:
        yield f"{_cell(report.judge.reason)}\n"
    for title, standing in (
        (words.MD_MISSED, Standing.MISSED),
        (words.MD_FALSE_ALARMS, Standing.FALSE_ALARM),
        (words.MD_ERRORS, Standing.ERROR),
    ):
        yield from _section(title, words.MD_RECORD_COLUMNS, map(_record, report.of(standing)), folded=True)
    yield f"### {words.REPRODUCE}\n"
    yield f"    {clean(run_command(report.manifest))}\n"


def _section(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, folded: bool = False
) -> Iterator[str]:
    """A heading and its table; folded sections show how many rows they hold. No table without a row."""
    told = list(rows)
    heading = words.counted(title, len(told))
    if folded:
        yield f"<details><summary>{heading}</summary>\n"
    else:
        yield f"### {title}\n"
    if told:
        yield f"| {' | '.join(columns)} |"
        yield "|" + " --- |" * len(columns)
        for row in told:
            yield f"| {' | '.join(map(_cell, row))} |"
        yield ""
    else:
        yield f"{words.MD_NONE}\n"
    if folded:
        yield "</details>\n"


def _cell(text: str) -> str:
    return scrub_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("`", "\\`")


def _baseline_columns() -> tuple[str, ...]:
    names = (score_words.NAMES[key] for key in MAIN_KEYS)
    return (words.BASELINE_COLUMN, *names, words.SUM_OF_RATES, words.COMPARED)


def _baselines(report: Report) -> Iterator[tuple[str, ...]]:
    yield (words.RUN_ROW, *_main_values(report.sheet), "")
    for sheet, one in zip(report.scoring.baselines, report.comparisons, strict=True):
        told = words.compared(one.contest, doubtful=not one.certain)
        yield (score_words.baseline_name(sheet.name), *_main_values(sheet), told)


def _main_values(sheet: ScoreSheet) -> tuple[str, ...]:
    values = (numbers.value_text(sheet.score(key)) for key in MAIN_KEYS)
    return (*values, numbers.percent(sum_of_rates(sheet)))


def _scores(sheet: ScoreSheet) -> Iterator[tuple[str, ...]]:
    """Those that could be measured; what cost nothing is left out with them."""
    for score in sheet.scores:
        if score.value is None or (definition(score.key).kind is Kind.COST and not score.value):
            continue
        name = score_words.NAMES[score.key]
        yield name, numbers.value_text(score), numbers.interval_text(score), numbers.count_text(score)


def _batches(sheet: ScoreSheet) -> Iterator[tuple[str, ...]]:
    for row in sheet.batches:
        counts = (row.n, row.verdict_hits, row.majority_hits, row.needs_work, row.missed, row.false_alarms)
        yield (row.batch, *map(str, counts))


def _states(report: Report) -> Iterator[tuple[str, str]]:
    for state, count in report.sheet.states.items():
        yield score_words.STATES[state], str(count)
    for kind, count in report.sheet.errors.items():
        yield words.errors_row(kind), str(count)
    pending = len(report.of(Standing.PENDING))
    if pending:
        yield words.PENDING_ROW, str(pending)


def _record(row: RecordRow) -> tuple[str, ...]:
    record, answer = row.record, row.answer
    return (
        record.id,
        str(record.upstream_pr),
        record.title or words.UNTITLED,
        _short(record.labels),
        _short(answer.labels) if answer else row.error.message if row.error else words.ABSENT,
        numbers.decimal(row.score),
    )


def _short(labels: Labels) -> str:
    return f"{labels.verdict}/{labels.risk}"
