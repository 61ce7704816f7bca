"""The facts cache: shared, killed, damaged and forbidden."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.cache_files import cache_file
from retrieval.coupling.facts import Fact, Shape
from retrieval.errors import DamagedCacheError
from retrieval.extraction import Blob, extract_all
from retrieval.fact_cache import FactCache, latest_generation
from retrieval.fact_rows import BlobFacts, BlobRows, rows_of
from retrieval.index import Index, open_index
from retrieval.models import CouplingDetail, EvidenceKind, Language, ParameterKind
from tests.support.processes import python
from tests.support.tree import ReadCountingTree, lay, memory_index

ROOT = Path(__file__).parents[2]
ALL = tuple(EvidenceKind)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SOURCE = """
from torch._mill import gears, config
from torch._mill.gears import Gear, spin as s{n}

class N{n}(Gear):
    def turn(self, x, *, quiet=False):
        return super().turn(x)

def f{n}(k: Gear):
    config.turbo = True
    return s{n}(k.turn({n}), gears.stop)

gears.Gear.turn = f{n}

def {own}_oil(): ...
"""


def sources(count: int) -> dict[str, str]:
    return {f"mill_npu/p{n % 7}/m{n}.py": SOURCE.format(n=n, own=3 * LETTERS[n % 26]) for n in range(count)}


def answers(index: Index) -> Sequence[object]:
    """Everything worth asking of an index over `sources`."""
    names = ("Gear", "turn", "spin", "stop", "gears", "turbo", "config", "_mill")
    found = [index.named((name,), kind) for name in names for kind in ALL]
    words = ("Gear", "turn", "spin", "super", "f3", "N5", "zzz", "gears.Gear")
    return [
        found,
        index.under("torch._mill", *ALL),
        [index.count(word) for word in words],
        index.bases_of("mill_npu.p3.m3.N3"),
        index.affinity({"aaa": 1.0, "bbb": 0.5, "lll": 0.5, "oil": 1.0, "turn": 1.0}),
    ]


@pytest.fixture
def close() -> Iterator[Callable[[Index], Index]]:
    """Hands an index through and closes it at the end."""
    opened: list[Index] = []

    def later(index: Index) -> Index:
        opened.append(index)
        return index

    yield later
    for index in opened:
        index.close()


BUILD = """
import sys
from pathlib import Path
from retrieval.index import open_index
from retrieval.source_tree import open_tree
open_index(open_tree(Path(sys.argv[1])), Path(sys.argv[2]), jobs=1).close()
"""


# --- values ----------------------------------------------------------------------------------------------------------


def test_facts_come_back_as_they_went_in(tmp_path: Path) -> None:
    facts = (
        Fact(EvidenceKind.REFERENCE, "spin", "torch.spin", "f", (1, 22, 333), "spin"),
        Fact(
            EvidenceKind.PATCH,
            "turn",
            "..a.创建",
            "<module>",
            (1,),
            "turn",
            owner="@.f",
            shape=(Shape("x", ParameterKind.KEYWORD_ONLY, True),),
            detail=CouplingDetail(calls_original=False, operators=("aten.spin",)),
        ),
        Fact(EvidenceKind.FORK, "f", "@.f", "f", (1,), "f", shape=(), span=(1, 9)),
    )
    cache = FactCache(tmp_path / "deep" / "facts.sqlite3")
    cache.store([rows_of(BlobFacts("a:python", facts, {"spin": 2, "turn": 1}))])
    (blob,) = cache.ids(["a:python", "b:python"]).values()
    for fact in facts:
        assert cache.named((fact.name,), ALL) == [(blob, fact)]
    assert cache.word_lines("spin") == {blob: 2}
    assert cache.word_lines("zzz") == {}
    cache.close()


def test_a_blob_is_stored_once(tmp_path: Path) -> None:
    cache = FactCache(tmp_path / "facts.sqlite3")
    blob = rows_of(BlobFacts("a:python", (Fact(EvidenceKind.REFERENCE, "x", "y.x", "f", (1,), "x"),), {"x": 1}))
    cache.store([blob, blob])
    cache.store([blob])
    assert cache.counts() == {"reference": 1, "blob": 1, "word": 1}
    cache.close()


def test_many_names_are_asked_in_batches(tmp_path: Path) -> None:
    cache = FactCache(tmp_path / "facts.sqlite3")
    blobs = [
        rows_of(BlobFacts(f"{n}:python", (Fact(EvidenceKind.IMPORT, f"n{n}", "x", "f", (1,), "x"),), {}))
        for n in range(2000)
    ]
    cache.store(blobs)
    assert len(cache.ids([blob.key for blob in blobs])) == 2000
    assert len(cache.named([f"n{n}" for n in range(2000)], (EvidenceKind.IMPORT,))) == 2000
    cache.close()


def test_a_batch_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def blobs() -> Iterator[BlobRows]:
        yield BlobRows("a:python", (), [("x", 1)])
        raise RuntimeError("the reader broke")

    cache = FactCache(tmp_path / "facts.sqlite3")
    with pytest.raises(RuntimeError):
        cache.store(blobs())
    assert cache.ids(["a:python"]) == {}
    cache.store([BlobRows("b:python", (), ())])
    assert set(cache.ids(["a:python", "b:python"])) == {"b:python"}
    cache.close()


# --- processes -------------------------------------------------------------------------------------------------------


def test_a_pool_finds_what_one_process_finds(tmp_path: Path, close: Callable[[Index], Index]) -> None:
    files = sources(130)
    alone = close(memory_index(files, tmp_path / "one", jobs=1))
    pooled = close(memory_index(files, tmp_path / "two", jobs=2))
    assert answers(alone) == answers(pooled)
    assert alone.fact_counts() == pooled.fact_counts()


def test_a_pool_does_not_take_the_whole_tree_into_memory() -> None:
    taken, binary = 0, bytes(400_000)

    def blobs() -> Iterator[Blob]:
        nonlocal taken
        for n in range(400):
            taken += 1
            yield Blob(f"{n}:other", Language.OTHER, binary)

    found = extract_all(blobs(), 400, 2, lambda count: None)
    next(iter(found))
    assert taken < 300
    assert 1 + sum(len(batch) for batch in found) == 400


def test_large_files_are_begun_first_and_small_ones_go_together() -> None:
    sizes = [10, 300_000, 20, 150_000, 30]
    blobs = (Blob(f"{size}:other", Language.OTHER, b"\0" * size) for size in sizes)
    batches = extract_all(blobs, len(sizes), 1, lambda count: None)
    assert [[blob.key for blob in batch] for batch in batches] == [
        ["300000:other"],
        ["150000:other"],
        ["30:other", "20:other", "10:other"],
    ]


def test_two_processes_build_one_tree_at_once(tmp_path: Path, close: Callable[[Index], Index]) -> None:
    folder = lay(tmp_path / "tree", sources(80))
    builders = [python(BUILD, str(folder), str(tmp_path / "shared")) for _ in range(3)]
    errors = [builder.communicate()[1] for builder in builders]
    assert errors == [b"", b"", b""]
    tree = ReadCountingTree(sources(80))
    shared = close(open_index(tree, tmp_path / "shared", jobs=1))
    assert tree.reads == []
    serial = close(memory_index(sources(80), tmp_path / "serial"))
    assert answers(shared) == answers(serial)
    assert shared.fact_counts() == serial.fact_counts()


def test_a_killed_builder_leaves_a_cache_that_can_be_used(tmp_path: Path, close: Callable[[Index], Index]) -> None:
    folder = lay(tmp_path / "tree", sources(80))
    slow = BUILD.replace(
        "open_index(",
        "import retrieval.fact_cache as c, retrieval.index as i, time\n"
        "i._STORED_AT_ONCE = 10\n"
        "store = c.FactCache.store\n"
        "def slowly(self, blobs):\n"
        "    store(self, blobs); print('stored', flush=True); time.sleep(0.2)\n"
        "c.FactCache.store = slowly\n"
        "open_index(",
    )
    for _ in range(2):
        builder = python(slow, str(folder), str(tmp_path / "facts"))
        assert builder.stdout is not None
        assert builder.stdout.readline() == b"stored\n"
        builder.send_signal(signal.SIGKILL)
        builder.communicate()
    tree = ReadCountingTree(sources(80))
    index = close(open_index(tree, tmp_path / "facts", jobs=1))
    assert 0 < len(tree.reads) < 80  # what the killed ones had stored is kept
    assert answers(index) == answers(close(memory_index(sources(80), tmp_path / "other")))


def test_a_builder_killed_inside_a_transaction_is_rolled_back(tmp_path: Path, close: Callable[[Index], Index]) -> None:
    script = """
import os, signal, sys
from pathlib import Path
from retrieval.fact_cache import FactCache
from retrieval.fact_rows import BlobRows
from retrieval.cache_files import cache_file
def blobs():
    yield BlobRows("half:python", [], [(f"w{n}", 1) for n in range(50_000)])
    os.kill(os.getpid(), signal.SIGKILL)
FactCache(cache_file(Path(sys.argv[1]))).store(blobs())
"""
    python(script, str(tmp_path)).communicate()
    index = close(memory_index(sources(3), tmp_path))
    assert index.fact_counts()["blob"] == 3
    assert index.count("w7") == (0, 0)


# --- damage ----------------------------------------------------------------------------------------------------------


def _overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "rubbish": lambda path: path.write_bytes(b"no database at all" * 1000),
    "header gone": lambda path: _overwrite(path, 0, bytes(100)),
    "first page gone": lambda path: _overwrite(path, 0, bytes(4096)),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "cut inside a page": lambda path: os.truncate(path, path.stat().st_size // 2 + 1000),
    "cut to one byte": lambda path: os.truncate(path, 1),
    "middle gone": lambda path: _overwrite(path, 8192, bytes(path.stat().st_size - 8192)),
    "middle rubbish": lambda path: _overwrite(path, 8192, os.urandom(path.stat().st_size - 8192)),
    "another database": lambda path: _another_database(path),
}


def _another_database(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE fact (a, b); CREATE TABLE blob (id, x); INSERT INTO fact VALUES (1, 2);")
    connection.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[object]]:
    """A finished cache of 12 files, and what it answers."""
    folder = tmp_path_factory.mktemp("built")
    index = memory_index(sources(12), folder)
    found = answers(index)
    index.close()
    return cache_file(folder), found


def _copy(built: Path, folder: Path) -> Path:
    folder.mkdir(parents=True)
    return Path(shutil.copy(built, folder / built.name))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_cache_is_built_again(
    damage: Callable[[Path], object],
    built: tuple[Path, Sequence[object]],
    tmp_path: Path,
    close: Callable[[Index], Index],
) -> None:
    path, expected = built
    damage(_copy(path, tmp_path / "facts"))
    assert answers(close(memory_index(sources(12), tmp_path / "facts"))) == expected
    tree = ReadCountingTree(sources(12))
    again = close(open_index(tree, tmp_path / "facts", jobs=1))
    assert tree.reads == []
    assert answers(again) == expected


@pytest.mark.parametrize("filling", [bytes(4096), b"\xff" * 4096], ids=["zeros", "ones"])
def test_damage_of_any_page_never_changes_an_answer(
    filling: bytes, built: tuple[Path, Sequence[object]], tmp_path: Path
) -> None:
    path, expected = built
    pages = path.stat().st_size // 4096
    for page in range(0, pages, max(1, pages // 12)):
        folder = tmp_path / f"page{page}"
        _overwrite(_copy(path, folder), page * 4096, filling)
        index = memory_index(sources(12), folder)
        assert answers(index) == expected, f"page {page} of {pages}"
        index.close()


def test_damage_that_shows_in_the_middle_of_work_heals(tmp_path: Path) -> None:
    tree = ReadCountingTree(sources(12))
    index = open_index(tree, tmp_path, jobs=1)
    expected = answers(index)
    path = cache_file(tmp_path)
    index.close()
    index = open_index(tree, tmp_path, jobs=1)
    tree.reads.clear()
    _overwrite(path, 4096, os.urandom(path.stat().st_size - 4096))
    assert answers(index) == expected
    assert len(tree.reads) >= 12
    index.close()
    assert latest_generation(path) != path
    assert not path.exists()


def test_two_processes_repair_one_damaged_cache(
    built: tuple[Path, Sequence[object]], tmp_path: Path, close: Callable[[Index], Index]
) -> None:
    path, expected = built
    folder = lay(tmp_path / "tree", sources(12))
    DAMAGES["middle rubbish"](_copy(path, tmp_path / "facts"))
    builders = [python(BUILD, str(folder), str(tmp_path / "facts")) for _ in range(3)]
    assert [builder.communicate()[1] for builder in builders] == [b"", b"", b""]
    assert answers(close(memory_index(sources(12), tmp_path / "facts"))) == expected


def test_a_reader_keeps_its_answers_while_another_process_starts_over(tmp_path: Path) -> None:
    reader = memory_index(sources(10), tmp_path)
    expected = answers(reader)
    other = FactCache(cache_file(tmp_path))
    other.start_over()
    assert other.counts()["blob"] == 0
    assert answers(reader) == expected
    other.store([BlobRows("x:python", (), [("x", 1)])])
    reader.close()
    assert other.counts()["blob"] == 1
    other.close()
    again = FactCache(cache_file(tmp_path))
    assert again.counts()["blob"] == 1
    again.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("lines", "1,x"),
        ("lines", ""),
        ("shape", "{"),
        ("shape", "z1x"),
        ("shape", "b2x"),
        ("detail", "[]"),
        ("last", "x"),
    ],
)
def test_a_row_that_no_writer_wrote_is_damage(column: str, value: str, tmp_path: Path) -> None:
    cache = FactCache(tmp_path / "facts.sqlite3")
    fact = Fact(EvidenceKind.IMPORT, "x", "y.x", "f", (1,), "x", span=(1, 2))
    cache.store([rows_of(BlobFacts("a:python", (fact,), {}))])
    cache.close()
    connection = sqlite3.connect(tmp_path / "facts.sqlite3", isolation_level=None)
    connection.execute(f"UPDATE fact SET {column} = ?", (value,))
    connection.close()
    cache = FactCache(tmp_path / "facts.sqlite3")
    with pytest.raises(DamagedCacheError):
        cache.named(("x",), ALL)
    cache.close()
