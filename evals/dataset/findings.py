"""What is wrong with a data set, as values: duplicates, contradictions, missing inputs, lost citations, flags at odds.

Nothing here decides who is right; every finding names the records, so that people can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from evals.dataset.cited_places import TreePlaces
from evals.dataset.likeness import near_identical_pairs
from evals.records import LabelledRecord, Quality
from retrieval.index import Progress
from retrieval.models import Frozen
from reviewbot.models import Risk, Verdict, needs_work
from reviewbot.records.consistency import inconsistencies
from reviewbot.records.models import ReadRow, TeamRecord

#: Labels that two near-identical changes cannot both have: the others follow from them, or older rows lack them.
COMPARED = ("verdict", "risk", "needs_adaptation")


class MissingInput(StrEnum):
    DIFF = "diff"  # neither reconstructed nor fetched
    DATE = "date"
    TITLE = "title"
    UPSTREAM_REVISION = "upstream_revision"
    DOWNSTREAM_REVISION = "downstream_revision"


class Duplicate(Frozen):
    upstream_pr: int
    records: tuple[str, ...]
    same_labels: bool


class Contradiction(Frozen):
    """Near-identical changes. Shares from 0 to 1; ``differs`` names each label with both values, first record first.

    With a reconstruction of quality ``noisy`` the likeness may be that of a neighbour's code.
    """

    first: str
    second: str
    qualities: tuple[Quality, Quality]
    hunks: float
    files: float
    titles: float
    same_batch: bool
    differs: Mapping[str, tuple[str, str]]


class LostCitation(Frozen):
    """A cited place that the tree does not have: no such file, or no such scope in it."""

    record: str
    path: str
    scope: str
    file_exists: bool


class FlagConflict(Frozen):
    """Labels of one record that cannot all hold; ``reason`` says so in Chinese."""

    record: str
    reason: str


class BatchSummary(Frozen):
    """``with_diff`` counts reconstructions and fetched diffs; days are ISO, null when no record has a date."""

    batch: str
    analysts: tuple[str, ...]
    records: int
    with_diff: int
    verdicts: Mapping[Verdict, int]
    risks: Mapping[Risk, int]
    needs_work: int
    first_day: str | None
    last_day: str | None


class Findings(Frozen):
    """``revision`` is that of the tree that citations were looked up in, null when there was none."""

    records: int
    revision: str | None
    citations: int
    duplicates: tuple[Duplicate, ...]
    contradictions: tuple[Contradiction, ...]
    missing: Mapping[MissingInput, tuple[str, ...]]
    lost: tuple[LostCitation, ...]
    flags: tuple[FlagConflict, ...]
    batches: tuple[BatchSummary, ...]

    @property
    def problems(self) -> int:
        missing = sum(map(len, self.missing.values()))
        return len(self.duplicates) + len(self.contradictions) + missing + len(self.lost) + len(self.flags)


def findings(
    records: Sequence[LabelledRecord],
    places: TreePlaces | None,
    fetched: Callable[[int], bool] = lambda number: False,
    report: Progress | None = None,
) -> Findings:
    """``fetched`` tells whether the diff of a pull request is at hand beside the reconstructions."""
    with_diff = frozenset(record.id for record in records if record.usable or fetched(record.upstream_pr))
    return Findings(
        records=len(records),
        revision=places.revision if places else None,
        citations=sum(len(record.evidence.items) for record in records),
        duplicates=tuple(_duplicates(records)),
        contradictions=tuple(_contradictions(records)),
        missing=_missing(records, with_diff),
        lost=tuple(_lost(records, places, report)) if places else (),
        flags=tuple(_flags(records)),
        batches=tuple(_batches(records, with_diff)),
    )


def _duplicates(records: Sequence[LabelledRecord]) -> Iterator[Duplicate]:
    of_number: dict[int, list[LabelledRecord]] = {}
    for record in records:
        of_number.setdefault(record.upstream_pr, []).append(record)
    for number, same in of_number.items():
        if len(same) > 1:
            equal = all(record.labels == same[0].labels for record in same)
            yield Duplicate(upstream_pr=number, records=tuple(record.id for record in same), same_labels=equal)


def _contradictions(records: Sequence[LabelledRecord]) -> Iterator[Contradiction]:
    for first, second, likeness in near_identical_pairs(records):
        left, right = (record.labels.model_dump(mode="json") for record in (first, second))
        differs = {name: (left[name], right[name]) for name in COMPARED if left[name] != right[name]}
        if differs:
            yield Contradiction(
                first=first.id,
                second=second.id,
                qualities=(first.change.quality, second.change.quality),
                same_batch=first.batch == second.batch,
                differs=differs,
                **{name: round(share, 2) for name, share in likeness._asdict().items()},
            )


def _missing(records: Sequence[LabelledRecord], with_diff: frozenset[str]) -> dict[MissingInput, tuple[str, ...]]:
    lacks: dict[MissingInput, Callable[[LabelledRecord], bool]] = {
        MissingInput.DIFF: lambda record: record.id not in with_diff,
        MissingInput.DATE: lambda record: record.upstream_date is None,
        MissingInput.TITLE: lambda record: not record.title,
        MissingInput.UPSTREAM_REVISION: lambda record: record.revisions.upstream_base is None,
        MissingInput.DOWNSTREAM_REVISION: lambda record: record.revisions.downstream is None,
    }
    found = {kind: tuple(record.id for record in records if lack(record)) for kind, lack in lacks.items()}
    return {kind: lacking for kind, lacking in found.items() if lacking}


def _lost(records: Sequence[LabelledRecord], places: TreePlaces, report: Progress | None) -> Iterator[LostCitation]:
    for done, record in enumerate(records, start=1):
        for item in record.evidence.items:
            if not places.has(item.path, item.scope):
                exists = item.path in places.paths
                yield LostCitation(record=record.id, path=item.path, scope=item.scope, file_exists=exists)
        if report:
            report(done, len(records))


def _flags(records: Sequence[LabelledRecord]) -> Iterator[FlagConflict]:
    """By the rules for rows of the table. A record of facts alone has no note that could belong to needs_cann."""
    for record in records:
        labels = record.labels if record.analysis else record.labels.model_copy(update={"needs_cann": None})
        row = TeamRecord(labels=labels, analysis=record.analysis or "", cann_note=record.cann_note)
        for problem in inconsistencies([ReadRow(line=1, record=row)]):
            yield FlagConflict(record=record.id, reason=problem.reason)


def _batches(records: Sequence[LabelledRecord], with_diff: frozenset[str]) -> Iterator[BatchSummary]:
    of_batch: dict[str, list[LabelledRecord]] = {}
    for record in records:
        of_batch.setdefault(record.batch, []).append(record)
    for batch, members in of_batch.items():
        verdicts = Counter(record.labels.verdict for record in members)
        risks = Counter(record.labels.risk for record in members)
        days = sorted(record.upstream_date.isoformat() for record in members if record.upstream_date)
        yield BatchSummary(
            batch=batch,
            analysts=tuple(dict.fromkeys(record.analyst for record in members if record.analyst)),
            records=len(members),
            with_diff=sum(record.id in with_diff for record in members),
            verdicts={verdict: verdicts[verdict] for verdict in Verdict},
            risks={risk: risks[risk] for risk in Risk},
            needs_work=sum(needs_work(record.labels) for record in members),
            first_day=days[0] if days else None,
            last_day=days[-1] if days else None,
        )
