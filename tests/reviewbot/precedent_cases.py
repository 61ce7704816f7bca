"""Builders of past records about invented code, for tests of the archive and of what evaluation makes of it."""

from __future__ import annotations

from datetime import date
from typing import Any

from retrieval.models import ChangedFile, Hunk, UpstreamChange
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.precedents import PastRecord, past_record
from tests.support.values import delta


def labels(verdict: Verdict = Verdict.CHECK, **fields: Any) -> Labels:
    plain = {"risk": Risk.LOW, "needs_adaptation": NeedsAdaptation.NO, "npu_affected": YesNo.NO}
    return Labels(verdict=verdict, **(plain | fields))


def one_file(path: str, *lines: str) -> ChangedFile:
    """A file to which ``lines`` are added."""
    added = tuple(f"+{line}" for line in lines)
    hunk = Hunk(old_start=9, old_count=0, new_start=10, new_count=len(added), lines=added)
    return ChangedFile(path=path, hunks=(hunk,))


def work(number: int, title: str, path: str = "torch/_mill/gears.py", **fields: Any) -> UpstreamChange:
    """A change that adds a line of its own to ``path``."""
    lines = fields.pop("lines", (f"    wheel_{number} = mill.turn_gear(angle, teeth={number})",))
    return UpstreamChange(number=number, title=title, files=(one_file(path, *lines),), **fields)


def past(number: int, title: str, path: str = "torch/_mill/gears.py", **fields: Any) -> PastRecord:
    """A record about `work`, labelled in batch 0 and dated 2026-01-<number> unless said otherwise."""
    verdict = fields.pop("verdict", Verdict.CHECK)
    day = fields.pop("date", date(2026, 1, min(number, 28)))
    batch = fields.pop("batch", 0)
    accepted = fields.pop("accepted", None)
    change = work(number, title, path, date=day.isoformat() if day else None, **fields)
    return past_record(f"p{number}", change, delta(), labels(verdict), batch=batch, accepted=accepted)
