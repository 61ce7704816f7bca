"""The oracle reads lines, not facts: whatever writes a name of the change can be reached, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.change_names import ChangeName, NameSource
from evals.recall import Place, RankedRecord, Ratio
from evals.retrieval.oracle import Level, Mentions, NameSet, mentions, reach_at

PATH = "mill_npu/gears.py"
SOURCE = """\
from torch._mill.gears import spin

TEETH = 3


class Gear:
    def turn(self):
        return spin_twice(self)

    def stop(self):
        return brake()  # 调用spin之后


def grind():
    return "aten.spin"


def idle():
    return despin, spin_2, respins
"""
SPIN = ChangeName("spin", NameSource.DEFINITION, 1)
BRAKE = ChangeName("brake", NameSource.TOUCHED, 1)
GEARS = ChangeName("gears", NameSource.MODULE, 1)


@pytest.fixture
def read(tmp_path: Path) -> Mentions:
    (tmp_path / "mill_npu").mkdir()
    (tmp_path / PATH).write_text(SOURCE, encoding="utf-8")
    scopes = ("<module>", "Gear", "Gear.turn", "Gear.stop", "grind", "idle")
    return mentions(tmp_path, [Place(PATH, scope) for scope in scopes], (SPIN, BRAKE, GEARS))


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        ("<module>", (SPIN, GEARS)),
        ("Gear", (SPIN, BRAKE)),
        ("Gear.turn", ()),  # a longer word
        ("Gear.stop", (SPIN, BRAKE)),  # Chinese text next to a word is no part of it
        ("grind", (SPIN,)),
        ("idle", ()),
    ],
)
def test_a_scope_mentions_whole_words_on_its_own_lines(read: Mentions, scope: str, names: tuple[ChangeName]) -> None:
    assert read.places[Place(PATH, scope)] == names


def test_a_file_mentions_what_any_of_its_lines_does(read: Mentions) -> None:
    assert read.files == {PATH: (SPIN, BRAKE, GEARS)}


def test_fewer_kinds_of_names_reach_less() -> None:
    places = [Place(PATH, scope) for scope in ("a", "b", "c", "d")]
    read = Mentions(dict(zip(places, [(SPIN,), (GEARS,), (BRAKE,), ()], strict=True)), {})
    assert [len(read.reached_places(names)) for names in NameSet] == [3, 2, 1]


def test_shares_of_the_oracle_are_plain_and_inside() -> None:
    """Two of three places are in reach; the ledger has one of them, and one that no name leads to."""
    near, far, beyond = (Place(PATH, scope) for scope in ("near", "far", "beyond"))
    read = [Mentions({near: (SPIN,), far: (SPIN,), beyond: ()}, {PATH: (SPIN,)})]
    ranked = [RankedRecord("r001", frozenset({near, far, beyond}), (near, beyond))]
    reach = reach_at(20, ranked, read, NameSet.ALL, Level.SCOPE)
    assert (reach.oracle, reach.both, reach.share) == (Ratio(2, 3), Ratio(1, 2), Ratio(2, 2))
    assert reach_at(1, ranked, read, NameSet.ALL, Level.SCOPE).share == Ratio(1, 2)
    assert reach_at(20, ranked, read, NameSet.ALL, Level.FILE).both == Ratio(1, 1)


def test_a_found_place_that_was_not_cited_counts_nowhere() -> None:
    cited = Place(PATH, "cited")
    ranked = [RankedRecord("r001", frozenset({cited}), (Place(PATH, "other"),))]
    reach = reach_at(20, ranked, [Mentions({cited: (SPIN,)}, {PATH: (SPIN,)})], NameSet.ALL, Level.SCOPE)
    assert (reach.hits, reach.both) == (0, Ratio(0, 1))
