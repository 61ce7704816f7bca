"""Reads people's grades from the sheet of `form`, as Excel and its kin save it. Every fault is told, none guessed at.

A column is known by the key that its heading begins with. A row without any grade is one that nobody has got to yet.
Sheets of several people may stand one after the other in one file, headings and all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evals.judge import words
from evals.judge.errors import GradeProblem, GradesError
from evals.judge.models import GRADES, Criterion, Grade
from evals.judge.sheet import one_line
from retrieval.models import Frozen
from reviewbot.records.decoding import decoded
from reviewbot.records.delimited import split
from reviewbot.records.grid import Cells
from reviewbot.records.rows import TableError

_SEPARATORS = (",", ";", "\t")
_KEY = re.compile(r"[a-z_]+")
_NEEDED = ("record", *Criterion)
_GRADES: Mapping[str, Grade] = {str(grade): grade for grade in GRADES}


class PersonsGrades(Frozen):
    """What one person says of one paragraph; ``analyst`` is empty where nobody signed."""

    record: str
    analyst: str
    grades: Mapping[Criterion, Grade]


def read_grades(path: Path, paragraphs: Mapping[str, str]) -> tuple[PersonsGrades, ...]:
    """Grades for the ``paragraphs`` of a run, by record. Raises GradesError with every fault of the file."""
    source = str(path)
    try:
        text = decoded(path.read_bytes())
    except OSError as error:
        raise GradesError(source, (GradeProblem(1, "", words.unreadable(error)),)) from error
    except TableError as error:
        raise GradesError(source, (GradeProblem(1, "", str(error)),)) from error
    return _Reader(source, paragraphs).read(text)


class _Reader:
    def __init__(self, source: str, paragraphs: Mapping[str, str]) -> None:
        self._source = source
        self._paragraphs = {record: one_line(paragraph) for record, paragraph in paragraphs.items()}
        self._problems: list[GradeProblem] = []
        self._seen: set[tuple[str, str]] = set()

    def read(self, text: str) -> tuple[PersonsGrades, ...]:
        rows = max((list(split(text, mark)) for mark in _SEPARATORS), key=lambda rows: len(_columns(rows)))
        columns = _columns(rows)
        self._problems += _header_problems(rows)
        self._stop()
        headings = _keys(rows[:1])
        found = [one for row in rows[1:] if _keys([row]) != headings and (one := self._row(row, columns)) is not None]
        self._stop()
        return tuple(found)

    def _stop(self) -> None:
        if self._problems:
            raise GradesError(self._source, tuple(self._problems))

    def _row(self, row: Cells, columns: Mapping[str, int]) -> PersonsGrades | None:
        if row.fault:
            self._problems.append(GradeProblem(row.line, "", words.open_quote(row.fault)))
            return None
        cells = {key: row.cells[at].strip() if at < len(row.cells) else "" for key, at in columns.items()}
        if not any(cells[one] for one in Criterion):
            return None
        faults = list(self._faults(cells))
        self._problems += [GradeProblem(row.line, column, reason) for column, reason in faults]
        if faults:
            return None
        grades = {one: _GRADES[_plain(cells[one])] for one in Criterion}
        return PersonsGrades(record=cells["record"], analyst=cells.get("analyst", ""), grades=grades)

    def _faults(self, cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        record, analyst = cells["record"], cells.get("analyst", "")
        paragraph = self._paragraphs.get(record)
        if paragraph is None:
            yield "record", words.unknown_record(record)
        elif (record, analyst) in self._seen:
            yield "record", words.graded_twice(record, analyst)
        elif one_line(cells.get("paragraph", paragraph)) != paragraph:
            yield "paragraph", words.OTHER_PARAGRAPH
        self._seen.add((record, analyst))
        for one in Criterion:
            if not cells[one]:
                yield one, words.NOT_FILLED
            elif _plain(cells[one]) not in _GRADES:
                yield one, words.bad_grade(cells[one])


def _columns(rows: Sequence[Cells]) -> dict[str, int]:
    """Where each column is that the sheet has; the first of two with one key."""
    keys = _keys(rows)
    return {key: keys.index(key) for key in (*words.COLUMNS, *Criterion) if key in keys}


def _keys(rows: Sequence[Cells]) -> list[str]:
    headings = rows[0].cells if rows else ()
    return [match.group() if (match := _KEY.match(heading.strip("\ufeff ").lower())) else "" for heading in headings]


def _header_problems(rows: Sequence[Cells]) -> Iterator[GradeProblem]:
    if not rows:
        yield GradeProblem(1, "", words.EMPTY_FILE)
        return
    keys = _keys(rows)
    for key in _NEEDED:
        if key not in keys:
            yield GradeProblem(rows[0].line, key, words.NO_COLUMN)
    for key in (*words.COLUMNS, *Criterion):
        if keys.count(key) > 1:
            yield GradeProblem(rows[0].line, key, words.TWO_COLUMNS)


def _plain(cell: str) -> str:
    """Full-width digits as an input method leaves them, and ``2.0`` as a spreadsheet may write it."""
    return unicodedata.normalize("NFKC", cell).removesuffix(".0")
