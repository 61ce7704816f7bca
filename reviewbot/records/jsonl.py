"""JSON lines: one record a line, ``TeamRecord`` as it is; the keys are the columns, with ``labels`` nested or flat.

Keys that are no column are left out and named once: labelled records carry more than a table does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from reviewbot.records import words
from reviewbot.records.columns import column_of
from reviewbot.records.models import Problem, ReadRow, Severity, TeamRecord
from reviewbot.records.rows import RowError, clipped, column_name, record_of


def read_jsonl(text: str) -> Iterator[ReadRow | Problem]:
    unread: dict[str, int] = {}
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            cells, others = _cells(written)
            yield ReadRow(line=line, record=record_of(cells))
        except RowError as error:
            yield Problem(line=line, severity=Severity.MALFORMED, reason=str(error))
            continue
        for key in others:
            unread.setdefault(key, line)
    if unread:
        reason = words.unknown_columns(tuple(map(clipped, unread)))
        yield Problem(line=min(unread.values()), severity=Severity.NOTICE, reason=reason)


def _cells(written: str) -> tuple[dict[str, str], list[str]]:
    """Cells by column, and the keys that are none."""
    try:
        found = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise RowError(words.NOT_JSON) from error
    if not isinstance(found, dict):
        raise RowError(words.NOT_JSON)
    labels = found.pop("labels", None)
    cells: dict[str, str] = {}
    others: list[str] = []
    for key, value in [*found.items(), *(labels.items() if isinstance(labels, dict) else ())]:
        column = column_of(key)
        if column is None:
            others.append(key)
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | None):
            raise RowError(words.wrong_json_value(column_name(column)))
        cells[column] = "" if value is None else str(value)
    return cells, others


def write_jsonl(records: Iterable[TeamRecord]) -> bytes:
    return "".join(f"{record.model_dump_json()}\n" for record in records).encode()
