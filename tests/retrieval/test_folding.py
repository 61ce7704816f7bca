"""Near-duplicates: what is folded into the better ranked place, and what only looks alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.folding import Folded, fold
from retrieval.models import EvidenceKind, Relation
from retrieval.rank import Place


def place(path: str, scope: str = "f", *, symbol: str = "torch.a.b", token: str = "b", score: float = 1.0) -> Place:
    coupling = Coupling(EvidenceKind.REFERENCE, Relation.SAME_SYMBOL, path, scope, (3,), token, symbol, token, 1.0)
    return Place(path, scope, score, (coupling,))


def same(path: str, scope: str) -> int:
    return 100


def folded(places: Sequence[Place], size_of: Callable[[str, str], int] = same) -> Folded:
    return fold(places, size_of)


def test_a_copy_in_the_folder_beside_is_folded_into_the_better_one() -> None:
    first, second, other = place("pkg/one/core/x.py"), place("pkg/two/core/x.py"), place("pkg/one/core/y.py")
    assert folded([first, second, other]) == ((first._replace(also_at=("pkg/two/core/x.py",)), other), (second,))


def test_every_further_copy_is_listed() -> None:
    (kept,), _ = folded([place(f"pkg/{name}/x.py") for name in ("one", "two", "three")])
    assert kept.also_at == ("pkg/two/x.py", "pkg/three/x.py")


def test_what_is_coupled_otherwise_is_no_duplicate() -> None:
    alike = place("pkg/one/x.py")
    others = [
        place("pkg/two/x.py", symbol="torch.a.c"),
        place("pkg/two/x.py", scope="g"),
        place("pkg/two/x.py", token="alias"),
        place("pkg/two/y.py"),
        place("pkg/x.py"),
        place("other/two/x.py"),
    ]
    assert folded([alike, *others]) == ((alike, *others), ())


def test_places_of_affinity_alone_are_left_as_they_are() -> None:
    places = [Place("pkg/one/x.py", "f", 0.4, ()), Place("pkg/two/x.py", "f", 0.4, ())]
    assert folded(places).kept == tuple(places)


def test_reading_stops_at_the_limit() -> None:
    def places() -> Iterator[Place]:
        yield place("pkg/one/x.py")
        yield place("pkg/two/x.py")
        yield place("pkg/one/y.py")
        raise AssertionError("read too far")

    kept, folded = fold(places(), same, 2)
    assert [one.path for one in kept] == ["pkg/one/x.py", "pkg/one/y.py"]
    assert [one.path for one in folded] == ["pkg/two/x.py"]
    assert fold(places(), same, 0) == ((), ())


@pytest.mark.parametrize(("size", "is_copy"), [(100, True), (91, True), (110, True), (89, False), (120, False)])
def test_a_scope_of_another_size_is_another_scope(size: int, is_copy: bool) -> None:
    """Every package has an ``__init__.py``, and most of them import the same names."""
    sizes = {"pkg/one/__init__.py": 100, "pkg/two/__init__.py": size}
    places = [place(path, "<module>") for path in sizes]
    assert len(folded(places, lambda path, scope: sizes[path]).kept) == (1 if is_copy else 2)
