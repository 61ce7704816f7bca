"""How alike code is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.likeness import COPY_LIKENESS, likeness, print_of
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
STRANGER = code(
    """
    def spin(self):
        for name, value in self.table.items():
            self.write(f"{name}: {value}")
        self.close()
        raise StopIteration from None
    """
)


def alike(one: str, other: str) -> float:
    return likeness(print_of(one), print_of(other))


def test_layout_and_comments_do_not_count() -> None:
    laid_out = OLD.replace("    ", "\t").replace("(gear, speed, quiet", "(\n  gear,  # the wheel\n  speed, quiet")
    assert alike(OLD, laid_out) == 1.0


def test_a_copy_with_local_edits_is_alike_and_a_namesake_is_not() -> None:
    edited = OLD.replace("promote(gear)", "npu_promote(gear)").replace("        return gear\n", "        return None\n")
    assert alike(OLD, edited) > COPY_LIKENESS
    assert alike(OLD, STRANGER) < COPY_LIKENESS


def test_a_getter_is_too_short_to_be_a_copy() -> None:
    getter = "def name(self):\n    return self._name\n"
    assert alike(getter, getter) == 0.0


@given(st.text(max_size=300), st.text(max_size=300))
def test_likeness_is_symmetric_and_between_nothing_and_all(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
    assert 0.0 <= alike(one, other) <= 1.0
