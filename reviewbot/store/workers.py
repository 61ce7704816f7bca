"""Stores of the processes: who works, who is dead and adopted by whom, and how far a poll has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from reviewbot.service.models import Worker
from reviewbot.store.service_tables import CursorRow, WorkerRow
from reviewbot.store.sessions import Sessions


@dataclass(frozen=True, slots=True)
class WorkerStore:
    sessions: Sessions

    def beat(self, executor: str, now: datetime) -> None:
        """A sign of life; the first after a stop or an adoption is a new start."""
        with self.sessions(writing=True) as session:
            row = session.get(WorkerRow, executor)
            if row is None:
                session.add(WorkerRow(executor=executor, started_at=now, seen_at=now, adopted_by=""))
                return
            if row.stopped_at is not None or row.adopted_by:
                row.started_at, row.stopped_at, row.adopted_by = now, None, ""
            row.seen_at = now

    def stop(self, executor: str, now: datetime) -> None:
        """Ended in order: nothing of it is left to adopt."""
        with self.sessions(writing=True) as session:
            row = session.get(WorkerRow, executor)
            if row is not None:
                row.stopped_at = now

    def dead(self, seen_before: datetime) -> tuple[str, ...]:
        """Not seen for too long, not stopped, and adopted by nobody yet."""
        query = select(WorkerRow.executor).where(
            WorkerRow.seen_at < seen_before, WorkerRow.stopped_at.is_(None), WorkerRow.adopted_by == ""
        )
        with self.sessions() as session:
            return tuple(session.execute(query.order_by(WorkerRow.executor)).scalars())

    def adopt(self, executor: str, by: str, seen_before: datetime) -> bool:
        """True for the one that may take over; False when another has, or the worker lives after all."""
        with self.sessions(writing=True) as session:
            row = session.get(WorkerRow, executor)
            if row is None or row.stopped_at is not None or row.adopted_by or row.seen_at >= seen_before:
                return False
            row.adopted_by = by
            return True

    def listed(self) -> tuple[Worker, ...]:
        with self.sessions() as session:
            rows = session.execute(select(WorkerRow).order_by(WorkerRow.executor)).scalars()
            return tuple(
                Worker.model_validate({name: getattr(row, name) for name in Worker.model_fields}) for row in rows
            )


@dataclass(frozen=True, slots=True)
class CursorStore:
    sessions: Sessions

    def get(self, name: str) -> str | None:
        with self.sessions() as session:
            row = session.get(CursorRow, name)
            return None if row is None else row.value

    def set(self, name: str, value: str) -> None:
        with self.sessions(writing=True) as session:
            session.merge(CursorRow(name=name, value=value))
