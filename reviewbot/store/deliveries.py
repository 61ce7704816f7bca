"""The store of deliveries: the outbox between the web process and the queue.

Contract: every method is one transaction, safe for any number of processes. ``now`` comes from the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from reviewbot.service.models import Delivery, DeliveryState, Receipt
from reviewbot.store.service_tables import DeliveryRow
from reviewbot.store.sessions import Sessions

_ENDED = (DeliveryState.DONE, DeliveryState.IGNORED, DeliveryState.FAILED)


@dataclass(frozen=True, slots=True)
class DeliveryStore:
    sessions: Sessions

    def receive(self, delivery: Delivery) -> Receipt:
        """Keep a delivery, once: the same key or the same news (fingerprint) is counted; what failed begins anew."""
        with self.sessions(writing=True) as session:
            known = session.get(DeliveryRow, delivery.key) or _same_news(session, delivery.fingerprint)
            if known is None:
                session.add(DeliveryRow(**delivery.model_dump()))
                return Receipt.NEW
            known.repeats += 1
            if known.state is not DeliveryState.FAILED:
                return Receipt.REPEATED
            known.state, known.reason, known.handed_at = DeliveryState.RECEIVED, "", None
            known.received_at = delivery.received_at  # the job that failed was that of the time before
            return Receipt.RENEWED

    def get(self, key: str) -> Delivery | None:
        with self.sessions() as session:
            row = session.get(DeliveryRow, key)
            return None if row is None else _delivery(row)

    def mark_handed(self, keys: Sequence[str], now: datetime) -> None:
        """The queue has them; one that has ended meanwhile stays as it is."""
        with self.sessions(writing=True) as session:
            session.execute(
                update(DeliveryRow)
                .where(DeliveryRow.key.in_(keys), DeliveryRow.state == DeliveryState.RECEIVED)
                .values(state=DeliveryState.HANDED, handed_at=now)
            )

    def finish(self, key: str, state: DeliveryState, reason: str = "") -> None:
        with self.sessions(writing=True) as session:
            session.execute(update(DeliveryRow).where(DeliveryRow.key == key).values(state=state, reason=reason))

    def unhanded(self, received_before: datetime, limit: int = 100) -> tuple[str, ...]:
        """Keys that the queue does not have yet, the oldest first."""
        query = (
            select(DeliveryRow.key)
            .where(DeliveryRow.state == DeliveryState.RECEIVED, DeliveryRow.received_at <= received_before)
            .order_by(DeliveryRow.received_at, DeliveryRow.key)
            .limit(limit)
        )
        with self.sessions() as session:
            return tuple(session.execute(query).scalars())

    def unfinished(self, handed_before: datetime, limit: int = 100) -> tuple[str, ...]:
        """Keys that the queue has had for long, the oldest first: their job may have been given up."""
        query = (
            select(DeliveryRow.key)
            .where(DeliveryRow.state == DeliveryState.HANDED, DeliveryRow.handed_at <= handed_before)
            .order_by(DeliveryRow.handed_at, DeliveryRow.key)
            .limit(limit)
        )
        with self.sessions() as session:
            return tuple(session.execute(query).scalars())

    def counts(self) -> Mapping[DeliveryState, int]:
        query = select(DeliveryRow.state, func.count()).group_by(DeliveryRow.state)
        with self.sessions() as session:
            return dict(iter(session.execute(query)))

    def oldest_unhanded(self, now: datetime) -> float | None:
        """How long the oldest has waited for the queue, in seconds; None when none does."""
        query = select(func.min(DeliveryRow.received_at)).where(DeliveryRow.state == DeliveryState.RECEIVED)
        with self.sessions() as session:
            oldest = session.execute(query).scalar()
        return None if oldest is None else (now - oldest).total_seconds()

    def prune(self, received_before: datetime) -> int:
        """Forget what ended and came before a time; how many they were."""
        with self.sessions(writing=True) as session:
            gone = session.execute(
                delete(DeliveryRow)
                .where(DeliveryRow.state.in_(_ENDED), DeliveryRow.received_at < received_before)
                .returning(DeliveryRow.key)
            )
            return len(gone.all())


def _same_news(session: Session, fingerprint: str) -> DeliveryRow | None:
    if not fingerprint:
        return None
    query = select(DeliveryRow).where(DeliveryRow.fingerprint == fingerprint).order_by(DeliveryRow.received_at.desc())
    rows = session.execute(query).scalars().all()
    return next((row for row in rows if row.state is not DeliveryState.FAILED), rows[0] if rows else None)


def _delivery(row: DeliveryRow) -> Delivery:
    return Delivery.model_validate({name: getattr(row, name) for name in Delivery.model_fields})
