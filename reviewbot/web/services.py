"""What the web process is given: protocols, so that tests and other databases and queues fit in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from reviewbot.service.models import Delivery, DeliveryState, Receipt
from reviewbot.settings import Settings
from reviewbot.web.metrics import Metrics


class DeliveryInbox(Protocol):
    """The part of the store of deliveries that the web process uses; safe from many threads."""

    def receive(self, delivery: Delivery) -> Receipt: ...

    def mark_handed(self, keys: Sequence[str], now: datetime) -> None: ...

    def counts(self) -> Mapping[DeliveryState, int]: ...

    def oldest_unhanded(self, now: datetime) -> float | None: ...


class Depth(Protocol):
    """How much the queue holds. ``oldest_seconds`` is how long the oldest has waited, None when nothing waits."""

    @property
    def waiting(self) -> int: ...

    @property
    def running(self) -> int: ...

    @property
    def oldest_seconds(self) -> float | None: ...


class JobInbox(Protocol):
    """The part of the job queue that the web process uses; ``hand_over`` is idempotent by key."""

    def hand_over(self, delivery_key: str) -> None: ...

    def depth(self) -> Depth: ...


@dataclass(frozen=True, slots=True)
class Probe:
    """One condition of being ready. ``check`` gives "" or a sentence that says what is wrong; it may also raise."""

    name: str
    check: Callable[[], str]


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Services:
    """``insecure_local``: a forge without a secret is answered all the same, to clients on this machine only."""

    settings: Settings
    deliveries: DeliveryInbox
    queue: JobInbox
    probes: tuple[Probe, ...] = ()
    metrics: Metrics = field(default_factory=Metrics)
    clock: Callable[[], datetime] = _now
    insecure_local: bool = False
