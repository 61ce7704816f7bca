"""What an evaluated record may see of earlier records: the product's own archive behind the offline cutoff.

Only records with a diff take part, on either side: without one nobody can tell whether two records share hunks. Dates
are those of the records, not of the diffs. Every answer passes the leak check before a writer gets it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.dataset.leaks import LeakCheck
from evals.records import LabelledRecord, batch_order
from retrieval.change import sides
from retrieval.delta import compute_delta
from retrieval.index import Progress
from retrieval.models import Delta, UpstreamChange
from retrieval.source_tree import SourceTree
from reviewbot.precedents import Archive, CitedPlace, LabelledEarlier, PastRecord, open_archive, past_record
from reviewbot.precedents.archive import DEFAULT_K, DEFAULT_PER_VERDICT


def labelled_precedents(
    records: Sequence[LabelledRecord],
    changes: Mapping[str, UpstreamChange],
    base: SourceTree | None,
    report: Progress | None = None,
) -> LabelledPrecedents:
    """``records`` is the whole data set, whatever part of it is evaluated; ``changes`` are the diffs by record id.

    Reads the base file of every change, which is where the time goes; ``report(done, total)`` tells how far it is.
    """
    deltas: dict[str, Delta] = {}
    for done, (record, change) in enumerate(changes.items(), start=1):
        deltas[record] = compute_delta(change, sides(change, base, None))
        if report:
            report(done, len(changes))
    return LabelledPrecedents(records, changes, deltas)


class LabelledPrecedents:
    """Archives of all records; holds nothing that changes, so threads may share it.

    ``past`` are the records with a diff, whoever may see them, ``deltas`` what each of their diffs does.
    """

    def __init__(
        self,
        records: Sequence[LabelledRecord],
        changes: Mapping[str, UpstreamChange],
        deltas: Mapping[str, Delta],
    ) -> None:
        self._order = batch_order(records)
        self._changes = changes
        self.deltas = deltas
        self.past = tuple(self._past_record(record) for record in records if record.id in changes)
        self._check = LeakCheck(records, changes)

    def archive(
        self, record: LabelledRecord, k: int = DEFAULT_K, per_verdict: int | None = DEFAULT_PER_VERDICT
    ) -> Archive:
        """For ``AnalysisRequest.archive``. It raises `LeakError` rather than show what it must not."""
        cutoff = LabelledEarlier(self._order[record.batch], record.upstream_date)
        return _Checked(open_archive(self.past, cutoff, k, per_verdict), record, self._check)

    def nearest_earlier(self, record: LabelledRecord) -> PastRecord | None:
        """The one nearest record, by the same code; None where there is none or the record has no diff."""
        if record.id not in self._changes:
            return None
        nearest = self.archive(record, k=1, per_verdict=None)
        return next(iter(nearest.similar(self._changes[record.id], self.deltas[record.id])), None)

    def _past_record(self, record: LabelledRecord) -> PastRecord:
        past = past_record(
            record.id,
            self._changes[record.id],
            self.deltas[record.id],
            record.labels,
            (CitedPlace(path=item.path, scope=item.scope) for item in record.evidence.items),
            batch=self._order[record.batch],
            summary=record.summary or "",
            analysis=record.analysis or "",
        )
        return past.model_copy(
            update={"upstream_pr": record.upstream_pr, "date": record.upstream_date, "reverted": record.reverted}
        )


@dataclass(frozen=True, slots=True)
class _Checked:
    inner: Archive
    record: LabelledRecord
    check: LeakCheck

    def similar(self, change: UpstreamChange, delta: Delta) -> tuple[PastRecord, ...]:
        offered = self.inner.similar(change, delta)
        self.check.require_none(self.record, offered)
        return offered
