"""Labelled records about invented code."""

from __future__ import annotations

from datetime import date
from typing import Any

from evals.records import LabelledRecord

LABELS = {
    "verdict": "Check",
    "risk": "low",
    "needs_adaptation": "否",
    "needs_cann": None,
    "npu_affected": "否",
    "compile_stage": None,
}
HUNKS = [{"path": "torch/gears.py", "hunks": [{"old": [3, 4], "new": [3, 6]}], "scopes": ["turn"]}]


def labelled(
    name: str = "r001",
    number: int = 7,
    *,
    batch: str = "b00",
    day: date | None = date(2026, 1, 31),
    title: str = "Turn the gears",
    quality: str = "clean",
    evidence: tuple[dict[str, Any], ...] = (),
    **labels: str | None,
) -> LabelledRecord:
    """A whole record; keywords beyond the named ones replace labels."""
    content = {
        "id": name,
        "upstream_pr": number,
        "pr_confidence": "high",
        "upstream_date": day,
        "batch": batch,
        "title": title,
        "reverted": False,
        "labels": LABELS | labels,
        "change": {"quality": quality, "files": [] if quality == "absent" else HUNKS, "other_paths": []},
        "evidence": {"snapshot": "0123abcd", "cited": len(evidence), "verified": len(evidence), "items": evidence},
    }
    return LabelledRecord.model_validate(content)
