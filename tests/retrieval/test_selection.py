"""Which places a ledger has seats for: those that may decide a verdict before those that decide nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.closeness import DIRECT, UNCOUPLED
from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from retrieval.rank import Place
from retrieval.selection import affordable, decides, reserve

FORK = EvidenceKind.FORK, Relation.SAME_SYMBOL
CALL = EvidenceKind.REFERENCE, Relation.SAME_SYMBOL
HOOK = EvidenceKind.HOOK, Relation.SAME_MODULE
ABOUT = EvidenceKind.HOOK, Relation.ABOUT
Pair = tuple[EvidenceKind, Relation]


def place(name: str, *pairs: Pair) -> Place:
    couplings = tuple(
        Coupling(kind, relation, f"{name}.py", "f", (1,), name, f"torch.a.{name}", name, 1.0)
        for kind, relation in pairs
    )
    return Place(f"{name}.py", "f", 1.0, couplings)


def ranked(*pairs: Pair) -> list[Place]:
    return [place(f"p{at}", pair) for at, pair in enumerate(pairs)]


def shown(places: list[Place], limit: int) -> list[str]:
    return [one.path[:-3] for one in reserve(places[:limit], filter(decides, places))]


@pytest.mark.parametrize(
    ("pairs", "limit", "expected"),
    [
        ((FORK, CALL, HOOK, ABOUT, CALL), 3, ["p0", "p1", "p2"]),
        ((CALL, ABOUT, CALL, HOOK, CALL, FORK), 5, ["p0", "p1", "p2", "p4", "p5"]),
        ((ABOUT, CALL, CALL, FORK), 3, ["p1", "p2", "p3"]),
        ((CALL, CALL, FORK), 2, ["p0", "p2"]),
        ((HOOK, CALL, FORK, FORK), 2, ["p2", "p3"]),
        ((FORK, FORK, FORK), 2, ["p0", "p1"]),
        ((HOOK, FORK, FORK, FORK), 2, ["p1", "p2"]),
        ((HOOK, FORK), 0, []),
        ((HOOK, FORK), 5, ["p0", "p1"]),
    ],
    ids=[
        "all are there",
        "the last hook gives way",
        "a hook gives way before what is used, however well it ranks",
        "without a hook the last that decides nothing",
        "one seat each",
        "none gives way to its like",
        "as many as there are seats",
        "no seats",
        "seats for all",
    ],
)
def test_who_gives_way(pairs: tuple[Pair, ...], limit: int, expected: list[str]) -> None:
    assert shown(ranked(*pairs), limit) == expected


@pytest.mark.parametrize("kind", list(EvidenceKind))
@pytest.mark.parametrize("relation", list(Relation))
def test_what_decides(kind: EvidenceKind, relation: Relation) -> None:
    deciding = kind in (
        EvidenceKind.FORK,
        EvidenceKind.PATCH,
        EvidenceKind.OVERRIDE,
        EvidenceKind.REGISTRATION,
        EvidenceKind.SUBCLASS,
    )
    assert decides(place("p", (kind, relation))) is (deciding and relation in DIRECT)


def test_a_weaker_coupling_of_the_place_may_decide() -> None:
    assert decides(place("p", HOOK, FORK))
    assert not decides(place("p", HOOK, (EvidenceKind.FORK, Relation.SIBLING)))


def test_no_relation_is_both_direct_and_none() -> None:
    assert not DIRECT & UNCOUPLED


@given(st.lists(st.sampled_from([FORK, CALL, HOOK, ABOUT]), max_size=12), st.integers(0, 12))
def test_seats_are_kept_and_the_order_stays(pairs: list[Pair], limit: int) -> None:
    places = ranked(*pairs)
    chosen = reserve(places[:limit], filter(decides, places))
    assert len(chosen) == min(limit, len(places))
    assert list(chosen) == [one for one in places if one in chosen]
    out = [one for one in places if decides(one) and one not in chosen]
    assert not out or all(decides(one) for one in chosen)


@pytest.mark.parametrize(
    ("costs", "first", "budget", "expected"),
    [
        ([3, 3, 3], set(), 9, (0, 1, 2)),
        ([3, 3, 3], set(), 8, (0, 1)),
        ([3, 9, 1], set(), 8, (0,)),
        ([3, 3, 3], {2}, 6, (0, 2)),
        ([3, 3, 9], {2}, 8, ()),
        ([], set(), 8, ()),
        ([3], {0}, 0, ()),
    ],
)
def test_what_a_budget_pays_for(costs: list[int], first: set[int], budget: int, expected: tuple[int, ...]) -> None:
    assert affordable(costs, first, budget) == expected
