"""Findings as a person reads them in a terminal: contradictions first, batches last, long lists cut and counted."""

from __future__ import annotations

from collections.abc import Sequence

from evals.dataset import words
from evals.dataset.findings import BatchSummary, Findings
from reviewbot.cli.output import Output

#: Rows of one section that are shown; ``--json`` has all.
_SHOWN = 20
_IDS_SHOWN = 8


def show_findings(output: Output, file: str, found: Findings) -> None:
    output.line(words.checked(file, found.records, found.problems), style="bold")
    duplicates = [
        (f"#{one.upstream_pr}", " ".join(one.records), words.SAME_LABELS if one.same_labels else words.DIFFERENT_LABELS)
        for one in found.duplicates
    ]
    _section(output, words.DUPLICATES, words.DUPLICATE_COLUMNS, duplicates)
    contradictions = [
        (
            f"{one.first} {one.second}",
            *(f"{share:.0%}" for share in (one.hunks, one.files, one.titles)),
            " / ".join(one.qualities),
            words.SAME_BATCH if one.same_batch else words.OTHER_BATCH,
            words.differences(one.differs),
        )
        for one in found.contradictions
    ]
    _section(output, words.CONTRADICTIONS, words.CONTRADICTION_COLUMNS, contradictions)
    flags = [(one.record, one.reason) for one in found.flags]
    _section(output, words.FLAGS, words.FLAG_COLUMNS, flags)
    missing = [
        (words.MISSING_INPUTS[kind], str(len(records)), words.some(records[:_IDS_SHOWN], len(records)))
        for kind, records in found.missing.items()
    ]
    _section(output, words.MISSING, words.MISSING_COLUMNS, missing, count=sum(map(len, found.missing.values())))
    _show_lost(output, found)
    output.line()
    output.line(words.BATCHES, style="bold")
    output.table(words.BATCH_COLUMNS, [_batch(one) for one in found.batches], fold=(7,))


def _show_lost(output: Output, found: Findings) -> None:
    if found.revision is None:
        output.line()
        output.line(words.CITATIONS_UNCHECKED, style="yellow")
        return
    lost = [(one.record, words.lost(file_exists=one.file_exists), one.scope, one.path) for one in found.lost]
    title = words.citations_checked(found.citations, found.revision)
    _section(output, title, words.CITATION_COLUMNS, lost, fold=(2, 3))


def _section(
    output: Output,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    count: int | None = None,
    fold: Sequence[int] | None = None,
) -> None:
    """``count`` where rows stand for several findings each; the last column is folded unless ``fold`` names others."""
    output.line()
    output.line(words.section(title, len(rows) if count is None else count), style="bold" if rows else "dim")
    if rows:
        output.table(columns, rows[:_SHOWN], fold=(len(columns) - 1,) if fold is None else fold)
    if len(rows) > _SHOWN:
        output.line(words.more(len(rows) - _SHOWN), style="dim")


def _batch(one: BatchSummary) -> tuple[str, ...]:
    return (
        one.batch,
        str(one.records),
        str(one.with_diff),
        "/".join(map(str, one.verdicts.values())),
        "/".join(map(str, one.risks.values())),
        str(one.needs_work),
        words.days(one.first_day, one.last_day),
        words.analysts(one.analysts),
    )
