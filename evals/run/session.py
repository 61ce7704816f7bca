"""One sitting of a run from its parts: opens, compares conditions, answers, keeps. The command asks and prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evals.dataset.precedents import labelled_precedents
from evals.records import LabelledRecord
from evals.run.budget import Budget
from evals.run.case import Setup
from evals.run.crew import Crew
from evals.run.folder import RunFolder
from evals.run.models import Manifest, Revisions
from evals.run.provenance import commit_of_code, digest_of_inputs, digest_of_records, versions_of
from evals.run.runner import Ending, Watch, sit, spent_before, unanswered
from evals.run.writers import Answering
from evals.workbench import Workbench
from retrieval.index import Progress
from retrieval.source_tree import SourceTree

#: Requests under way at once for an engine that waits for a network.
REQUESTS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked for: ``records`` chosen from ``labelled``, all that the file ``source`` holds (None: the
    file that ships).
    """

    name: str
    records: tuple[LabelledRecord, ...]
    labelled: tuple[LabelledRecord, ...]
    source: Path | None = None
    split: str | None = None
    sample: int | None = None
    seed: int = 0


def manifest_of(asked: Asked, setup: Setup, answering: Answering, bench: Workbench) -> Manifest:
    """Everything needed to do the run again."""
    commit = commit_of_code()
    ledger = {"ledger.limit": str(setup.limit), "ledger.token_budget": str(setup.token_budget)}
    return Manifest(
        name=asked.name,
        engine=answering.engine,
        created=datetime.now(UTC).replace(microsecond=0),
        records=tuple(record.id for record in asked.records),
        pulled=tuple(record.id for record in asked.records if setup.changes.pulled(record)),
        split=asked.split,
        sample=asked.sample,
        seed=asked.seed,
        data=digest_of_records(asked.source),
        inputs=digest_of_inputs((record.id, setup.changes.source(record)) for record in asked.records),
        revisions=Revisions(upstream_base=bench.base.revision, downstream=bench.index.tree.revision),
        versions=versions_of(bench.rubric, answering.versions),
        parameters=ledger | dict(answering.parameters),
        commit=commit.id,
        dirty=commit.dirty,
    )


def with_precedents(
    setup: Setup,
    waiting: Sequence[LabelledRecord],
    labelled: Sequence[LabelledRecord],
    base: SourceTree,
    report: Progress,
    *,
    shown: bool,
) -> Setup:
    """``setup`` with what earlier batches say: to the scores as a baseline, and where ``shown`` to the writer, as far
    as it may see them.
    """
    precedents = labelled_precedents(labelled, setup.changes.readable(labelled), base, report)
    found = {record.id: precedents.nearest_earlier(record) for record in waiting}
    nearest = {record: past.id for record, past in found.items() if past is not None}
    return replace(setup, nearest=nearest, archive_of=precedents.archive if shown else None)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A run that is about to go on: ``waiting`` are the records without an answer, ``budget`` holds what was spent."""

    folder: RunFolder
    setup: Setup
    answering: Answering
    total: int
    waiting: tuple[LabelledRecord, ...]
    budget: Budget

    @property
    def answered(self) -> int:
        return self.total - len(self.waiting)

    def go_on(self, jobs: int | None, watch: Watch, on_interrupt: Callable[[int], None]) -> Ending:
        """``jobs`` None: as many workers as there are processors, or requests that one may have under way."""
        if not self.waiting:
            return Ending.COMPLETE
        usual = REQUESTS_AT_ONCE if self.answering.threads else os.cpu_count() or 1
        size = min(jobs or usual, len(self.waiting))
        # One worker is as quick in this process, and needs none of its own.
        with Crew(self.setup.open, size, processes=size > 1 and not self.answering.threads) as crew:
            return sit(self.folder, self.total, self.waiting, crew, self.budget, watch, on_interrupt)


def sitting_of(
    folder: RunFolder, setup: Setup, answering: Answering, records: Sequence[LabelledRecord], limit: float | None
) -> Sitting:
    """What is left to do in ``folder``, whose manifest is that of ``records``."""
    history = folder.history()
    budget = spent_before(history, Budget(limit=limit, guess=answering.guess or 0.0))
    return Sitting(folder, setup, answering, len(records), unanswered(records, history), budget)
