"""Scopes of a tree in the cache: which are searched, at which places, and what the cache keeps of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.errors import DamagedCacheError
from retrieval.fact_cache import FactCache
from retrieval.fact_rows import COUNT_BITS, BlobFacts, rows_of
from retrieval.index import Index
from retrieval.models import MODULE_SCOPE
from retrieval.scope_words import ScopeWords
from retrieval.scopes import Scopes
from tests.support.tree import Files, IndexOf, memory_index

GRIND = "def grind(wheel):\n    return wheel_oil\n"
FILLING: Files = {f"mill_npu/filler{n}.py": f"def filler{n}():\n    return rattle{n}\n" for n in range(40)}
ASKED = {"grind": 1.0, "wheel": 1.0, "oil": 1.0}


def test_the_closest_scope_is_found_at_its_place(index_of: IndexOf) -> None:
    found = index_of({**FILLING, "mill_npu/a.py": f"{GRIND}def stop():\n    return wheel\n"}).affinity(ASKED)
    assert found.shares["mill_npu/a.py", "grind"] == 1.0
    assert 0 < found.shares["mill_npu/a.py", "stop"] < 1
    assert set(found.shares) == {("mill_npu/a.py", "grind"), ("mill_npu/a.py", "stop")}
    assert set(found.pieces) <= set(ASKED)


def test_equal_files_are_one_document_found_at_each_path(index_of: IndexOf) -> None:
    once = index_of({**FILLING, "mill_npu/a.py": GRIND}).affinity(ASKED)
    twice = index_of({**FILLING, "mill_npu/a.py": GRIND, "mill_npu/deep/b.py": GRIND}).affinity(ASKED)
    assert once.shares == {("mill_npu/a.py", "grind"): 1.0}
    assert twice.shares == {("mill_npu/a.py", "grind"): 1.0, ("mill_npu/deep/b.py", "grind"): 1.0}
    assert twice.pieces == once.pieces


def test_of_scopes_with_one_name_the_closest_counts(index_of: IndexOf) -> None:
    source = f"if x:\n    def grind(): return lamp\nelse:\n    {GRIND.replace(chr(10), chr(10) + '    ')}\n"
    found = index_of({**FILLING, "mill_npu/a.py": source}).affinity(ASKED)
    assert found.shares["mill_npu/a.py", "grind"] == 1.0


def test_scopes_of_another_revision_in_the_cache_do_not_show(tmp_path: Path) -> None:
    """The cache holds other blobs, among them closer ones and many with the same words."""
    other = {f"mill_npu/m{n}.py": f"{GRIND}# {n}\nwheel_grind_oil = {n}\n" for n in range(30)}
    memory_index(other, tmp_path / "shared").close()
    files = {**FILLING, "mill_npu/a.py": "def grind(): return wheel\n", "mill_npu/b.py": "oil = wheel\n"}
    shared, own = memory_index(files, tmp_path / "shared"), memory_index(files, tmp_path / "own")
    try:
        assert shared.affinity(ASKED) == own.affinity(ASKED)
        assert {path for path, _ in shared.affinity(ASKED).shares} == {"mill_npu/a.py", "mill_npu/b.py"}
    finally:
        shared.close()
        own.close()


def test_what_others_write_meanwhile_changes_no_answer(tmp_path: Path) -> None:
    files = {**FILLING, "mill_npu/a.py": GRIND}
    index = memory_index(files, tmp_path)
    try:
        first = index.affinity(ASKED)
        other = {f"mill_npu/m{n}.py": f"{GRIND}# {n}\ngrind = {n}\n" for n in range(60)}
        memory_index(other, tmp_path).close()
        assert index.affinity(ASKED) == first != ({}, {})
    finally:
        index.close()


def test_a_text_or_binary_file_has_no_scopes(index_of: IndexOf) -> None:
    files = {**FILLING, "a.txt": GRIND, "b.md": GRIND, "c.py": GRIND.encode() + b"\0"}
    assert index_of(files).affinity(ASKED) == ({}, {})


def test_comments_and_docstrings_move_no_scope(index_of: IndexOf) -> None:
    files = {**FILLING, "mill_npu/a.py": GRIND, "mill_npu/b.py": "def stop():\n    return wheel\n"}
    spoken = '"""wheel grind oil"""\n# grind wheel\n'
    prose = {path: f"{spoken}{text!s}    # oil\n" for path, text in files.items()}
    assert index_of(files).affinity(ASKED) == index_of(prose).affinity(ASKED)


def test_the_order_of_files_and_of_building_changes_nothing(tmp_path: Path) -> None:
    files = {**FILLING, "mill_npu/a.py": GRIND, "mill_npu/b.py": "oil = wheel\n", "z.py": "def f(): return grind\n"}
    built: list[Index] = []
    for number, order in enumerate((list(files), list(files)[::-1])):
        for end in (5, len(order)):  # in two steps: blobs and scopes get other numbers
            built.append(memory_index({path: files[path] for path in order[:end]}, tmp_path / str(number)))
    try:
        assert built[1].affinity(ASKED) == built[3].affinity(ASKED)
    finally:
        for index in built:
            index.close()


# --- the cache --------------------------------------------------------------------------------------------------------


def blob(key: str, *scopes: ScopeWords) -> BlobFacts:
    return BlobFacts(key, (), {}, (), scopes)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[FactCache]:
    opened = FactCache(tmp_path / "facts.sqlite3")
    yield opened
    opened.close()


def unpacked(cache: FactCache, piece: str) -> dict[str, int]:
    """Scope → how often it has ``piece``."""
    names = {number: name for number, _, name, _ in cache.scopes()}
    found = cache.occurrences(piece)
    assert len(found) == len({one >> COUNT_BITS for one in found})
    return {names[one >> COUNT_BITS]: one & ((1 << COUNT_BITS) - 1) for one in found}


def test_scopes_and_pieces_come_back_as_they_went_in(cache: FactCache) -> None:
    one = blob("1:python", ScopeWords(MODULE_SCOPE, {"grind": 2}), ScopeWords("f", {"grind": 1, "oil": 900}))
    other = blob("2:python", ScopeWords("g", {"oil": 1}))
    cache.store([rows_of(one)])
    cache.store([rows_of(other), rows_of(blob("3:python"))])
    ids = cache.ids(["1:python", "2:python"])
    assert sorted(cache.scopes(), key=lambda row: row[0]) == [
        (1, ids["1:python"], MODULE_SCOPE, 2),
        (2, ids["1:python"], "f", 901),
        (3, ids["2:python"], "g", 1),
    ]
    assert unpacked(cache, "grind") == {MODULE_SCOPE: 2, "f": 1}
    assert unpacked(cache, "oil") == {"f": 63, "g": 1}
    assert unpacked(cache, "rattle") == {}


def test_a_blob_that_is_known_adds_no_scope(cache: FactCache) -> None:
    known = rows_of(blob("1:python", ScopeWords("f", {"oil": 1})))
    cache.store([known])
    cache.store([known, known, rows_of(blob("2:python", ScopeWords("g", {"oil": 1})))])
    assert unpacked(cache, "oil") == {"f": 1, "g": 1}


def test_occurrences_are_in_the_order_of_their_scopes(cache: FactCache) -> None:
    for part in range(12):  # more than nine: parts are numbers, not texts
        blobs = [blob(f"{part}.{n}:python", ScopeWords(f"f{part}_{n}", {"oil": n + 1})) for n in range(3)]
        cache.store(map(rows_of, blobs))
    found = list(cache.occurrences("oil"))
    assert found == sorted(found)
    assert len(found) == 36


DAMAGES = {
    "cut places": "UPDATE piece SET places = substr(places, 1, 11)",
    "text": "UPDATE piece SET places = 'oil'",
    "a number": "UPDATE piece SET places = 7",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_piece_that_no_writer_wrote_is_damage(damage: str, cache: FactCache) -> None:
    cache.store([rows_of(blob(f"{n}:python", ScopeWords("f", {"oil": 1}))) for n in range(3)])
    with sqlite3.connect(cache.path) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(DamagedCacheError):
        cache.occurrences("oil")


OF_SCOPES = (
    "UPDATE scope SET size = 'oil'",
    "UPDATE scope SET qualname = x'ff'",
    "DROP TABLE piece",
    "DROP TABLE scope",
)


@pytest.mark.parametrize("damage", [*DAMAGES.values(), *OF_SCOPES])
def test_an_index_over_damaged_scopes_heals(damage: str, tmp_path: Path) -> None:
    files = {**FILLING, "mill_npu/a.py": GRIND}
    index = memory_index(files, tmp_path)
    expected = index.affinity(ASKED)
    index.close()
    index = memory_index(files, tmp_path)
    try:
        with sqlite3.connect(next(tmp_path.glob("*.sqlite3"))) as connection:
            connection.execute(damage)
        connection.close()
        assert index.affinity(ASKED) == expected
    finally:
        index.close()


def test_nothing_is_read_before_the_first_question() -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    class Unread:
        scopes: Callable[..., None] = refuse
        occurrences: Callable[..., None] = refuse

    Scopes(Unread(), {1: ["a.py"]})  # type: ignore[arg-type]
