"""What a copy holds of a change."""

from __future__ import annotations

import pytest

from retrieval.copies.state import copy_state
from retrieval.models import CopyState, Language
from tests.support.tree import code

OLD = code(
    """
    def spin(gear, speed, quiet=False):
        gear = promote(gear)
        if isinstance(gear, Fixed):
            return Fixed.create(gear, tuple(speed))
        assert isinstance(gear, Free)
        if tuple(gear.teeth()) == tuple(speed):
            return gear
        return Free.create(gear, tuple(speed), quiet)
    """
)
NEW = OLD.replace("if isinstance(gear, Fixed):", "if is_fixed(gear):")


@pytest.mark.parametrize(
    ("copy", "state"),
    [
        (OLD, CopyState.CARRIES_OLD_CODE),
        (OLD.replace("promote", "npu_promote"), CopyState.CARRIES_OLD_CODE),
        (NEW, CopyState.ALREADY_SYNCED),
        (OLD.replace("if isinstance(gear, Fixed):", "if gear.npu:"), CopyState.DIVERGED),
    ],
)
def test_what_a_copy_has_of_a_changed_line(copy: str, state: CopyState) -> None:
    assert copy_state(OLD, NEW, copy) is state


def test_a_copy_without_an_added_line_is_on_the_old_code() -> None:
    added = OLD.replace("    assert", "    check_speed(speed)\n    assert")
    assert copy_state(OLD, added, OLD) is CopyState.CARRIES_OLD_CODE
    assert copy_state(OLD, added, added) is CopyState.ALREADY_SYNCED


def test_a_copy_that_lacks_a_removed_line_has_diverged_or_followed() -> None:
    removed = OLD.replace("    assert isinstance(gear, Free)\n", "")
    assert copy_state(OLD, removed, OLD) is CopyState.CARRIES_OLD_CODE
    assert copy_state(OLD, removed, removed) is CopyState.DIVERGED


def test_lines_that_every_function_has_decide_nothing() -> None:
    old, new = "def f(a):\n    return None\n", "def f(a):\n    pass\n"
    assert copy_state(old, new, old) is CopyState.DIVERGED


def test_names_of_locals_do_not_hide_a_line() -> None:
    renamed = OLD.replace("gear", "wheel")
    assert copy_state(OLD, NEW, renamed) is CopyState.CARRIES_OLD_CODE
    assert copy_state(OLD, NEW, NEW.replace("gear", "wheel")) is CopyState.ALREADY_SYNCED


def test_names_count_where_nothing_else_tells_the_lines_apart() -> None:
    new = OLD.replace("return Free.create(gear, tuple(speed), quiet)", "return Free.create(gear, tuple(quiet), speed)")
    assert copy_state(OLD, new, OLD) is CopyState.CARRIES_OLD_CODE
    assert copy_state(OLD, new, new) is CopyState.ALREADY_SYNCED


def test_comments_of_cpp_do_not_count() -> None:
    old = "int spin(Gear& gear) {\n  check(gear.teeth());  // before\n  return turn(gear);\n}\n"
    new = old.replace("return turn(gear)", "return turn(gear.promote(), kQuiet)")
    copy = old.replace("return turn(gear);", "return turn(gear);  // as upstream")
    assert copy_state(old, new, copy, Language.CPP) is CopyState.CARRIES_OLD_CODE
