"""Output formats of an analysis. ``terminal`` is for people, the others are documents that go on unchanged."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from reviewbot.cli import words
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from reviewbot.models import Analysis


class Format(StrEnum):
    TERMINAL = "terminal"
    COMMENT = "comment"
    ROW = "row"
    ROW_OLD = "row-old"
    JSON = "json"
    CSV = "csv"


def print_analysis(output: Output, analysis: Analysis, form: Format, *, explain: bool, number: int | None) -> None:
    """Print an analysis in one format. ``number`` is shown to people when the analysis was saved."""
    from reviewbot import render
    from reviewbot.records.delimited import row_new, row_old

    match form:
        case Format.TERMINAL:
            from reviewbot.cli.ledger_view import show_grounds

            output.out.block(render.record_panel(analysis, explain=explain))
            if explain:
                show_grounds(output, analysis)
            if number is not None:
                output.line(words.saved_as(number), style="dim")
        case Format.JSON:
            output.json(render.as_json(analysis))
        case Format.COMMENT:
            output.raw(render.comment(analysis))
        case Format.CSV:
            output.raw(render.as_csv([analysis]))
        case Format.ROW:
            output.raw(row_new(render.record(analysis)))
        case Format.ROW_OLD:
            output.raw(row_old(render.record(analysis)))
