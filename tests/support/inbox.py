"""A store of deliveries and a queue that live in memory and do as their protocols say; both can be down."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from reviewbot.errors import StoreUnavailableError
from reviewbot.service.models import Delivery, DeliveryState, Receipt

NOW = datetime(2026, 3, 1, 8, tzinfo=UTC)


@dataclass
class MemoryDeliveries:
    """``rows`` by key. ``down`` makes every call fail."""

    rows: dict[str, Delivery] = field(default_factory=dict)
    down: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def receive(self, delivery: Delivery) -> Receipt:
        self._check()
        with self._lock:
            same = self._same(delivery)
            if same is None:
                self.rows[delivery.key] = delivery
                return Receipt.NEW
            if same.state is DeliveryState.FAILED:
                self.rows[same.key] = same.model_copy(update={"state": DeliveryState.RECEIVED, "reason": ""})
                return Receipt.RENEWED
            self.rows[same.key] = same.model_copy(update={"repeats": same.repeats + 1})
            return Receipt.REPEATED

    def mark_handed(self, keys: Sequence[str], now: datetime) -> None:
        self._check()
        for key in keys:
            handed = {"state": DeliveryState.HANDED, "handed_at": now}
            self.rows[key] = self.rows[key].model_copy(update=handed)

    def counts(self) -> Mapping[DeliveryState, int]:
        self._check()
        return Counter(row.state for row in self.rows.values())

    def oldest_unhanded(self, now: datetime) -> float | None:
        self._check()
        waiting = [row.received_at for row in self.rows.values() if row.state is DeliveryState.RECEIVED]
        return (now - min(waiting)).total_seconds() if waiting else None

    def fail(self, key: str) -> None:
        self.rows[key] = self.rows[key].model_copy(update={"state": DeliveryState.FAILED})

    def _same(self, delivery: Delivery) -> Delivery | None:
        if delivery.key in self.rows:
            return self.rows[delivery.key]
        alive = (row for row in self.rows.values() if row.state is not DeliveryState.FAILED)
        return next((row for row in alive if delivery.fingerprint and row.fingerprint == delivery.fingerprint), None)

    def _check(self) -> None:
        if self.down:
            raise StoreUnavailableError("memory", "pulled the plug")


@dataclass(frozen=True)
class MemoryDepth:
    waiting: int
    running: int
    oldest_seconds: float | None


@dataclass
class MemoryQueue:
    """``handed`` are the keys, in order. ``gate`` holds every call back while it is clear."""

    handed: list[str] = field(default_factory=list)
    down: bool = False
    gate: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    def hand_over(self, delivery_key: str) -> None:
        assert self.gate.wait(30)
        if self.down:
            raise ConnectionError("no queue")
        self.handed.append(delivery_key)

    def depth(self) -> MemoryDepth:
        if self.down:
            raise ConnectionError("no queue")
        return MemoryDepth(len(self.handed), 0, 12.5 if self.handed else None)
