"""Ranking: couplings of one scope make one place, strongest first; affinity lifts a place, or makes one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from retrieval.rank import MOST_ALONE, Scoring, load_scoring, rank, scoring_of
from retrieval.scopes import PlaceKey

PATCH, REFERENCE, IMPORT = EvidenceKind.PATCH, EvidenceKind.REFERENCE, EvidenceKind.IMPORT
MODEL = {
    "common_floor": 0.5,
    "common_places": 100.0,
    "further": 0.1,
    "most_further": 2.0,
    "affinity": 0.3,
    "affinity_alone": 0.2,
}
TABLE = {"model": MODEL, "patch": {"same_symbol": 1.0}, "reference": {"same_symbol": 0.5}, "import": {"touched": 0.1}}
SCORING = scoring_of(TABLE)
A: PlaceKey = ("mill_npu/a.py", "f")
B: PlaceKey = ("mill_npu/b.py", "f")


def coupling(
    kind: EvidenceKind = REFERENCE,
    scope: str = "f",
    *,
    relation: Relation = Relation.SAME_SYMBOL,
    symbol: str = "torch._mill.gears.spin",
    path: str = "mill_npu/a.py",
    weight: float = 1.0,
    token: str = "spin",
    lines: tuple[int, ...] = (1,),
) -> Coupling:
    return Coupling(kind, relation, path, scope, lines, token, symbol, symbol.rpartition(".")[2], weight)


def test_couplings_of_one_scope_make_one_place() -> None:
    (place,) = rank([coupling(IMPORT), coupling(PATCH), coupling(REFERENCE)])
    assert [one.kind for one in place.couplings] == [PATCH, REFERENCE, IMPORT]
    assert place.best.kind is PATCH


def test_scopes_and_files_are_apart() -> None:
    found = rank([coupling(scope="f"), coupling(scope="g"), coupling(scope="f", path="mill_npu/b.py")])
    assert [(place.path, place.scope) for place in found] == [
        ("mill_npu/a.py", "f"),
        ("mill_npu/a.py", "g"),
        ("mill_npu/b.py", "f"),
    ]


def test_stronger_couplings_precede_weaker_ones() -> None:
    found = rank([coupling(REFERENCE, "a"), coupling(PATCH, "b"), coupling(IMPORT, "c")])
    assert [place.scope for place in found] == ["b", "a", "c"]


def test_what_happened_upstream_weighs() -> None:
    found = rank([coupling(scope="a", weight=0.4), coupling(scope="b", weight=1.0)])
    assert [place.scope for place in found] == ["b", "a"]


def test_rare_names_precede_common_ones() -> None:
    common = [coupling(scope=f"c{n}", symbol="torch._mill.gears.size") for n in range(200)]
    found = rank([*common, coupling(scope="rare", symbol="torch._mill.gears.spin")])
    assert found[0].scope == "rare"


def test_rarity_falls_from_one_to_its_floor_and_no_further() -> None:
    def score(places: int) -> float:
        return rank([coupling(scope=f"f{n}") for n in range(places)], scoring=SCORING)[0].score

    assert score(1) == 0.5
    assert score(10) == pytest.approx(0.5 * 0.75)  # half way to a hundred places, counted in logarithms
    assert score(100) == pytest.approx(0.25)
    assert score(300) == pytest.approx(0.25)


def test_a_scope_coupled_to_more_names_precedes_one_coupled_to_one() -> None:
    many = [coupling(scope="z", symbol=f"torch._mill.gears.s{n}") for n in range(3)]
    ones = [coupling(scope=f"a{n}", symbol=f"torch._mill.gears.s{n}") for n in range(3)]
    assert rank([*ones, *many])[0].scope == "z"


def test_further_names_count_up_to_a_limit_and_further_kinds_of_one_name_do_not() -> None:
    def score(*couplings: Coupling) -> float:
        return rank(couplings, scoring=SCORING)[0].score

    named = [coupling(symbol=f"torch._mill.gears.s{n}") for n in range(5)]
    assert [score(*named[:count]) for count in (1, 2, 3, 4, 5)] == pytest.approx([0.5, 0.55, 0.6, 0.6, 0.6])
    assert score(coupling(PATCH), coupling(REFERENCE)) == score(coupling(PATCH))


def test_one_kind_and_symbol_counts_once_per_place_by_its_best_spelling() -> None:
    (place,) = rank(
        [coupling(token="s", lines=(3,)), coupling(token="spin", lines=(9,)), coupling(token="spin", lines=(4,))]
    )
    assert [(one.token, one.lines) for one in place.couplings] == [("spin", (4,))]


def test_an_unlisted_pair_is_an_error() -> None:
    with pytest.raises(KeyError):
        rank([coupling(PATCH, relation=Relation.SAME_FLAG)])


def test_nothing_ranks_to_nothing() -> None:
    assert rank([]) == []
    assert rank([], {}) == []


# --- affinity ---------------------------------------------------------------------------------------------------------


def test_affinity_lifts_a_place_by_its_share() -> None:
    couplings = [coupling(path=path) for path, _ in (A, B)]
    plain = {place.path: place.score for place in rank(couplings, scoring=SCORING)}
    found = rank(couplings, {B: 1.0, A: 0.5, ("mill_npu/c.py", "g"): 0.0}, SCORING)
    assert [place.path for place in found[:2]] == ["mill_npu/b.py", "mill_npu/a.py"]
    assert [place.score - plain[place.path] for place in found[:2]] == pytest.approx([0.3, 0.15])


def test_affinity_of_another_scope_of_the_file_lifts_nothing() -> None:
    (place, other) = rank([coupling()], {("mill_npu/a.py", "f.inner"): 1.0}, SCORING)
    assert (place.scope, place.score) == ("f", 0.5)
    assert (other.scope, other.score, other.couplings) == ("f.inner", 0.2, ())


def test_a_place_of_affinity_alone_has_no_coupling_and_weighs_less_than_a_coupled_one() -> None:
    found = rank([coupling()], {A: 1.0, B: 1.0}, SCORING)
    assert [(place[:2], len(place.couplings)) for place in found] == [(A, 1), (B, 0)]
    assert [place.score for place in found] == pytest.approx([0.8, 0.2])


def test_only_the_closest_take_part_without_a_coupling() -> None:
    shares = {("mill_npu/a.py", f"f{n:03}"): 1 - n / 1000 for n in range(3 * MOST_ALONE)}
    found = rank([], shares, SCORING)
    assert [place.scope for place in found] == [f"f{n:03}" for n in range(MOST_ALONE)]


def test_of_equal_shares_the_first_by_name_take_part() -> None:
    shares = {("mill_npu/a.py", f"f{n:03}"): 0.5 for n in reversed(range(3 * MOST_ALONE))}
    assert [place.scope for place in rank([], shares, SCORING)] == [f"f{n:03}" for n in range(MOST_ALONE)]


SCOPES = st.tuples(st.sampled_from(["mill_npu/a.py", "mill_npu/b.py"]), st.sampled_from("fghi"))
SHARES = st.dictionaries(SCOPES, st.floats(0, 1))
COUPLINGS = st.builds(
    lambda kind, place, name, line, token: coupling(
        kind, place[1], path=place[0], symbol=f"torch._mill.gears.{name}", lines=(line,), token=token
    ),
    st.sampled_from([PATCH, REFERENCE]),
    SCOPES,
    st.sampled_from(["spin", "stop", "turn"]),
    st.integers(1, 4),
    st.sampled_from(["spin", "s"]),
)


@given(st.lists(COUPLINGS, max_size=12), SHARES, st.randoms(use_true_random=False))
def test_the_order_is_the_same_whatever_came_first(
    couplings: list[Coupling], shares: dict[PlaceKey, float], draw: random.Random
) -> None:
    found = rank(couplings, shares, SCORING)
    shuffled, turned = draw.sample(couplings, len(couplings)), dict(draw.sample(list(shares.items()), len(shares)))
    assert rank(shuffled, turned, SCORING) == found
    scores = [place.score for place in found]
    assert scores == sorted(scores, reverse=True)
    places = [place[:2] for place in found]
    assert len(set(places)) == len(places)
    assert {one[2:4] for one in couplings} | set(shares) == set(places)
    assert all(place.couplings for place in found if place[:2] in {one[2:4] for one in couplings})


@given(st.lists(COUPLINGS, min_size=1, max_size=12), SHARES)
def test_more_affinity_never_lowers_a_score(couplings: list[Coupling], shares: dict[PlaceKey, float]) -> None:
    plain = {place[:2]: place.score for place in rank(couplings, scoring=SCORING)}
    lifted = {place[:2]: place.score for place in rank(couplings, shares, SCORING)}
    assert all(lifted[place] >= score for place, score in plain.items())


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_table_of_weights_is_sane() -> None:
    scoring = load_scoring()
    assert all(0 < weight <= 1 for weight in scoring.pairs.values())
    direct = min(scoring.pairs[kind, Relation.SAME_SYMBOL] for kind in (PATCH, EvidenceKind.OVERRIDE, REFERENCE))
    assert direct > max(weight for (kind, _), weight in scoring.pairs.items() if kind is EvidenceKind.HOOK)
    assert 0 < scoring.common_floor < 1 < scoring.common_places
    assert 0 < scoring.affinity_alone < scoring.affinity, "a place that is coupled as well comes first"


def test_a_parsed_table_is_a_scoring() -> None:
    assert scoring_of(TABLE) == Scoring(
        {(PATCH, Relation.SAME_SYMBOL): 1.0, (REFERENCE, Relation.SAME_SYMBOL): 0.5, (IMPORT, Relation.TOUCHED): 0.1},
        **MODEL,
    )


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"model": {**MODEL, "more": 1.0}},
        {"model": {name: value for name, value in MODEL.items() if name != "affinity"}},
        {"model": MODEL, "no_kind": {"same_symbol": 1.0}},
        {"model": MODEL, "patch": {"no_relation": 1.0}},
        {"model": MODEL, "patch": {"same_symbol": "much"}},
    ],
)
def test_what_is_no_table_is_refused(table: dict[str, dict[str, float]]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError)):
        scoring_of(table)
