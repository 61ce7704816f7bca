"""Which places a ledger has seats for: every sort of evidence that may decide, before what decides nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.closeness import DIRECT, UNCOUPLED
from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from retrieval.rank import Place
from retrieval.selection import affordable, proofs, reserve

FORK = EvidenceKind.FORK, Relation.SAME_SYMBOL
CALL = EvidenceKind.REFERENCE, Relation.SAME_SYMBOL
HOOK = EvidenceKind.HOOK, Relation.SAME_MODULE
ABOUT = EvidenceKind.HOOK, Relation.ABOUT
Pair = tuple[EvidenceKind, Relation]


def place(name: str, *pairs: Pair, symbol: str = "", path: str = "") -> Place:
    """A place with these couplings; each place is about a symbol of its own unless one is given."""
    where, about = path or f"{name}.py", symbol or f"torch.a.{name}"
    couplings = (Coupling(kind, relation, where, "f", (1,), name, about, name, 1.0) for kind, relation in pairs)
    return Place(where, "f", 1.0, tuple(couplings))


def ranked(*pairs: Pair) -> list[Place]:
    return [place(f"p{at}", pair) for at, pair in enumerate(pairs)]


def shown(places: list[Place], limit: int) -> list[str]:
    return [one.path[:-3] for one in reserve(places[:limit], places)]


@pytest.mark.parametrize(
    ("pairs", "limit", "expected"),
    [
        ((FORK, CALL, HOOK, ABOUT, CALL), 3, ["p0", "p1", "p2"]),
        ((CALL, ABOUT, CALL, HOOK, CALL, FORK), 5, ["p0", "p1", "p2", "p3", "p5"]),
        ((HOOK, CALL, FORK, FORK), 2, ["p2", "p3"]),
        ((HOOK, CALL, CALL, FORK, FORK), 3, ["p0", "p3", "p4"]),
        ((FORK, FORK, FORK), 2, ["p0", "p1"]),
        ((HOOK, FORK, FORK, FORK), 2, ["p1", "p2"]),
        ((HOOK, FORK), 0, []),
        ((HOOK, FORK), 5, ["p0", "p1"]),
    ],
    ids=[
        "all are there",
        "the last gives way",
        "one seat each",
        "the best stays",
        "none gives way to its like",
        "as many as there are seats",
        "no seats",
        "seats for all",
    ],
)
def test_who_gives_way(pairs: tuple[Pair, ...], limit: int, expected: list[str]) -> None:
    assert shown(ranked(*pairs), limit) == expected


@pytest.mark.parametrize(
    ("late", "seated"),
    [
        (place("b", FORK, symbol="torch.a.x"), False),
        (place("b", FORK, symbol="torch.a.y"), True),
        (place("b", (EvidenceKind.PATCH, Relation.SAME_SYMBOL), symbol="torch.a.x"), True),
        (place("b", HOOK, FORK, symbol="torch.a.y"), True),
        (place("b", FORK, symbol="torch.a.y", path="test/test_b.py"), False),
        (place("b", CALL, symbol="torch.a.y"), False),
    ],
    ids=["the like is shown", "other symbol", "other kind", "not its best", "test", "other sort"],
)
def test_a_seat_is_kept_for_what_is_not_shown_yet(late: Place, seated: bool) -> None:
    places = [place("a", FORK, symbol="torch.a.x"), place("h", HOOK), late]
    assert (late in reserve(places[:2], places)) is seated


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
    assert bool(proofs(place("p", (kind, relation)))) is (deciding and relation in DIRECT)


def test_no_relation_is_both_direct_and_none() -> None:
    assert not DIRECT & UNCOUPLED


@given(st.lists(st.tuples(st.sampled_from([FORK, CALL, HOOK, ABOUT]), st.sampled_from("xyz"))), st.integers(0, 12))
def test_seats_are_kept_and_the_order_stays(pairs: list[tuple[Pair, str]], limit: int) -> None:
    places = [place(f"p{at}", pair, symbol=symbol) for at, (pair, symbol) in enumerate(pairs)]
    chosen = reserve(places[:limit], places)
    assert len(chosen) == min(limit, len(places))
    assert list(chosen) == [one for one in places if one in chosen]
    told = {proof for one in chosen for proof in proofs(one)}
    missing = {proof for one in places for proof in proofs(one)} - told
    assert not missing or all(proofs(one) for one in chosen)


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
