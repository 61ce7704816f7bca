"""The form as a sheet for people: paragraphs drawn from a run, empty columns for grades. No label, no judge's grade."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evals.judge import words
from evals.judge.cases import paragraphs_of
from evals.judge.form import grade_lines
from evals.judge.models import Criterion
from evals.records import LabelledRecord
from evals.run.errors import SelectionError
from evals.run.models import Run
from evals.run.words import records_lack
from reviewbot.models import needs_work
from reviewbot.render.scrub import clean
from reviewbot.render.spreadsheet import guard

_BOM = "\ufeff"


class SheetRow(NamedTuple):
    """``needs_work`` draws the row and is not shown."""

    record: str
    title: str
    paragraph: str
    needs_work: bool


def rows_of(run: Run, records: Iterable[LabelledRecord]) -> tuple[SheetRow, ...]:
    """A row for each paragraph of ``run``. Raises SelectionError when ``records`` lack one of its records."""
    paragraphs, known = paragraphs_of(run), {record.id: record for record in records}
    if lacking := [record for record in paragraphs if record not in known]:
        raise SelectionError(records_lack(lacking))
    return tuple(_row(known[record], paragraph) for record, paragraph in paragraphs.items())


def _row(record: LabelledRecord, paragraph: str) -> SheetRow:
    title = words.numbered_title(record.upstream_pr, record.title)
    return SheetRow(record.id, title, paragraph, needs_work(record.labels))


def drawn(rows: Sequence[SheetRow], size: int, seed: int) -> tuple[SheetRow, ...]:
    """``size`` rows, half of them of records that need work as far as there are enough of either kind, shuffled.

    Depends on ids and seed alone.
    """
    draw = random.Random(seed)
    shuffled = sorted(rows)
    draw.shuffle(shuffled)
    work = [row for row in shuffled if row.needs_work]
    rest = [row for row in shuffled if not row.needs_work]
    of_work = min(len(work), max(size - size // 2, size - len(rest)))
    chosen = work[:of_work] + rest[: size - of_work]
    draw.shuffle(chosen)
    return tuple(chosen)


def sheet(rows: Iterable[SheetRow]) -> bytes:
    """CSV with the mark by which Excel knows UTF-8. A row is one line, so that a spreadsheet's numbers are ours."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        [
            *(words.column(key) for key in ("record", "title", "paragraph")),
            *(words.column_with_grades(one, words.GRADE_JOIN.join(grade_lines(one))) for one in Criterion),
            words.column("analyst"),
        ]
    )
    blank = [""] * (len(Criterion) + 1)
    for row in rows:
        writer.writerow([*map(_cell, (row.record, row.title, row.paragraph)), *blank])
    return (_BOM + out.getvalue()).encode()


def one_line(text: str) -> str:
    """As a cell holds it: cleaned, white space folded."""
    return " ".join(clean(text).split())


def _cell(text: str) -> str:
    return guard(one_line(text))
