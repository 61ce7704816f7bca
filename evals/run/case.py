"""One record, from its diff to an outcome. Whatever goes wrong becomes an error of that record and ends no run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evals.dataset.errors import LeakError
from evals.places import existing_places
from evals.records import LabelledRecord
from evals.run.answering import answer_of, prior_alone
from evals.run.changes import Changes, NoDiffError
from evals.run.models import CaseError, Engine, ErrorKind, Outcome
from evals.workbench import Workbench, open_workbench
from retrieval.errors import RetrievalError
from reviewbot.drafting.writer import Writer
from reviewbot.errors import WriterError
from reviewbot.models import Analysis
from reviewbot.pipeline import AnalysisRequest, analyse
from reviewbot.precedents import Archive, CitedPlace
from reviewbot.render import as_json

WriterOf = Callable[[LabelledRecord], Writer]
#: The past records that a writer may see when it answers this one. Whoever makes them has proved that none leaks.
ArchiveOf = Callable[[LabelledRecord], Archive]


class Finished(NamedTuple):
    """``analysis`` is the analysis in its published shape as JSON, None for an error."""

    outcome: Outcome
    analysis: bytes | None


Work = Callable[[LabelledRecord], Finished]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that records are answered with. It can be pickled to worker processes when ``writer_of`` and ``archive_of``
    can. ``nearest`` names the nearest earlier record of each; ``limit`` and ``token_budget`` are those of the ledger.
    """

    base: Path
    downstream: Path
    cache: Path
    changes: Changes
    engine: Engine
    writer_of: WriterOf
    archive_of: ArchiveOf | None = None
    nearest: Mapping[str, str] = field(default_factory=dict)
    limit: int = 20
    token_budget: int = 6000

    @contextmanager
    def open(self) -> Iterator[Work]:
        """Opens the trees for one worker: an index is not shared between threads."""
        with open_workbench(self.base, self.downstream, self.cache) as bench:
            yield partial(attempt, self, bench)


def attempt(setup: Setup, bench: Workbench, record: LabelledRecord) -> Finished:
    """The record's outcome. Raises LeakError alone: a run whose writer saw what it must not is worth nothing."""
    began = time.perf_counter()
    try:
        analysis = analysed(setup, bench, record)
        outcome = Outcome(
            record=record.id,
            answer=answer_of(analysis, time.perf_counter() - began),
            existing=_existing(record, setup.downstream),
            nearest=setup.nearest.get(record.id),
        )
        return Finished(outcome, json.dumps(as_json(analysis, hunks=True), ensure_ascii=False).encode())
    except LeakError:
        raise
    except Exception as error:  # noqa: BLE001 one record must not end a run, and says what happened to it
        return Finished(Outcome(record=record.id, error=error_of(error)), None)


def analysed(setup: Setup, bench: Workbench, record: LabelledRecord) -> Analysis:
    """The production path on the record's change, with its engine's writer. Raises what that path raises."""
    analysis = analyse(
        AnalysisRequest(
            change=setup.changes.change(record),
            index=bench.index,
            rubric=bench.rubric,
            base=bench.base,
            upstream=bench.upstream,
            writer=setup.writer_of(record),
            archive=setup.archive_of(record) if setup.archive_of else None,
            limit=setup.limit,
            token_budget=setup.token_budget,
        )
    )
    return prior_alone(analysis) if setup.engine is Engine.RULES else analysis


def error_of(error: Exception) -> CaseError:
    """What a run keeps of an exception. The message of a foreseen error is a sentence; others bring their class."""
    match error:
        case WriterError():
            paid = {"usage": error.usage} if error.usage is not None else {}
            return CaseError(kind=ErrorKind.WRITER, fault=error.fault, message=str(error), **paid)
        case NoDiffError() | RetrievalError() | FileNotFoundError():
            return CaseError(kind=ErrorKind.INPUT, message=str(error))
        case _:
            return CaseError(kind=ErrorKind.ANALYSIS, message=f"{type(error).__name__}: {error}")


def _existing(record: LabelledRecord, tree: Path) -> tuple[CitedPlace, ...]:
    return tuple(CitedPlace(path=one.path, scope=one.scope) for one in sorted(existing_places(record, tree)))
