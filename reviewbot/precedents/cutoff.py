"""Which past records were there when a change came: what a writer may know of, decided before anything is ranked.

What nobody dated is left out: a record that may come from later would tell what it must not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from reviewbot.precedents.models import PastRecord


class Cutoff(Protocol):
    def admits(self, past: PastRecord) -> bool: ...


@dataclass(frozen=True, slots=True)
class LabelledEarlier:
    """Offline: records of batches before ``batch`` about pull requests dated before ``date``; none without a date."""

    batch: int
    date: date | None

    def admits(self, past: PastRecord) -> bool:
        if self.date is None or past.date is None or past.batch is None:
            return False
        return past.batch < self.batch and past.date < self.date


@dataclass(frozen=True, slots=True)
class AcceptedBefore:
    """In service: records that a person had accepted before ``moment``, which carries a time zone."""

    moment: datetime

    def admits(self, past: PastRecord) -> bool:
        return past.accepted is not None and past.accepted < self.moment
