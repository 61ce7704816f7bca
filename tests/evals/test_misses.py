from __future__ import annotations

import pytest

from evals.change_names import ChangeName, NameSource
from evals.measuring import SHORT
from evals.recall import Place
from evals.retrieval import words
from evals.retrieval.misses import COMMON_FILES, Missed, MissReason, misses_of
from evals.retrieval.oracle import Mentions
from retrieval.models import Language
from tests.support.coupled import measured, place

MISSED = place("missed")
SPIN = ChangeName("spin", NameSource.DEFINITION, 2)
RUN = ChangeName("run", NameSource.DEFINITION, COMMON_FILES)
GREASE = ChangeName("grease", NameSource.TOUCHED, 1)


def missed(
    *names: ChangeName,
    at: Place = MISSED,
    ranking: tuple[Place, ...] = (),
    found: tuple[Place, ...] = (),
    languages: frozenset[Language] = frozenset({Language.PYTHON}),
) -> Missed:
    one = measured(expected={at}, found=found, languages=languages)
    (only,) = misses_of(one, ranking, Mentions({at: names}, {at.path: names}))
    return only


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ((RUN, GREASE, SPIN), MissReason.NAME_NOT_COUPLED),
        ((RUN, GREASE), MissReason.USED_NAME_NOT_COUPLED),
        ((RUN,), MissReason.ONLY_COMMON_NAMES),
        ((), MissReason.NO_NAME),
    ],
)
def test_what_was_not_found_is_judged_by_the_names_it_writes(names: tuple[ChangeName, ...], reason: MissReason) -> None:
    assert missed(*names).reason is reason


def test_the_most_telling_names_come_first() -> None:
    assert missed(RUN, GREASE, SPIN).names == (SPIN, GREASE, RUN)


@pytest.mark.parametrize(("rank", "reason"), [(SHORT, MissReason.CUT_BY_TOKENS), (SHORT + 1, MissReason.RANKED_BELOW)])
def test_what_was_found_is_judged_by_its_rank(rank: int, reason: MissReason) -> None:
    others = tuple(place(f"f{number}") for number in range(rank - 1))
    one = missed(SPIN, ranking=(*others, MISSED))
    assert (one.reason, one.rank, one.names) == (reason, rank, ())


def test_a_place_in_a_language_the_change_does_not_touch() -> None:
    header = place("mill::spin", "mill_npu/csrc/gears.h")
    assert missed(SPIN, at=header).reason is MissReason.OTHER_LANGUAGE
    both = frozenset({Language.PYTHON, Language.CPP})
    assert missed(SPIN, at=header, languages=both).reason is MissReason.NAME_NOT_COUPLED


def test_the_file_may_be_found_by_another_scope() -> None:
    assert missed(found=(place("other"),)).file_found
    assert not missed(found=(place("other", "mill_npu/wheels.py"),)).file_found


def test_only_the_default_ledger_counts() -> None:
    one = measured(expected={MISSED, place("hit")}, found=(place("hit"),))
    nothing: tuple[ChangeName, ...] = ()
    read = Mentions({MISSED: nothing, place("hit"): nothing}, {})
    assert [found.place for found in misses_of(one, (place("hit"),), read)] == [MISSED]


def test_every_reason_has_its_words() -> None:
    assert set(words.REASONS) == set(MissReason)
