"""Affinity: BM25 over the pieces of scopes, on corpora of a few words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.affinity import Affinities, affinities
from retrieval.fact_rows import COUNT_BITS, occurrence


@dataclass(frozen=True)
class Listed:
    """A corpus given as its scopes; ``foreign`` are scopes of other trees in the same cache."""

    scopes: Mapping[int, Mapping[str, int]]
    foreign: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def sizes(self) -> Mapping[int, int]:
        return {number: sum(pieces.values()) for number, pieces in self.scopes.items()}

    @property
    def others(self) -> int:
        return len(self.foreign)

    def occurrences(self, piece: str) -> Sequence[int]:
        every = sorted({**self.scopes, **self.foreign}.items())
        return [occurrence(number, pieces[piece]) for number, pieces in every if piece in pieces]


FILLING = {number: {f"filler{number}": 3} for number in range(100, 160)}


def corpus(*scopes: str) -> Listed:
    """Scopes 0, 1, … given as text, among sixty that have nothing to do with anything."""
    return Listed({**{number: Counter(text.split()) for number, text in enumerate(scopes)}, **FILLING})


def asked(text: str, found: Listed) -> Affinities:
    return affinities(dict.fromkeys(text.split(), 1.0), found)


def order(found: Affinities) -> list[int]:
    return sorted(found.shares, key=lambda scope: -found.shares[scope])


def test_the_closest_scope_has_one_and_strangers_none() -> None:
    found = asked("grind gear", corpus("grind gear", "grind belt", "oil belt"))
    assert found.shares[0] == 1.0
    assert 0 < found.shares[1] < 1
    assert set(found.shares) == {0, 1}
    assert set(found.pieces) == {"grind", "gear"}


def test_a_rare_piece_says_more_than_a_common_one() -> None:
    found = asked("grind gear", corpus("gear oil", "grind oil", "grind belt", "grind lamp"))
    assert order(found)[0] == 0
    assert found.pieces["gear"] > found.pieces["grind"]


def test_repetition_counts_less_and_less() -> None:
    once, twice, often = (asked("grind", corpus("grind a b c d e f g h", text)).shares for text in _repeated(1, 2, 8))
    assert once[0] > twice[0] > often[0]
    assert once[0] - twice[0] > (twice[0] - often[0]) / 6


def _repeated(*times: int) -> list[str]:
    return [" ".join(["grind"] * count + ["oil"] * (9 - count)) for count in times]


def test_a_long_scope_says_less_with_the_same_piece() -> None:
    long = "grind " + " ".join(f"w{n}" for n in range(80))
    assert order(asked("grind", corpus(long, "grind oil"))) == [1, 0]


def test_a_weightier_word_of_the_question_counts_for_more() -> None:
    both = corpus("grind oil", "gear oil")
    assert order(affinities({"grind": 0.2, "gear": 1.0}, both)) == [1, 0]
    assert order(affinities({"grind": 1.0, "gear": 0.2}, both)) == [0, 1]


def test_a_piece_of_more_than_a_tenth_of_all_scopes_tells_nothing() -> None:
    found = asked("oil gear", corpus(*["oil"] * 20, "gear"))
    assert set(found.pieces) == {"gear"}
    assert set(found.shares) == {20}


def test_the_bm25_of_the_literature() -> None:
    found = corpus("grind grind oil", "grind belt")
    usual = sum(found.sizes.values()) / 62
    idf = math.log(1 + (62 - 2 + 0.5) / (2 + 0.5))

    def score(times: int, size: int) -> float:
        return idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * size / usual))

    shares = asked("grind", found).shares
    assert shares[1] / shares[0] == pytest.approx(score(1, 2) / score(2, 3))


def test_scopes_of_other_trees_count_nowhere() -> None:
    scopes = corpus("grind gear", "gear belt")
    foreign = {number: {"grind": 5, "gear": 1} for number in range(1000, 1400)}
    alone, among = asked("grind gear", scopes), asked("grind gear", Listed(scopes.scopes, foreign))
    assert alone == among
    assert set(among.shares) == {0, 1}


def test_only_the_pieces_that_say_most_are_looked_for() -> None:
    text = " ".join(f"w{n}" for n in range(40))
    found = asked(text, Listed({**FILLING, 0: Counter(text.split()), 1: {"w39": 1}, 2: {"w38": 1}}))
    assert len(found.pieces) < 40
    assert "w39" not in found.pieces, "two scopes have it"


@pytest.mark.parametrize(
    "found", [Listed({}), corpus(), Listed({}, {5: {"grind": 1}})], ids=["empty", "strange", "foreign"]
)
def test_nothing_shared_is_no_affinity(found: Listed) -> None:
    assert asked("grind gear", found) == ({}, {})
    assert affinities({}, found) == ({}, {})


def test_how_often_a_piece_stands_is_kept_up_to_a_limit() -> None:
    most = (1 << COUNT_BITS) - 1
    assert [occurrence(7, times) & most for times in (1, most, most + 1, 10**9)] == [1, most, most, most]
    assert {occurrence(7, times) >> COUNT_BITS for times in (1, most, 10**9)} == {7}
    assert occurrence(3, 0) + occurrence(4, 5) == occurrence(7, 5)


PIECE = st.sampled_from(["grind", "gear", "oil", "belt", "lamp"])
SCOPE = st.dictionaries(PIECE, st.integers(1, 200), min_size=1)
QUESTION = st.dictionaries(PIECE, st.floats(0.1, 2.0), min_size=1)


@given(st.lists(SCOPE, max_size=6), QUESTION)
def test_shares_lie_between_none_and_one_and_the_closest_has_one(
    scopes: list[dict[str, int]], question: dict[str, float]
) -> None:
    found = affinities(question, Listed({**FILLING, **dict(enumerate(scopes))}))
    assert all(0 < share <= 1 for share in found.shares.values())
    assert max(found.shares.values(), default=1.0) == 1.0
    assert all(weight > 0 for weight in found.pieces.values())
    assert all(found.pieces.keys() & scopes[scope].keys() for scope in found.shares)


@given(st.lists(SCOPE, min_size=1, max_size=6), QUESTION, st.data())
def test_the_order_of_files_changes_no_affinity(
    scopes: list[dict[str, int]], question: dict[str, float], data: st.DataObject
) -> None:
    moved = data.draw(st.permutations(range(len(scopes))))
    one = affinities(question, Listed({**FILLING, **dict(enumerate(scopes))})).shares
    turned = {new: scopes[old] for new, old in enumerate(moved)}
    other = affinities(dict(reversed(question.items())), Listed({**dict(reversed(turned.items())), **FILLING})).shares
    assert {moved[new]: share for new, share in other.items()} == one


@given(SCOPE, SCOPE, QUESTION.filter(bool))
def test_a_scope_that_has_more_of_the_question_is_no_further(
    scope: dict[str, int], other: dict[str, int], question: dict[str, float]
) -> None:
    """With one more of a shared piece in place of a strange word, nothing gets less close."""
    piece = min(question)
    times = min(scope.get(piece, 1), 60)
    before = {**FILLING, 0: {**scope, piece: times, "strange": 1}, 1: other}
    after = {**FILLING, 0: {**scope, piece: times + 1}, 1: other}
    ratio = [affinities(question, Listed(scopes)).shares for scopes in (before, after)]
    assert ratio[1].get(0, 0.0) / ratio[1].get(1, 1.0) >= ratio[0].get(0, 0.0) / ratio[0].get(1, 1.0) - 1e-9
