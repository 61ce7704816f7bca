"""Ranking: couplings of one scope make one place, strongest first."""

from __future__ import annotations

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from retrieval.rank import load_weights, rank

PATCH, REFERENCE, IMPORT = EvidenceKind.PATCH, EvidenceKind.REFERENCE, EvidenceKind.IMPORT


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


def test_a_scope_coupled_to_more_names_precedes_one_coupled_to_one() -> None:
    many = [coupling(scope="z", symbol=f"torch._mill.gears.s{n}") for n in range(3)]
    ones = [coupling(scope=f"a{n}", symbol=f"torch._mill.gears.s{n}") for n in range(3)]
    assert rank([*ones, *many])[0].scope == "z"


def test_one_kind_and_symbol_counts_once_per_place_by_its_best_spelling() -> None:
    (place,) = rank(
        [coupling(token="s", lines=(3,)), coupling(token="spin", lines=(9,)), coupling(token="spin", lines=(4,))]
    )
    assert [(one.token, one.lines) for one in place.couplings] == [("spin", (4,))]


def test_the_order_does_not_depend_on_the_order_of_couplings() -> None:
    couplings = [
        coupling(kind, scope, symbol=f"torch._mill.gears.{name}", lines=(line,))
        for kind in (PATCH, REFERENCE, IMPORT)
        for scope in "fg"
        for name in ("spin", "stop")
        for line in (1, 2)
    ]
    assert rank(couplings) == rank(couplings[::-1])


def test_an_unlisted_pair_is_an_error() -> None:
    with pytest.raises(KeyError):
        rank([coupling(PATCH, relation=Relation.SAME_FLAG)])


def test_nothing_ranks_to_nothing() -> None:
    assert rank([]) == []


def test_the_table_of_weights_is_sane() -> None:
    weights = load_weights()
    assert all(0 < weight <= 1 for weight in weights.values())
    direct = min(weights[kind, Relation.SAME_SYMBOL] for kind in (PATCH, EvidenceKind.OVERRIDE, REFERENCE))
    assert direct > max(weight for (kind, _), weight in weights.items() if kind is EvidenceKind.HOOK)
