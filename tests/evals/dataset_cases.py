"""Builders of labelled records about invented code, and a tree that they cite."""

from __future__ import annotations

from datetime import date
from typing import Any

from evals.dataset.cited_places import TreePlaces
from evals.records import (
    Citation,
    Confidence,
    HunkRange,
    LabelledRecord,
    Quality,
    RecordChange,
    RecordEvidence,
    RecordFile,
    RecordRevisions,
)
from retrieval.models import UpstreamChange
from reviewbot.models import CompileStage, NeedsAdaptation, Risk, Verdict, YesNo
from tests.reviewbot.precedent_cases import labels, work
from tests.support.memory_tree import MemoryTree
from tests.support.tree import content

RELEASE = RecordRevisions(upstream_base="v1", upstream_head="v2", downstream="abc")


def record(number: int, title: str = "Turn the gears", **fields: Any) -> LabelledRecord:
    """Record ``r<number>``; batch 0, dated 2026-01-<number>, Check, one hunk of gears.py at line 10 × number."""
    line = 10 * number
    path = fields.pop("path", "torch/_mill/gears.py")
    lines = fields.pop("lines", (line, line + 2))
    files = (RecordFile(path=path, hunks=(HunkRange(old=lines, new=lines),), scopes=()),)
    given: dict[str, Any] = {
        "id": f"r{number}",
        "upstream_pr": number,
        "pr_confidence": Confidence.HIGH,
        "upstream_date": date(2026, 1, number),
        "batch": "b0",
        "title": title,
        "reverted": False,
        "revisions": RELEASE,
        "labels": labels(fields.pop("verdict", Verdict.CHECK)),
        "change": RecordChange(quality=Quality.CLEAN, files=files, other_paths=()),
        "evidence": RecordEvidence(snapshot=None, cited=0, verified=0, items=()),
    }
    return LabelledRecord(**(given | fields))


def change_for(one: LabelledRecord) -> UpstreamChange:
    """A diff of its own for a record."""
    return work(one.upstream_pr, one.title, date=one.upstream_date.isoformat() if one.upstream_date else None)


def cites(*places: tuple[str, str]) -> RecordEvidence:
    items = tuple(Citation(path=path, scope=scope, lines=(1,), token="turn") for path, scope in places)
    return RecordEvidence(snapshot="abc", cited=len(items), verified=len(items), items=items)


GEARS = """import mill


class Gear:
    def turn(self):
        return mill.turn(self)


SPEED = 1
"""
MILL = {
    "mill_npu/gears.py": GEARS,
    "mill_npu/__init__.py": "from mill_npu import gears\n\n\ndef load():\n    gears.SPEED = 2\n",
    "mill_npu/deep/below/teeth.py": "def bite():\n    return 1\n",
    "mill_npu/deep/gears.py": "def spin():\n    return 2\n",
}


def mill() -> TreePlaces:
    """The invented downstream tree."""
    return TreePlaces(MemoryTree(content(MILL)))


#: Of three batches; ``r4`` has no date, ``r20`` a late one, and ``r6`` lands ``r2`` again.
RECORDS = (
    record(1, "Turn the gears", verdict=Verdict.TEST),
    record(2, "Oil the gears"),
    record(3, "Stop the gears"),
    record(4, "Paint the gears", upstream_date=None),
    record(20, "Gears of last year", batch="b1"),
    record(5, "Count the gears", batch="b1"),
    record(6, "Reland: Oil the gears", batch="b1"),
    record(7, "Wash the gears", batch="b2"),
)
CHANGES = {one.id: change_for(one) for one in RECORDS}


def relabelled(one: LabelledRecord) -> LabelledRecord:
    """The same record with every label turned and texts that would tell."""
    old = one.labels
    unclear, no = NeedsAdaptation.UNCLEAR, NeedsAdaptation.NO
    turned = old.model_copy(
        update={
            "verdict": Verdict.SHIM if old.verdict is not Verdict.SHIM else Verdict.CHECK,
            "risk": Risk.HIGH if old.risk is not Risk.HIGH else Risk.LOW,
            "needs_adaptation": unclear if old.needs_adaptation is not unclear else no,
            "needs_cann": YesNo.YES if old.needs_cann is not YesNo.YES else YesNo.NO,
            "npu_affected": YesNo.NO if old.npu_affected is YesNo.YES else YesNo.YES,
            "compile_stage": None if old.compile_stage else CompileStage.DYNAMO,
        }
    )
    return one.model_copy(update={"labels": turned, "summary": "泄漏。", "analysis": "泄漏。", "cann_note": "泄漏。"})
