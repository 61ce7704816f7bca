"""Saves analyses and finds them again: the only door to the database. The service's stores are its attributes.

Contract: ``load(save(analysis)) == analysis``, down to characters that databases refuse. Every method is one
transaction. Errors are ``StoreError`` with a sentence; a row whose content no longer fits its model counts as damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session, load_only, selectinload

from reviewbot import words
from reviewbot.errors import AnalysisNotFoundError, StoreDamagedError, StoreUnavailableError
from reviewbot.models import Analysis, AnalysisState, Labels, Timing, Usage
from reviewbot.store.connection import BUSY_SECONDS, database_file, open_engine, told
from reviewbot.store.conversations import CommentStore, CorrectionStore, ThreadStore
from reviewbot.store.costs import AnalysisCost, model_asked
from reviewbot.store.deliveries import DeliveryStore
from reviewbot.store.mapping import analysis_of, analysis_row, change_key, change_row, labels_of
from reviewbot.store.reviews import ReviewStore
from reviewbot.store.schema import Schema
from reviewbot.store.sessions import Sessions
from reviewbot.store.tables import AnalysisRow, ChangeRow, DraftRow, DraftStage, LedgerRow
from reviewbot.store.workers import CursorStore, WorkerStore


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What a list shows of an analysis; ``number`` loads it. ``created_at`` is aware, in UTC."""

    number: int
    created_at: datetime
    state: AnalysisState
    upstream_pr: int | None
    title: str
    change_key: str
    downstream: str
    revision: str
    labels: Labels
    needs_work_score: float
    summary: str
    writer: str


def open_store(url: str, *, schema: Schema | None = None, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the database of ``url``, creating or migrating it first (``reviewbot.store.schema`` says when not).

    ``busy_seconds`` is how long to wait for another writer.
    """
    parsed, path = database_file(url)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailableError(str(path), error.strerror or str(error)) from error
    with told(path):
        (schema or Schema()).bring_up_to_date(parsed, path, busy_seconds)
    return Store(open_engine(parsed, busy_seconds=busy_seconds), path)


class Store:
    """An open database. Made by ``open_store``; closes as a context manager."""

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self.path = path
        self._session = sessions = Sessions(engine, path)
        self.deliveries = DeliveryStore(sessions)
        self.reviews = ReviewStore(sessions)
        self.comments = CommentStore(sessions)
        self.threads = ThreadStore(sessions)
        self.corrections = CorrectionStore(sessions)
        self.workers = WorkerStore(sessions)
        self.cursors = CursorStore(sessions)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._engine.dispose()

    def save(self, analysis: Analysis) -> int:
        """Keep an analysis for good and return its number."""
        key = change_key(analysis.change)
        with self._session(writing=True) as session:
            if session.get(ChangeRow, key) is None:
                session.add(change_row(analysis.change, key))
                session.flush()
            row = analysis_row(analysis, key, datetime.now(UTC))
            session.add(row)
            session.flush()
            return row.id

    def load(self, number: int) -> Analysis:
        """The analysis as it was saved. Raises ``AnalysisNotFoundError``."""
        with self._session() as session, self._sound(number):
            return analysis_of(self._row(session, number))

    def latest(self, key: str) -> StoredAnalysis | None:
        """The newest analysis of the change with this key (``change_key``)."""
        return self._first(_entries().where(AnalysisRow.change_key == key))

    def newest(self) -> StoredAnalysis | None:
        """The newest analysis of all."""
        return self._first(_entries())

    def history(
        self, upstream_pr: int | None = None, *, limit: int | None = None, by_score: bool = False
    ) -> tuple[StoredAnalysis, ...]:
        """All analyses of one pull request, or of any, newest first; ``by_score``: what most needs work first."""
        query = _entries().limit(limit)
        if by_score:
            query = query.order_by(None).order_by(DraftRow.needs_work_score.desc(), AnalysisRow.id.desc())
        if upstream_pr is not None:
            query = query.where(ChangeRow.number == upstream_pr)
        with self._session() as session:
            return tuple(_entry(*row) for row in session.execute(query))

    def costs(self) -> tuple[AnalysisCost, ...]:
        """What each analysis cost to write, newest first."""
        query = (
            select(
                AnalysisRow.id,
                AnalysisRow.created_at,
                ChangeRow.number,
                DraftRow.writer,
                AnalysisRow.versions,
                AnalysisRow.usage,
            )
            .join(ChangeRow, ChangeRow.key == AnalysisRow.change_key)
            .join(DraftRow, (DraftRow.analysis_id == AnalysisRow.id) & (DraftRow.stage == DraftStage.CHECKED))
            .order_by(AnalysisRow.id.desc())
        )
        with self._session() as session:
            return tuple(self._cost(*row) for row in session.execute(query))

    def same(self, analysis: Analysis) -> int | None:
        """The newest saved analysis that says the same of the same change, whatever time and money it took."""
        key, told = change_key(analysis.change), _timeless(analysis)
        query = select(AnalysisRow.id).where(AnalysisRow.change_key == key).order_by(AnalysisRow.id.desc())
        with self._session() as session:
            numbers = session.execute(query).scalars().all()
        return next((number for number in numbers if _timeless(self.load(number)) == told), None)

    def _cost(
        self,
        number: int,
        created_at: datetime,
        upstream_pr: int | None,
        writer: str,
        versions: dict[str, Any],
        usage: dict[str, Any],
    ) -> AnalysisCost:
        with self._sound(number):
            spent = Usage.model_validate(usage)
        return AnalysisCost(number, created_at, upstream_pr, writer, model_asked(writer, spent, versions), spent)

    def _first(self, query: _Entries) -> StoredAnalysis | None:
        with self._session() as session:
            row = session.execute(query.limit(1)).first()
            return None if row is None else _entry(*row)

    def _row(self, session: Session, number: int) -> AnalysisRow:
        parts = (selectinload(AnalysisRow.ledger), selectinload(AnalysisRow.prior), selectinload(AnalysisRow.drafts))
        row = session.get(AnalysisRow, number, options=parts)
        if row is None:
            raise AnalysisNotFoundError(str(self.path), number)
        return row

    @contextmanager
    def _sound(self, number: int) -> Iterator[None]:
        try:
            yield
        except (ValueError, LookupError) as error:
            raise StoreDamagedError(str(self.path), words.stored_analysis_unreadable(number)) from error


def _timeless(analysis: Analysis) -> Analysis:
    """Without what differs from run to run; where a change was read from is no part of it (`change_key`)."""
    change = analysis.change.model_copy(update={"source": ""})
    return analysis.model_copy(update={"change": change, "timing": Timing(), "usage": Usage()})


_Entries = Select[AnalysisRow, ChangeRow, LedgerRow, DraftRow]


def _entries() -> _Entries:
    """Newest first, without the diffs and deltas: those can be large, and no list shows them."""
    return (
        select(AnalysisRow, ChangeRow, LedgerRow, DraftRow)
        .join(ChangeRow, ChangeRow.key == AnalysisRow.change_key)
        .join(LedgerRow, LedgerRow.analysis_id == AnalysisRow.id)
        .join(DraftRow, (DraftRow.analysis_id == AnalysisRow.id) & (DraftRow.stage == DraftStage.CHECKED))
        .options(
            load_only(AnalysisRow.created_at, AnalysisRow.state, raiseload=True),
            load_only(ChangeRow.number, ChangeRow.title, raiseload=True),
        )
        .order_by(AnalysisRow.id.desc())
    )


def _entry(analysis: AnalysisRow, change: ChangeRow, ledger: LedgerRow, draft: DraftRow) -> StoredAnalysis:
    return StoredAnalysis(
        number=analysis.id,
        created_at=analysis.created_at,
        state=analysis.state,
        upstream_pr=change.number,
        title=change.title,
        change_key=change.key,
        downstream=ledger.downstream,
        revision=ledger.revision,
        labels=labels_of(draft),
        needs_work_score=draft.needs_work_score,
        summary=draft.summary,
        writer=draft.writer,
    )
