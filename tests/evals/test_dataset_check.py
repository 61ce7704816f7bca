"""What ``eval data check`` finds, on invented records."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evals.dataset.findings import BatchSummary, Contradiction, Duplicate, FlagConflict, MissingInput, findings
from evals.dataset.likeness import ALIKE_FILES_AND_TITLES, ALIKE_HUNKS, ALIKE_TITLES, near_identical_pairs
from evals.records import LabelledRecord, Quality, RecordChange, RecordRevisions
from reviewbot.models import NeedsAdaptation, Risk, Verdict, YesNo
from tests.evals.dataset_cases import cites, mill, record
from tests.reviewbot.precedent_cases import labels


def test_plain_records_have_no_findings() -> None:
    found = findings([record(1, "Turn the gears"), record(2, "Oil an axle", path="torch/_mill/axle.py")], mill())
    assert found.problems == 0
    assert found.citations == 0


def test_a_pull_request_with_two_records_is_a_duplicate() -> None:
    records = [record(1), record(2, "Oil"), record(3, "Turn", upstream_pr=1, verdict=Verdict.TEST)]
    assert findings(records, None).duplicates == (Duplicate(upstream_pr=1, records=("r1", "r3"), same_labels=False),)
    records[2] = records[2].model_copy(update={"labels": records[0].labels})
    assert findings(records, None).duplicates[0].same_labels


# --- near-identical changes ------------------------------------------------------------------------------------------


def pairs(*records: LabelledRecord) -> list[tuple[str, str]]:
    return [(pair.first.id, pair.second.id) for pair in near_identical_pairs(records)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (record(1, "Turn gears", lines=(10, 20)), record(2, "Paint an axle", lines=(18, 30))),
        (record(1, "Turn gears", lines=(10, 9)), record(2, "Paint an axle", lines=(10, 9))),
        (record(1, "Turn all gears", path="a.py"), record(2, "[reland] Turn all gears (#1)", path="b.py")),
        (record(1, "Turn all gears (1/2)", path="a.py"), record(2, "Turn all gears (2/2)", path="b.py")),
        (record(1, "Speed up big gear rotation"), record(2, "Slow down big gear rotation")),
    ],
)
def test_changes_are_alike(first: LabelledRecord, second: LabelledRecord) -> None:
    assert pairs(first, second) == [("r1", "r2")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (record(1, "Turn gears"), record(2, "Paint an axle")),
        (record(1, "Turn gears", lines=(10, 20)), record(2, "Paint an axle", lines=(21, 30))),
        (record(1, "Turn gears", path="a.py", lines=(1, 9)), record(2, "Paint an axle", path="b.py", lines=(1, 9))),
        (
            record(1, "Turn gears", lines=(10, 20)),
            record(2, "Paint an axle", lines=(10, 20), revisions=RecordRevisions(upstream_base="v0")),
        ),
        (record(1, "", path="a.py"), record(2, "", path="b.py")),
    ],
)
def test_changes_are_not_alike(first: LabelledRecord, second: LabelledRecord) -> None:
    assert pairs(first, second) == []


def test_only_different_labels_contradict() -> None:
    one, same = record(1, "Turn gears", lines=(10, 20)), record(2, "Paint an axle", lines=(10, 20))
    assert findings([one, same], None).contradictions == ()
    plain = labels(npu_affected=YesNo.YES)
    assert findings([one, same.model_copy(update={"labels": plain})], None).contradictions == ()
    other = record(2, "Paint an axle", lines=(10, 20), batch="b1", labels=labels(Verdict.TEST, risk=Risk.MEDIUM))
    assert findings([one, other], None).contradictions == (
        Contradiction(
            first="r1",
            second="r2",
            qualities=(Quality.CLEAN, Quality.CLEAN),
            hunks=1.0,
            files=1.0,
            titles=0.0,
            same_batch=False,
            differs={"verdict": ("Check", "Test"), "risk": ("low", "medium")},
        ),
    )


# --- inputs, citations, flags, batches -------------------------------------------------------------------------------


def test_missing_inputs_are_listed_by_kind() -> None:
    nothing = RecordChange(quality=Quality.ABSENT, files=(), other_paths=())
    records = [
        record(1),
        record(2, "Oil", change=nothing),
        record(3, "Stop", change=nothing),
        record(4, "", upstream_date=None, revisions=RecordRevisions()),
    ]
    assert findings(records, None, fetched=lambda number: number == 3).missing == {
        MissingInput.DIFF: ("r2",),
        MissingInput.DATE: ("r4",),
        MissingInput.TITLE: ("r4",),
        MissingInput.UPSTREAM_REVISION: ("r4",),
        MissingInput.DOWNSTREAM_REVISION: ("r4",),
    }


def test_citations_are_looked_up_in_the_tree_at_hand() -> None:
    gears = "mill_npu/gears.py"
    one = record(1, evidence=cites((gears, "Gear.turn"), (gears, "Gear.stop"), ("mill_npu/gone.py", "<module>")))
    found = findings([one], mill())
    assert [(lost.scope, lost.file_exists) for lost in found.lost] == [("Gear.stop", True), ("<module>", False)]
    assert (found.citations, found.revision) == (3, "memory:0")
    unseen = findings([one], None)
    assert (unseen.lost, unseen.revision, unseen.problems) == ((), None, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        labels(Verdict.SHIM),
        labels(Verdict.CHECK, needs_adaptation=NeedsAdaptation.YES),
        labels(Verdict.CHECK, risk=Risk.HIGH, npu_affected=YesNo.YES),
    ],
)
def test_labels_at_odds_are_told_of(wrong: object) -> None:
    (conflict,) = findings([record(1, labels=wrong), record(2, "Oil")], None).flags
    assert isinstance(conflict, FlagConflict)
    assert conflict.record == "r1"
    assert conflict.reason


def test_a_record_of_facts_alone_lacks_no_note() -> None:
    cann = labels(Verdict.TEST, needs_cann=YesNo.YES, npu_affected=YesNo.YES)
    assert findings([record(1, labels=cann)], None).flags == ()
    assert findings([record(1, labels=cann, analysis="一段话。")], None).flags


def test_batches_stand_in_the_order_of_the_file() -> None:
    nothing = RecordChange(quality=Quality.ABSENT, files=(), other_paths=())
    records = [
        record(5, "Turn", batch="z", analyst="Li"),
        record(1, "Oil", batch="a", verdict=Verdict.TEST, change=nothing),
        record(2, "Stop", batch="z", upstream_date=None, labels=labels(Verdict.SHIM, risk=Risk.HIGH)),
    ]
    first, second = findings(records, None).batches
    assert first == BatchSummary(
        batch="z",
        analysts=("Li",),
        records=2,
        with_diff=2,
        verdicts={Verdict.CHECK: 1, Verdict.TEST: 0, Verdict.SHIM: 1},
        risks={Risk.LOW: 1, Risk.MEDIUM: 0, Risk.HIGH: 1},
        needs_work=1,
        first_day="2026-01-05",
        last_day="2026-01-05",
    )
    assert (second.batch, second.with_diff, second.last_day) == ("a", 0, date(2026, 1, 1).isoformat())


def test_the_documentation_says_from_where_changes_are_alike() -> None:
    text = (Path(__file__).parents[2] / "docs" / "dataset.md").read_text(encoding="utf-8")
    files, titles = ALIKE_FILES_AND_TITLES
    assert f"重合的 hunk ≥ {ALIKE_HUNKS * 100:.0f} %" in text
    assert f"相同的 ≥ {ALIKE_TITLES * 100:.0f} %" in text
    assert f"文件相同的 ≥ {files * 100:.0f} % 且标题用词 ≥ {titles * 100:.0f} %" in text
