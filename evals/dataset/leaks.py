"""Proof that the past records offered for an evaluated record do not give its answer away.

The check shares no state with the archive: it judges by the data set and the diffs alone, never by what the offered
record says of itself, so an archive that forgets a rule, or that lies, is caught. Tests and runs use the same check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from evals.dataset.errors import LeakError
from evals.records import LabelledRecord, batch_order
from retrieval.models import UpstreamChange
from reviewbot.precedents import PastRecord, fingerprints
from reviewbot.precedents.kinship import title_core


class LeakKind(StrEnum):
    UNKNOWN = "unknown"  # no record of the data set
    ALTERED = "altered"  # not with the labels that the data set has for it
    ITSELF = "itself"
    SAME_PULL_REQUEST = "same_pull_request"
    SAME_TITLE = "same_title"  # a reland or revert, as its title says
    NOT_AN_EARLIER_BATCH = "not_an_earlier_batch"
    NOT_AN_EARLIER_DATE = "not_an_earlier_date"  # or no date on one side
    SHARED_LINES = "shared_lines"
    UNKNOWN_LINES = "unknown_lines"  # no diff on one side, so nobody can tell


class Leak(NamedTuple):
    """``record`` is evaluated, ``offered`` was shown to its writer; ids both."""

    record: str
    offered: str
    kind: LeakKind


class LeakCheck:
    """``changes`` are the diffs by record id, for as many records as have one."""

    def __init__(self, records: Sequence[LabelledRecord], changes: Mapping[str, UpstreamChange]) -> None:
        self._records = {record.id: record for record in records}
        self._order = batch_order(records)
        titles = {record.id: record.title for record in records} | {name: one.title for name, one in changes.items()}
        self._titles = {name: title_core(title) for name, title in titles.items()}
        self._lines = {record: fingerprints(change) for record, change in changes.items()}

    def leaks(self, record: LabelledRecord, offered: Iterable[PastRecord]) -> tuple[Leak, ...]:
        return tuple(Leak(record.id, past.id, kind) for past in offered for kind in self._kinds(record, past))

    def require_none(self, record: LabelledRecord, offered: Iterable[PastRecord]) -> None:
        """Raises `LeakError` when something leaks."""
        found = self.leaks(record, offered)
        if found:
            raise LeakError(found)

    def _kinds(self, record: LabelledRecord, past: PastRecord) -> Iterator[LeakKind]:
        known = self._records.get(past.id)
        if known is None:
            yield LeakKind.UNKNOWN
            return
        if known.labels != past.labels:
            yield LeakKind.ALTERED
        if known.id == record.id:
            yield LeakKind.ITSELF
        if record.upstream_pr in {known.upstream_pr, past.upstream_pr}:
            yield LeakKind.SAME_PULL_REQUEST
        if self._titles[record.id] and self._titles[record.id] == self._titles[known.id]:
            yield LeakKind.SAME_TITLE
        if self._order[known.batch] >= self._order[record.batch]:
            yield LeakKind.NOT_AN_EARLIER_BATCH
        dates = (known.upstream_date, record.upstream_date)
        if dates[0] is None or dates[1] is None or dates[0] >= dates[1]:
            yield LeakKind.NOT_AN_EARLIER_DATE
        yield from self._by_lines(known, record)

    def _by_lines(self, known: LabelledRecord, record: LabelledRecord) -> Iterator[LeakKind]:
        left, right = self._lines.get(known.id), self._lines.get(record.id)
        if not left or not right:
            yield LeakKind.UNKNOWN_LINES
        elif not left.isdisjoint(right):
            yield LeakKind.SHARED_LINES
