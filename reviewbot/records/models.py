"""What one row of the team's table holds, and what reading a table gives.

`TeamRecord` differs from ``reviewbot.models.Record``: a row people wrote may lack its summary, knows who wrote it and
carries the text of its needs_cann flag; an analysis always has a summary and knows neither.

Texts are canonical from the moment a record exists, so that every form of a table gives back the same record: line
ends are ``\\n``, nothing that UTF-8 or a workbook cannot hold stays, no white space at either end.
"""

from __future__ import annotations

import re
from datetime import date as Day  # noqa: N812 - a field is called date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from retrieval.models import Frozen
from reviewbot.models import Labels, Record
from reviewbot.records import words
from reviewbot.records.forms import Form

_LINE_END = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
#: Characters a cell may hold; more is a file in a cell, not a paragraph.
MOST_CHARACTERS = 100_000


def canonical(text: str) -> str:
    """The text as a record keeps it."""
    return _UNFIT.sub("", _LINE_END.sub("\n", text)).strip()


def _canonical_or_none(value: object) -> object:
    return (canonical(value) or None) if isinstance(value, str) else value


Text = Annotated[str, AfterValidator(canonical), Field(max_length=MOST_CHARACTERS)]
#: Nothing but white space is nothing.
OptionalText = Annotated[Text | None, BeforeValidator(_canonical_or_none)]


class TeamRecord(Frozen):
    """One row, its fields parsed. ``cann_note`` is the text that comes with needs_cann, without the flag itself."""

    upstream_pr: Annotated[int, Field(ge=1)] | None = None
    title: Text = ""
    date: Day | None = None  # of the upstream pull request
    labels: Labels
    summary: OptionalText = None  # one sentence; None when the row does not show where it ends
    analysis: Text
    cann_note: OptionalText = None
    analyst: OptionalText = None
    batch: OptionalText = None

    @model_validator(mode="after")
    def _a_note_has_its_flag(self) -> Self:
        if self.cann_note is not None and self.labels.needs_cann is None:
            raise ValueError(words.NOTE_WITHOUT_FLAG)
        return self


def team_record(record: Record) -> TeamRecord:
    """The row of an analysis. A date that is no ISO day is left out."""
    try:
        day = None if record.date is None else Day.fromisoformat(record.date[:10])
    except ValueError:
        day = None
    return TeamRecord(
        upstream_pr=record.upstream_pr,
        title=record.title,
        date=day,
        labels=record.labels,
        summary=record.summary,
        analysis=record.analysis,
    )


class Severity(StrEnum):
    MALFORMED = "malformed"  # the row was left out
    UNDECIDED = "undecided"  # kept, with summary None
    NOTICE = "notice"  # kept; something beside it was not read, or disagrees
    INCONSISTENT = "inconsistent"  # kept; its labels contradict each other or another row


class Problem(Frozen):
    """``line`` is where the row starts, 1-based (in a workbook the row number)."""

    line: int
    severity: Severity
    reason: str


class ReadRow(Frozen):
    """A record and where its row starts."""

    line: int
    record: TeamRecord


class Imported(Frozen):
    """The rows that could be read, in order, and what there is to say about these and the others, by line."""

    form: Form
    rows: tuple[ReadRow, ...]
    problems: tuple[Problem, ...]

    @property
    def records(self) -> tuple[TeamRecord, ...]:
        return tuple(row.record for row in self.rows)

    def of(self, severity: Severity) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity is severity)
