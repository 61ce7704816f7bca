"""From the cells of one row to a record: the same for every form of a table.

Cells are read leniently (case, ``低`` for ``low``, a link for a number, ``是`` with its text in one cell) and a value
that still fits no label is an error that names the column. Cells left out of the mapping are absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from reviewbot.models import CompileStage, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.records import words
from reviewbot.records.models import MOST_CHARACTERS, TeamRecord, canonical

LABELS: dict[str, type[StrEnum]] = {
    "verdict": Verdict,
    "risk": Risk,
    "needs_adaptation": NeedsAdaptation,
    "needs_cann": YesNo,
    "npu_affected": YesNo,
    "compile_stage": CompileStage,
}
OPTIONAL_LABELS = frozenset({"needs_cann", "compile_stage"})
#: Columns of free text, kept as they are.
TEXTS = ("title", "summary", "analysis", "cann_note", "analyst", "batch")
STAGE = "compile_stage"
_STAGE_MARK = re.compile(rf"{STAGE}\s*[：:]\s*", re.IGNORECASE)
_PR = re.compile(r"(?:PR\s*)?(?:[\w.-]+/[\w.-]+)?#?\s*(\d{1,9})(?:\.0)?", re.IGNORECASE)
_PR_LINK = re.compile(r"https?://\S+?/pulls?/(\d{1,9})(?!\d)")
_SHOWN = 40


class RowError(ValueError):
    """A row that is no record; ``str()`` is the reason, in Chinese."""


class TableError(ValueError):
    """A table that cannot be read, or not be written in a form; ``str()`` is the reason, in Chinese."""


def column_name(column: str) -> str:
    return words.COLUMN_NAMES[column][0]


def clipped(text: str) -> str:
    """A value as a message quotes it: one line, not too long, nothing a terminal would obey."""
    line = " ".join(canonical(text).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def record_of(cells: Mapping[str, str]) -> TeamRecord:
    """Raises `RowError` for a value that no label has, a number or day that is none, a cell too long."""
    flag, note = _flag_and_note(cells.get("needs_cann", ""), cells.get("cann_note", ""))
    fields = {column: cells.get(column, "") for column in TEXTS} | {"cann_note": note}
    for column, text in fields.items():
        if len(text) > MOST_CHARACTERS:
            raise RowError(words.cell_too_long(column_name(column), len(text), MOST_CHARACTERS))
    values = {**cells, "needs_cann": flag}
    labels = {column: label_value(column, values.get(column, "")) for column in LABELS}
    if fields["cann_note"].strip() and labels["needs_cann"] is None:
        raise RowError(words.NOTE_WITHOUT_FLAG)
    number, day = pr_number(cells.get("upstream_pr", "")), _day(cells.get("date", ""))
    return TeamRecord.model_validate({**fields, "upstream_pr": number, "date": day, "labels": labels})


def _flag_and_note(cell: str, note: str) -> tuple[str, str]:
    """The first line of a needs_cann cell is its flag; what follows is the note, before a note of its own column.

    A note of one line loses its bullet; several lines are a list, kept as it is.
    """
    flag, _, own = cell.strip().partition("\n")
    own = own.strip()
    if "\n" not in own:
        own = own.removeprefix(words.BULLET)
    return flag, "\n".join(part for part in (own, note.strip()) if part)


def flag_with_note(flag: str, note: str) -> str:
    """Flag and note in one cell, as the team writes them."""
    bullet = "" if "\n" in note else words.BULLET
    return f"{flag}\n{bullet}{note}" if note else flag


def label_value(column: str, cell: str) -> str | None:
    """The value of a label as people write it, None for an absent optional one. Raises `RowError`."""
    kind, text = LABELS[column], cell.strip()
    if column == STAGE:
        text = _STAGE_MARK.sub("", text, count=1)
    key = text.casefold()
    if column in OPTIONAL_LABELS and key in words.ABSENT:
        return None
    known = {value.casefold(): value.value for value in kind} | words.VALUE_SYNONYMS.get(column, {})
    if key not in known:
        raise RowError(words.wrong_value(column_name(column), clipped(text), [value.value for value in kind]))
    return known[key]


def is_verdict(cell: str) -> bool:
    return cell.strip().casefold() in {value.casefold() for value in Verdict}


def pr_number(cell: str) -> int | None:
    """A number, ``#n``, ``owner/name#n``, or a link to a pull request, also inside a Markdown link or a formula."""
    text = cell.strip()
    if text.casefold() in words.ABSENT:
        return None
    found = _PR_LINK.search(text) or _PR.fullmatch(text)
    if found is None or not int(found[1]):
        raise RowError(words.wrong_pr(clipped(text)))
    return int(found[1])


def _day(cell: str) -> date | None:
    text = cell.strip()
    if text.casefold() in words.ABSENT:
        return None
    found = re.fullmatch(words.DAY, text)
    try:
        if found is not None:
            return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass  # a month 13 is told of like any other text that is no day
    raise RowError(words.wrong_date(clipped(text)))


def cells_of(record: TeamRecord) -> dict[str, str]:
    """A record as cells, by column in the order we write them. ``record_of`` gives the record back."""
    fields = record.model_dump(mode="json", exclude={"labels"}) | record.labels.model_dump(mode="json")
    return {column: "" if fields[column] is None else str(fields[column]) for column in words.COLUMN_NAMES}
