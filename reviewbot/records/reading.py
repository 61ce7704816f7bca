"""``read_table``: any form of the team's table to records, with a word about every row that is not plain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from reviewbot.errors import InputFileError
from reviewbot.records import words
from reviewbot.records.columns import read_header
from reviewbot.records.decoding import decoded
from reviewbot.records.delimited import read_csv, read_tsv
from reviewbot.records.forms import Form, form_by_suffix
from reviewbot.records.jsonl import read_jsonl
from reviewbot.records.legacy import read_legacy
from reviewbot.records.markdown import read_markdown
from reviewbot.records.models import Imported, Problem, ReadRow, Severity
from reviewbot.records.rows import RowError, TableError, clipped, is_verdict, pr_number
from reviewbot.records.workbook import read_workbook

MOST_BYTES = 50_000_000
_READERS: dict[Form, Callable[[str], Iterator[ReadRow | Problem]]] = {
    Form.LEGACY: read_legacy,
    Form.TSV: read_tsv,
    Form.CSV: read_csv,
    Form.MARKDOWN: read_markdown,
    Form.JSONL: read_jsonl,
}


def read_table(
    content: bytes, name: str = "", form: Form | None = None, pr_list: Iterable[int | None] | None = None
) -> Imported:
    """Rows of a table. ``name`` is the file's, for messages and its suffix; ``form`` overrides what these tell.

    ``pr_list`` has one number for each row, malformed ones included; a number in the row itself wins, and is told of
    when it differs. Raises InputFileError when no row at all can be read, or when the list is of another length.
    """
    if len(content) > MOST_BYTES:
        raise InputFileError(name, words.file_too_large(len(content), MOST_BYTES))
    try:
        form = form or form_of(content, name)
        found = list(read_workbook(content) if form is Form.XLSX else _READERS[form](decoded(content)))
    except TableError as error:
        raise InputFileError(name, str(error)) from error
    rows = tuple(one for one in found if isinstance(one, ReadRow))
    problems = [one for one in found if isinstance(one, Problem)]
    undecided = words.undecided_summary if form is Form.LEGACY else words.no_summary
    for row in rows:
        if row.record.summary is None:
            reason = undecided(clipped(row.record.analysis))
            problems.append(Problem(line=row.line, severity=Severity.UNDECIDED, reason=reason))
    if pr_list is not None:
        rows, disagreeing = _numbered(found, tuple(pr_list), name)
        problems += disagreeing
    return Imported(form=form, rows=rows, problems=tuple(sorted(problems, key=lambda problem: problem.line)))


def form_of(content: bytes, name: str) -> Form:
    """By suffix, else by content; text that looks like nothing else is taken for the old export."""
    known = form_by_suffix(name)
    if content.startswith(b"PK\x03\x04"):
        return Form.XLSX
    if known is not None:
        return known
    lines = [line for line in decoded(content).split("\n") if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith("{"):
        return Form.JSONL
    if any(line.lstrip().startswith("|") for line in lines[:20]):
        return Form.MARKDOWN
    for separator, form in (("\t", Form.TSV), (",", Form.CSV), (";", Form.CSV)):
        cells = first.split(separator)
        if len(cells) > 1 and (read_header(cells) is not None or any(map(is_verdict, cells[:2]))):
            return form
    return Form.LEGACY


def read_pr_list(content: bytes, name: str) -> tuple[int | None, ...]:
    """One number or link a line, ``-`` for a row without one; blank lines do not count. Raises InputFileError."""
    numbers: list[int | None] = []
    try:
        for line, text in enumerate(decoded(content).split("\n"), start=1):
            if text.strip():
                try:
                    numbers.append(pr_number(text))
                except RowError as error:
                    raise TableError(words.pr_list_bad_line(line, clipped(text))) from error
    except TableError as error:
        raise InputFileError(name, str(error)) from error
    return tuple(numbers)


def _numbered(
    found: list[ReadRow | Problem], numbers: tuple[int | None, ...], name: str
) -> tuple[tuple[ReadRow, ...], list[Problem]]:
    """Rows with the numbers of the list, and where a row already had another one."""
    places = [one for one in found if isinstance(one, ReadRow) or one.severity is Severity.MALFORMED]
    malformed = sum(isinstance(place, Problem) for place in places)
    if len(numbers) != len(places):
        raise InputFileError(name, words.pr_list_wrong_length(len(numbers), len(places), malformed))
    rows: list[ReadRow] = []
    problems: list[Problem] = []
    for place, number in zip(places, numbers, strict=True):
        if isinstance(place, Problem):
            continue
        own = place.record.upstream_pr
        if own is None:
            record = place.record.model_copy(update={"upstream_pr": number})
            rows.append(ReadRow(line=place.line, record=record))
            continue
        rows.append(place)
        if number not in (None, own):
            reason = words.pr_disagrees(own, number)
            problems.append(Problem(line=place.line, severity=Severity.NOTICE, reason=reason))
    return tuple(rows), problems
