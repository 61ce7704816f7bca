"""``python -m evals.prompts``: prompts for the usable labelled records on the real trees, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals import words as shared_words
from evals.prompts import words

Data = Annotated[Path | None, typer.Option("--data", help=shared_words.DATA_HELP)]
Records = Annotated[Path | None, typer.Option("--records", help=shared_words.CASES_RECORDS_HELP)]
NoPast = Annotated[bool, typer.Option("--no-past", help=words.NO_PAST_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help=shared_words.JSON_HELP)]


def prompts(data: Data = None, records: Records = None, no_past: NoPast = False, as_json: AsJson = False) -> None:
    from evals.prompts.driving import measure
    from evals.prompts.view import document, rows
    from reviewbot.cli.output import Output

    output = Output()
    figures, measured, exact = measure(data, records, past=not no_past, output=output)
    if as_json:
        output.json(document(figures, measured, exact=exact))
        return
    output.line(words.title(figures.records, words.counted_by(exact)), style="bold")
    output.table(words.COLUMNS, rows(figures))
    for one in measured:
        if one.missing:
            output.line(words.missing_places(one.record, words.COMMA.join(one.missing)))
