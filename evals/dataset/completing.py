"""Fills in what a table did not say of a pull request and a fetched one does. What people wrote is never replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from evals.pull_requests.models import FetchedPull
from evals.records import LabelledRecord

#: The label that upstream's bot gives to a pull request that was taken back.
_REVERTED = "Reverted"


def completed(
    records: Iterable[LabelledRecord], pull_of: Callable[[int], FetchedPull | None]
) -> tuple[LabelledRecord, ...]:
    """The same records in their order, title, date, upstream revisions and revert filled in where they were open."""
    pairs = ((record, pull_of(record.upstream_pr)) for record in records)
    return tuple(record if pull is None else _filled(record, pull) for record, pull in pairs)


def _filled(record: LabelledRecord, pull: FetchedPull) -> LabelledRecord:
    revisions = record.revisions
    if revisions.upstream_base is None and revisions.upstream_head is None:
        revisions = revisions.model_copy(update={"upstream_base": pull.base_sha, "upstream_head": pull.head_sha})
    return record.model_copy(
        update={
            "title": record.title or pull.title,
            "upstream_date": record.upstream_date or pull.created,
            "reverted": record.reverted or _REVERTED in pull.labels,
            "revisions": revisions,
        }
    )
