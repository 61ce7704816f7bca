"""Rows of the team's table as labelled records, added to those a data set already has.

A row that says of a pull request what is there already adds nothing: a table may be imported again when it has grown.
Ids are made of the pull request (``pr1234``, then ``pr1234-2``). A row without a number names no change and becomes no
record. A table knows no diffs: ``change`` stays empty.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from evals.dataset import words
from evals.dataset.cited_places import TreePlaces, Unresolved, evidence_of
from evals.dataset.errors import TableError
from evals.records import Confidence, LabelledRecord, Quality, RecordChange, RecordRevisions, Source, record_line
from reviewbot.records.models import ReadRow, TeamRecord

_REVERTED = re.compile(words.REVERTED, re.IGNORECASE)


class Origin(NamedTuple):
    """Batch and analyst, where given, go before what a row says; ``table`` names the batch of rows that say nothing."""

    table: str
    batch: str | None = None
    analyst: str | None = None


class Joined(NamedTuple):
    """``records`` are the old and the new ones in their order, ``added`` the new ones among them.

    ``known`` counts rows that the data set already had, ``nameless`` are the lines of those without a number.
    """

    records: tuple[LabelledRecord, ...]
    added: tuple[LabelledRecord, ...]
    known: int
    nameless: tuple[int, ...]
    unresolved: tuple[tuple[str, Unresolved], ...]


def join(
    existing: Sequence[LabelledRecord], rows: Iterable[ReadRow], origin: Origin, places: TreePlaces | None
) -> Joined:
    """Without ``places`` citations are counted and not looked up."""
    records = {record.id: record for record in existing}
    decided = {_decided(record) for record in existing}
    added: list[LabelledRecord] = []
    known, nameless = 0, []
    unresolved: list[tuple[str, Unresolved]] = []
    for row in rows:
        number = row.record.upstream_pr
        if number is None:
            nameless.append(row.line)
            continue
        name = next(name for name in _names(number) if name not in records)
        record, lost = labelled_record(row.record, number, name, origin, places)
        if _decided(record) in decided:
            known += 1
            continue
        decided.add(_decided(record))
        records[name] = record
        added.append(record)
        unresolved += ((name, one) for one in lost)
    return Joined(tuple(records.values()), tuple(added), known, tuple(nameless), tuple(unresolved))


def labelled_record(
    row: TeamRecord, number: int, name: str, origin: Origin, places: TreePlaces | None
) -> tuple[LabelledRecord, tuple[Unresolved, ...]]:
    """The record of one row, and its citations that the tree does not have."""
    evidence, unresolved = evidence_of(row.analysis, places)
    record = LabelledRecord(
        id=name,
        upstream_pr=number,
        pr_confidence=Confidence.HIGH,
        upstream_date=row.date,
        batch=origin.batch or row.batch or origin.table,
        analyst=origin.analyst or row.analyst,
        source=Source.TABLE,
        title=row.title,
        reverted=_REVERTED.search(row.summary or "") is not None,
        revisions=RecordRevisions(downstream=evidence.snapshot),
        labels=row.labels,
        change=RecordChange(quality=Quality.ABSENT, files=(), other_paths=()),
        evidence=evidence,
        summary=row.summary,
        analysis=row.analysis or None,
        cann_note=row.cann_note,
    )
    return record, unresolved


def write_records(path: Path, records: Iterable[LabelledRecord]) -> None:
    """The whole file or nothing of it. Raises `TableError` when it cannot be written."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_text("".join(f"{record_line(record)}\n" for record in records), encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise TableError(str(path), words.not_writable(error.strerror or str(error))) from error


def _names(number: int) -> Iterator[str]:
    yield f"pr{number}"
    yield from (f"pr{number}-{again}" for again in count(2))


def _decided(record: LabelledRecord) -> tuple[object, ...]:
    """What makes a row the same one: the pull request and what was said of it."""
    return record.upstream_pr, record.labels, record.summary, record.analysis
