"""What an evaluated record may see, and the proof that it gives nothing away."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from evals.dataset.errors import LeakError
from evals.dataset.leaks import Leak, LeakCheck, LeakKind
from evals.dataset.precedents import LabelledPrecedents
from evals.records import LabelledRecord, Quality, RecordChange
from retrieval.models import Delta, UpstreamChange
from reviewbot.models import Verdict
from reviewbot.precedents import Archive, PastRecord
from tests.evals.dataset_cases import CHANGES, RECORDS, change_for, record
from tests.reviewbot.precedent_cases import labels, work
from tests.support.values import delta

R7 = RECORDS[-1]


def built(
    records: Sequence[LabelledRecord] = RECORDS, changes: Mapping[str, UpstreamChange] = CHANGES
) -> LabelledPrecedents:
    return LabelledPrecedents(records, changes, dict.fromkeys(changes, delta()))


def offered(one: LabelledRecord, all_of_them: LabelledPrecedents | None = None, **options: Any) -> list[str]:
    archive = (all_of_them or built()).archive(one, **({"k": 99, "per_verdict": None} | options))
    return sorted(past.id for past in archive.similar(CHANGES[one.id], delta()))


def test_only_earlier_batches_with_an_earlier_date_are_offered() -> None:
    assert offered(RECORDS[0]) == [], "the first batch has nothing before it"
    assert offered(RECORDS[5]) == ["r1", "r2", "r3"]
    assert offered(R7) == ["r1", "r2", "r3", "r5", "r6"], "r20 is of an earlier batch and a later date, r4 has none"


def test_relands_are_left_out() -> None:
    assert offered(RECORDS[6]) == ["r1", "r3"]


def test_records_without_a_diff_take_no_part() -> None:
    changes = {name: change for name, change in CHANGES.items() if name != "r2"}
    assert "r2" not in offered(R7, built(changes=changes))
    assert built(changes=changes).nearest_earlier(RECORDS[1]) is None


def test_the_shares_of_verdicts_are_bounded_as_in_the_product() -> None:
    assert len(built().archive(R7).similar(CHANGES["r7"], delta())) == 3
    assert len(offered(R7, k=2)) == 2


def test_the_nearest_earlier_record_is_one_of_those_offered() -> None:
    near = record(8, "Wash and oil the gears", batch="b3")
    records, changes = (*RECORDS, near), {**CHANGES, "r8": change_for(near)}
    nearest = built(records, changes).nearest_earlier(near)
    assert nearest is not None
    assert nearest.id == "r7"
    assert built().nearest_earlier(RECORDS[0]) is None


def test_texts_go_along_where_a_team_brought_its_own() -> None:
    own = RECORDS[0].model_copy(update={"summary": "一句话。", "analysis": "一段话。"})
    archive = built((own, *RECORDS[1:])).archive(R7, k=99, per_verdict=None)
    seen = {past.id: (past.summary, past.analysis) for past in archive.similar(CHANGES["r7"], delta())}
    assert seen["r1"] == ("一句话。", "一段话。")
    assert seen["r2"] == ("", "")


# --- the check -------------------------------------------------------------------------------------------------------


def all_past() -> dict[str, PastRecord]:
    """Every record as its own past record, whatever any cutoff says."""
    return {past.id: past for past in built().past}


@pytest.mark.parametrize(
    ("record_id", "shown", "kinds"),
    [
        ("r7", "r1", set()),
        ("r7", "r20", {LeakKind.NOT_AN_EARLIER_DATE}),
        ("r7", "r4", {LeakKind.NOT_AN_EARLIER_DATE}),
        ("r6", "r5", {LeakKind.NOT_AN_EARLIER_BATCH}),
        ("r6", "r2", {LeakKind.SAME_TITLE}),
        (
            "r7",
            "r7",
            {
                LeakKind.ITSELF,
                LeakKind.SAME_PULL_REQUEST,
                LeakKind.SAME_TITLE,
                LeakKind.NOT_AN_EARLIER_BATCH,
                LeakKind.NOT_AN_EARLIER_DATE,
                LeakKind.SHARED_LINES,
            },
        ),
    ],
)
def test_the_check_names_what_leaks(record_id: str, shown: str, kinds: set[LeakKind]) -> None:
    evaluated = next(one for one in RECORDS if one.id == record_id)
    found = LeakCheck(RECORDS, CHANGES).leaks(evaluated, [all_past()[shown]])
    assert {leak.kind for leak in found} == kinds


def test_the_check_believes_nothing_that_the_offered_record_says() -> None:
    check = LeakCheck(RECORDS, CHANGES)
    disguised = all_past()["r7"].model_copy(
        update={"upstream_pr": 99, "title": "Other", "batch": 0, "date": date(2000, 1, 1), "lines": frozenset({"0"})}
    )
    assert LeakKind.ITSELF in {leak.kind for leak in check.leaks(R7, [disguised])}
    assert LeakKind.SHARED_LINES in {leak.kind for leak in check.leaks(R7, [disguised])}
    smuggled = all_past()["r2"].model_copy(update={"labels": labels(Verdict.SHIM)})
    assert [leak.kind for leak in check.leaks(R7, [smuggled])] == [LeakKind.ALTERED]
    stranger = all_past()["r2"].model_copy(update={"id": "r99"})
    assert check.leaks(R7, [stranger]) == (Leak("r7", "r99", LeakKind.UNKNOWN),)


def test_shared_lines_and_unknown_lines_leak() -> None:
    line = "    wheel.speed = mill.rotation_speed(angle, teeth)"
    changes = {**CHANGES, "r7": work(7, "Wash", lines=(line, "a = b")), "r2": work(2, "Oil", lines=(f"  {line}",))}
    check = LeakCheck(RECORDS, changes)
    assert [leak.kind for leak in check.leaks(R7, [all_past()["r2"]])] == [LeakKind.SHARED_LINES]
    del changes["r2"]
    blind = LeakCheck(RECORDS, changes)
    assert [leak.kind for leak in blind.leaks(R7, [all_past()["r2"]])] == [LeakKind.UNKNOWN_LINES]


class LeakingArchive:
    """Shows every record of the data set, the evaluated one first."""

    def similar(self, change: UpstreamChange, delta: Delta) -> tuple[PastRecord, ...]:
        return tuple(reversed(all_past().values()))


def test_a_leaking_archive_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(*_: object) -> Archive:
        return LeakingArchive()

    monkeypatch.setattr("evals.dataset.precedents.open_archive", leaking)
    with pytest.raises(LeakError, match="r7") as caught:
        built().archive(R7).similar(CHANGES["r7"], delta())
    assert {leak.offered for leak in caught.value.leaks} == {"r7", "r20", "r4"}


def test_archives_and_leaks_cross_process_borders() -> None:
    """Workers of a run get the one and may send the other."""
    archive = pickle.loads(pickle.dumps(built())).archive(R7)
    assert archive.similar(CHANGES["r7"], delta()) == built().archive(R7).similar(CHANGES["r7"], delta())
    error = LeakError((Leak("r7", "r7", LeakKind.ITSELF),))
    back = pickle.loads(pickle.dumps(error))
    assert (back.leaks, str(back)) == (error.leaks, str(error))


def test_a_record_of_facts_alone_has_no_diff_to_show() -> None:
    absent = record(
        9, change=RecordChange(quality=Quality.ABSENT, files=(), other_paths=("aten/gears.cpp",)), batch="b3"
    )
    assert built((*RECORDS, absent)).nearest_earlier(absent) is None
