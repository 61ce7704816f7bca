"""A change is recognised by its lines, wherever and whichever way it goes in."""

from __future__ import annotations

import pytest

from retrieval.change import parse_patch
from retrieval.models import UpstreamChange
from reviewbot.precedents import fingerprints
from tests.support.diff_writer import write_diff

BEFORE = "".join(f"    step_{number} = mill.turn(wheel, {number})\n" for number in range(12))
WORK = "    if wheel.is_stuck and not wheel.forced:\n        raise StuckWheelError(wheel.name, wheel.angle)\n"
AFTER = BEFORE.replace("    step_6", f"{WORK}    step_6")


def changed(old: str, new: str, path: str = "torch/_mill/gears.py") -> UpstreamChange:
    return parse_patch(write_diff(path, old.encode(), new.encode()), "one.diff")


def test_a_reland_at_other_lines_shares_all_of_its_lines() -> None:
    moved = changed("# a long preface\n" * 40 + BEFORE, "# a long preface\n" * 40 + AFTER)
    assert fingerprints(moved) == fingerprints(changed(BEFORE, AFTER))
    assert len(fingerprints(moved)) == 2


def test_a_revert_and_another_indentation_are_the_same_work() -> None:
    assert fingerprints(changed(AFTER, BEFORE)) == fingerprints(changed(BEFORE, AFTER))
    deeper = AFTER.replace("        raise Stuck", "            raise  Stuck")
    assert fingerprints(changed(BEFORE, deeper)) == fingerprints(changed(BEFORE, AFTER))


def test_the_same_lines_in_a_file_of_another_name_are_the_same_work() -> None:
    elsewhere = changed(BEFORE, AFTER, path="torch/_mill/teeth.py")
    assert fingerprints(elsewhere) == fingerprints(changed(BEFORE, AFTER))


@pytest.mark.parametrize(
    "line",
    ["    return None", "import torch._mill.config as config", "from torch._mill import gears, teeth, wheels", "    )"],
)
def test_what_any_change_may_hold_does_not_make_two_changes_one(line: str) -> None:
    one = changed(BEFORE, AFTER + f"{line}\n")
    other = changed(BEFORE, f"{line}\n" + BEFORE + "    oil = mill.pour_oil(wheel, can)\n", path="torch/_mill/oil.py")
    assert fingerprints(one).isdisjoint(fingerprints(other))


def test_a_change_of_plain_lines_alone_is_known_by_its_path() -> None:
    here = changed(BEFORE, f"{BEFORE}    return None\n")
    assert len(fingerprints(here)) == 1
    assert fingerprints(changed(f"{BEFORE}    return None\n", BEFORE)) == fingerprints(here)
    assert fingerprints(changed(BEFORE, f"{BEFORE}    return None\n", path="torch/_mill/oil.py")) != fingerprints(here)


def test_blank_lines_and_no_diff_leave_nothing() -> None:
    assert fingerprints(changed(BEFORE, f"{BEFORE}\n\n")) == frozenset()
    assert fingerprints(UpstreamChange(title="Turn")) == frozenset()


def test_fingerprints_are_the_same_in_every_process() -> None:
    """They are stored: a hash that Python salts would forget every record."""
    assert fingerprints(changed("", "    oil = mill.pour_oil(wheel, can)\n")) == {"ba6d8ac372d2f02f"}
