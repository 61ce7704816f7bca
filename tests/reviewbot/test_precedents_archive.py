"""Which past records come back for a change, in which order, and which never do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from retrieval.models import UpstreamChange
from reviewbot.models import Verdict
from reviewbot.precedents import AcceptedBefore, CitedPlace, LabelledEarlier, PastRecord, open_archive, past_record
from tests.reviewbot.precedent_cases import labels, past, work
from tests.support.values import case, config, definition, delta, operator, renamed

ROOT = Path(__file__).parents[2]
LATE = LabelledEarlier(batch=9, date=date(2026, 12, 31))
GEARS = work(100, "Speed up gear rotation in the mill")


def found(records: Sequence[PastRecord], change: UpstreamChange = GEARS, **options: Any) -> list[str]:
    """Ids in order; without a word about it as many as there are."""
    given: dict[str, Any] = {"cutoff": LATE, "k": 99, "per_verdict": None} | options
    return [one.id for one in open_archive(records, **given).similar(change, delta())]


# --- ranking ---------------------------------------------------------------------------------------------------------


def test_the_nearest_comes_first() -> None:
    records = [
        past(1, "Paint the fence", "torch/_farm/fence.py"),
        past(2, "Slow down gear rotation in the mill"),
        past(3, "Oil the axle", "torch/_mill/axle.py"),
    ]
    assert found(records) == ["p2", "p3", "p1"]


def test_definitions_count_as_names_and_as_words() -> None:
    records = [
        past_record(f"p{number}", work(number, "x", f"{number}.py", date="2026-01-01"), touched, labels(), batch=0)
        for number, touched in enumerate((delta(definition("GearBox.rotate")), delta(definition("Fence.paint"))), 1)
    ]
    asked = open_archive(records, LATE).similar(work(9, "y", "c.py"), delta(definition("rotate_gear_boxes")))
    assert asked[0].id == "p1"


def test_chinese_titles_meet_by_pairs_of_characters() -> None:
    records = [past(1, "修复栅栏颜色", "a.py"), past(2, "修复齿轮转速", "b.py")]
    assert found(records, work(9, "齿轮转速过快", "c.py")) == ["p2"]


def test_what_shares_nothing_is_not_offered() -> None:
    assert found([past(1, "Paint a fence", "farm/fence.py")], work(9, "Grind flour", "bakery/oven.py")) == []
    assert found([]) == []


def test_of_equals_the_latest_comes_first() -> None:
    twins = [past(number, "Turn the wheel", lines=(f"turn_{number}(wheel, angle, speed)",)) for number in (3, 5, 4)]
    expected = ["p5", "p4", "p3"]
    assert found(twins, work(9, "Turn all wheels")) == expected
    assert found(twins[::-1], work(9, "Turn all wheels")) == expected


def test_k_and_the_share_of_each_verdict_are_bounded() -> None:
    records = [past(number, f"Gear rotation {'mill ' * number}") for number in range(1, 6)]
    records.append(past(7, "Paint", verdict=Verdict.TEST))
    ranked = found(records)
    assert ranked[-1] == "p7"
    chosen = open_archive(records, LATE).similar(GEARS, delta())
    assert [one.id for one in chosen] == [*ranked[:2], "p7"]
    assert found(records, k=3) == ranked[:3]
    assert found(records, per_verdict=1) == [ranked[0], "p7"]


def test_the_order_does_not_hang_on_the_salt_of_hashes() -> None:
    code = (
        "from tests.reviewbot.test_precedents_archive import found, past\n"
        "print(found([past(n, f'Gear {n % 3} rotation mill {n}') for n in range(1, 20)]))"
    )
    command = [sys.executable, "-c", code]
    runs = {
        subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert b"p1" in next(iter(runs))


# --- what never comes back -------------------------------------------------------------------------------------------

LINE = "    wheel.speed = mill.rotation_speed(angle, teeth)"


@pytest.mark.parametrize(
    ("change", "record"),
    [
        (work(7, "Speed up gears"), past(7, "Another title of gears", lines=("gears.spin(speed, angle)",))),
        (work(8, "Speed up gears", lines=(LINE,)), past(7, "Fix gears", lines=(f"  {LINE}", "x = spin(gear, mill)"))),
        (work(8, "[reland] Speed up gears (#7)"), past(7, "Speed up gears")),
        (work(8, "Reland: speed up gears"), past(7, "[mill] Speed up gears")),
        (work(8, 'Revert "Speed up gears (#7)"'), past(7, "Speed up gears (#7)")),
        (work(8, "Speed up gears"), past(7, 'Revert "Speed up gears"')),
        (work(8, "Gears, second try", body="Reland of #7"), past(7, "Speed up gears")),
        (work(8, "Gears", body="see https://github.com/a/b/pull/7"), past(7, "Speed up gears")),
        (work(8, "Speed up gears"), past(7, "Take back gears (#8)")),
    ],
)
def test_the_same_work_is_never_offered(change: UpstreamChange, record: PastRecord) -> None:
    assert found([record], change) == []
    assert found([record], work(99, "Oil gears")) == ["p7"], "another change may see it"


def test_a_record_without_known_lines_is_never_offered() -> None:
    """Nobody can tell that it shares none."""
    blind = past(7, "Fix gears").model_copy(update={"lines": frozenset()})
    assert found([blind]) == []
    assert found([past(7, "Fix gears")], UpstreamChange(number=9, title="Fix other gears")) == []


def test_parts_of_one_title_are_different_work() -> None:
    assert found([past(7, "[mill] Turn gears (1/2)")], work(8, "[mill] Turn gears (2/2)")) == ["p7"]


# --- cutoffs ---------------------------------------------------------------------------------------------------------


def test_offline_batch_and_date_must_both_be_earlier() -> None:
    records = [past(number, "Turn gears", batch=batch) for number, batch in ((1, 0), (2, 1), (3, 0), (4, 1), (5, 0))]
    records.append(past(6, "Turn gears", date=None))
    records.append(past(7, "Turn gears", batch=None))
    assert set(found(records, cutoff=LabelledEarlier(1, date(2026, 1, 5)))) == {"p1", "p3"}
    assert found(records, cutoff=LabelledEarlier(1, None)) == []


def test_in_service_it_must_have_been_accepted_before() -> None:
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)
    records = [
        past(1, "Turn gears", accepted=now - timedelta(seconds=1)),
        past(2, "Turn gears", accepted=now),
        past(3, "Turn gears"),
    ]
    assert found(records, cutoff=AcceptedBefore(now)) == ["p1"]


# --- past records ----------------------------------------------------------------------------------------------------


def test_a_past_record_names_all_that_the_change_touches() -> None:
    touched = delta(
        renamed("spin", "rotate"), operator("aten.spin"), config("torch._mill.config.turbo"), case("T.test_a")
    )
    places = [CitedPlace(path="mill_npu/gears.py", scope="spin")] * 2
    record = past_record(
        "p1", work(1, "Turn", other_paths=("test/a.py",), date="2026-01-31"), touched, labels(), places
    )
    assert record.symbols == (
        "torch._mill.gears.rotate",
        "torch._mill.gears.spin",
        "aten.spin",
        "torch._mill.config.turbo",
        "T.test_a",
    )
    assert record.paths == ("torch/_mill/gears.py", "test/a.py")
    assert record.evidence == (CitedPlace(path="mill_npu/gears.py", scope="spin"),)
    assert record.date == date(2026, 1, 31)
    assert (record.summary, record.analysis, record.accepted) == ("", "", None)


def test_opening_an_archive_does_not_import_what_ranks() -> None:
    code = "import sys, reviewbot.precedents; sys.exit('numpy' in sys.modules or 'bm25s' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
