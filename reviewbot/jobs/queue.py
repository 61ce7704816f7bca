"""What the rest of the program knows of a queue of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """``oldest_seconds`` is how long the oldest has waited, None when nothing waits."""

    waiting: int
    running: int
    oldest_seconds: float | None


class JobQueue(Protocol):
    """Both orders are idempotent: the same delivery, the same review is one job."""

    def hand_over(self, delivery_key: str) -> None: ...

    def start_review(self, review_id: str) -> None: ...

    def depth(self) -> QueueDepth: ...
