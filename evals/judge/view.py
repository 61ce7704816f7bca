"""A calibration and a judge's grades as rows of text, for a terminal or any report."""

from __future__ import annotations

from evals.judge import words
from evals.judge.models import Agreement, Calibration, CriterionSummary, JudgeSummary
from evals.judge.summary import Shown
from evals.scores.models import Interval
from evals.scores.spelling import between, plain, signed
from reviewbot.cli.output import Output

_DIGITS = 2


def show_calibration(output: Output, calibration: Calibration) -> None:
    output.line(words.calibrated(str(calibration.judge), calibration.records, calibration.pairs, calibration.analysts))
    output.line()
    output.table(words.AGREEMENT_COLUMNS, [_agreement(one) for one in calibration.agreements])
    among = [(_name(one), one.people_same, one.people_pairs) for one in calibration.agreements if one.people_pairs]
    if among:
        output.line()
        output.line(words.people_agree(among))


def show_summary(output: Output, shown: Shown) -> None:
    """The judge's grades, or why they are not shown."""
    if shown.summary is None:
        if shown.reason:
            output.note(shown.reason)
        return
    output.line()
    output.line(heading(shown.summary))
    output.table(words.SUMMARY_COLUMNS, summary_rows(shown.summary))
    output.line(footing(shown.summary))


def heading(summary: JudgeSummary) -> str:
    """The line above the table: who judged how much."""
    return words.heading(str(summary.judge), summary.judged, summary.paragraphs, summary.errors, own=summary.own)


def footing(summary: JudgeSummary) -> str:
    """The line below the table: what the agreement rests on."""
    calibration = summary.calibration
    return words.rests_on(calibration.records, calibration.pairs, calibration.analysts)


def summary_rows(summary: JudgeSummary) -> list[tuple[str, ...]]:
    """A row for each criterion, under `words.SUMMARY_COLUMNS`."""
    return [_grades(one) for one in summary.criteria]


def _grades(one: CriterionSummary) -> tuple[str, ...]:
    agreement = one.agreement
    return (
        _name(agreement),
        f"{one.mean:.2f}",
        _interval(one.interval),
        " / ".join(map(str, one.counts)),
        _with_interval(f"{agreement.share:.2f}", agreement.share_interval),
        _with_interval(_number(agreement.kappa), agreement.kappa_interval),
        _with_interval(signed(agreement.difference, _DIGITS), agreement.difference_interval),
    )


def _agreement(one: Agreement) -> tuple[str, ...]:
    return (
        _name(one),
        f"{one.share:.2f}（{one.same}/{one.pairs}）",
        _interval(one.share_interval),
        _number(one.kappa),
        _interval(one.kappa_interval),
        signed(one.difference, _DIGITS),
        _interval(one.difference_interval),
        leaning(one),
    )


def leaning(one: Agreement) -> str:
    """Whether the judge is kinder or stricter than people, as far as the records can tell."""
    interval = one.difference_interval
    if interval is not None and interval.low > 0:
        return words.KINDER
    return words.STRICTER if interval is not None and interval.high < 0 else words.EVEN


def _name(one: Agreement) -> str:
    return words.CRITERIA[one.criterion].name


def _number(value: float | None) -> str:
    return plain(value, _DIGITS) or words.UNDEFINED


def _interval(interval: Interval | None) -> str:
    return between(interval, _DIGITS) or words.UNDEFINED


def _with_interval(value: str, interval: Interval | None) -> str:
    return value if interval is None else f"{value}（{_interval(interval)}）"
