"""The index of one tree: what is read when, where names lead, what is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.index import Index, open_index
from retrieval.models import EvidenceKind
from retrieval.word_search import lines_with
from tests.support.tree import Files, IndexOf, ReadCountingTree, content, felt, memory_index
from tests.support.values import definition

ALL = tuple(EvidenceKind)
SPIN = definition("spin")
USE = "from torch._mill.gears import spin\nspin(1)\n"


@pytest.fixture
def reads_of(tmp_path: Path) -> Iterator[Callable[[Files], list[str]]]:
    """Opens an index over files and tells which paths that read."""
    opened: list[Index] = []

    def read(files: Files) -> list[str]:
        tree = ReadCountingTree(files)
        opened.append(open_index(tree, tmp_path / "facts", jobs=1))
        return tree.reads

    yield read
    for index in opened:
        index.close()


def test_only_blobs_the_cache_does_not_know_are_read(reads_of: Callable[[Files], list[str]]) -> None:
    files = {"a.py": USE, "b.py": "x = 1\n", "c/d.py": "y = 2\n", "e.txt": "spin\n"}
    assert sorted(reads_of(files)) == ["a.py", "b.py", "c/d.py", "e.txt"]
    assert reads_of(files) == []
    assert reads_of({**files, "b.py": "x = 2\n"}) == ["b.py"]
    assert reads_of({**files, "moved.py": USE}) == []
    assert reads_of({"a.py": USE}) == []
    assert reads_of({"a.txt": USE}) == ["a.txt"]  # the same bytes hold other facts under another language
    assert reads_of({}) == []


def test_an_index_knows_what_it_reused(index_of: IndexOf) -> None:
    files = {"a.py": USE, "same.py": USE, "b.py": "x = 1\n"}
    assert tuple(index_of(files).built) == (0, 2)
    assert tuple(index_of(files).built) == (2, 0)
    assert tuple(index_of({**files, "b.py": "x = 2\n", "a.txt": USE}).built) == (1, 2)
    assert tuple(index_of({}).built) == (0, 0)


def test_facts_of_single_files(index_of: IndexOf) -> None:
    index = index_of({"a.py": USE, "same.py": USE, "b.py": "from torch._mill.gears import stop\n", "c.txt": USE})
    found = index.inside(("same.py", "b.py", "c.txt"), EvidenceKind.IMPORT, EvidenceKind.SUBCLASS)
    assert [(one.path, one.target) for one in found] == [
        ("b.py", "torch._mill.gears.stop"),
        ("same.py", "torch._mill.gears.spin"),
    ]
    assert index.inside((), *ALL) == []


def test_files_by_their_name(index_of: IndexOf) -> None:
    index = index_of(
        {"a/gears.py": "", "b/gears.txt": "", "gears": "", "b/gears.old.py": "", "c/Gears.py": "", "x": ""}
    )
    assert index.files_called(("gears", "nothing", "gears")) == ["a/gears.py", "b/gears.txt", "gears"]
    assert index.files_called(("gears.old",)) == ["b/gears.old.py"]


def test_equal_files_are_read_once_and_found_at_each_path(index_of: IndexOf) -> None:
    files = {"mill_npu/a.py": USE, "mill_npu/b/c.py": USE}
    index = index_of(files)
    found = felt(index, EvidenceKind.REFERENCE, SPIN)
    assert [one.path for one in found] == ["mill_npu/a.py", "mill_npu/b/c.py"]
    assert index.count("spin") == (4, 2)
    assert index.files_with("spin") == 2


def test_equal_relative_imports_mean_another_thing_elsewhere(index_of: IndexOf) -> None:
    source = "from .gears import spin\nspin(1)\n"
    index = index_of({"torch/_mill/a.py": source, "torch/_fan/b.py": source})
    assert {one.path for one in felt(index, EvidenceKind.REFERENCE, SPIN)} == {"torch/_mill/a.py"}


def test_a_text_file_has_words_and_no_facts(index_of: IndexOf) -> None:
    index = index_of({"a.txt": USE, "b.yaml": "spin: 1\n", "c.bin": b"spin\x00"})
    assert index.named(("spin",), *ALL) == []
    assert index.count("spin") == (3, 2)


def test_a_stub_has_facts(index_of: IndexOf) -> None:
    assert felt(index_of({"mill_npu/a.pyi": USE}), EvidenceKind.REFERENCE, SPIN) != []


REEXPORTS = {
    "mill_npu/__init__.py": "from torch._mill.gears import spin, Gear\nimport torch._mill.wheels\nfrom . import sub\n",
    "mill_npu/sub/__init__.py": "from .deep import *\nfrom ..a import loop\n",
    "mill_npu/sub/deep.py": "from torch._mill.gears import stop as halt\n",
    "mill_npu/a.py": "from .b import loop\n",
    "mill_npu/b.py": "from .a import loop\nfrom .b import own\ndef spin(x): ...\n",
    "mill_npu/stars.py": "from torch._mill.gears import *\nfrom torch._mill.wheels import *\n",
    "tools.py": "from mill_npu import spin as turn\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mill_npu.spin", "torch._mill.gears.spin"),
        ("mill_npu.Gear.turn", "torch._mill.gears.Gear.turn"),
        ("tools.turn", "torch._mill.gears.spin"),
        ("mill_npu.sub.halt", "torch._mill.gears.stop"),
        ("mill_npu.sub.deep.halt", "torch._mill.gears.stop"),
        ("mill_npu.torch._mill.wheels.Wheel", "torch._mill.wheels.Wheel"),
        ("mill_npu.b.spin", "mill_npu.b.spin"),
        ("mill_npu.nothing", "mill_npu.nothing"),
        ("mill_npu", "mill_npu"),
        ("mill_npu.stars.spin", "mill_npu.stars.spin"),  # two stars: nobody can tell which brought it
        ("torch._mill.gears.spin", "torch._mill.gears.spin"),
        ("", ""),
    ],
)
def test_names_are_followed_to_where_they_come_from(index_of: IndexOf, name: str, expected: str) -> None:
    assert index_of(REEXPORTS).canonical_name(name) == expected


def test_names_that_circle_end(index_of: IndexOf) -> None:
    index = index_of(REEXPORTS)
    assert index.canonical_name("mill_npu.a.loop") in ("mill_npu.a.loop", "mill_npu.b.loop")
    assert index.canonical_name("mill_npu.b.own") == "mill_npu.b.own"


@pytest.mark.parametrize(
    ("paths", "module", "expected"),
    [
        (("setup.py",), "setup.spin", True),
        (("__init__.py",), "__init__.spin", True),
        (("a-b/c d.py",), "a-b.c d.spin", True),
        (("a/b__init__.py",), "a.b__init__.spin", True),
        (("a.b/c.py",), "a.b.c.spin", True),
        (("a.txt",), "a.spin", False),
    ],
)
def test_modules_at_odd_places(index_of: IndexOf, paths: tuple[str, ...], module: str, expected: bool) -> None:
    index = index_of(dict.fromkeys(paths, "from torch._mill.gears import spin\n"))
    assert index.defines(module) is expected
    assert index.canonical_name(module) == ("torch._mill.gears.spin" if expected else module)


def test_a_file_whose_name_ends_like_a_package_is_none(index_of: IndexOf) -> None:
    index = index_of({"a/b__init__.py": "from .gears import spin\n"})
    assert [one.target for one in index.named(("spin",), EvidenceKind.IMPORT)] == ["a.gears.spin"]


def test_the_stub_of_a_package_is_a_package(index_of: IndexOf) -> None:
    index = index_of({"a/__init__.pyi": "from .gears import spin\n"})
    assert [one.target for one in index.named(("spin",), EvidenceKind.IMPORT)] == ["a.gears.spin"]


def test_of_two_files_with_one_module_name_the_one_python_runs_prevails(index_of: IndexOf) -> None:
    real, other = "from torch._mill.gears import spin\n", "from torch._mill.wheels import spin\n"
    for files in (
        {"a.py": real, "a.pyi": other},
        {"a/__init__.py": real, "a.py": other},
        {"a/__init__.py": real, "a/__init__.pyi": other, "a.pyi": other},
    ):
        assert index_of(files).canonical_name("a.spin") == "torch._mill.gears.spin"


def test_bases_are_told_in_their_order(index_of: IndexOf) -> None:
    index = index_of({"a.py": "class N(Z, m.B, A): ...\nclass Z: ...\nclass A: ...\nimport m\nclass M(A): ...\n"})
    assert [one.fact.name for one in index.bases_of("a.N")] == ["Z", "B", "A"]
    assert index.bases_of("torch.N") == ()


COUNTED: Files = {
    "a.py": "gears.spin(spin)\ngearsXspin\n# gears.spin 12\n",
    "b.cpp": "gears::spin gears . spin\nxgears.spin gears.spin\n",
    "c.md": "创建gears.spin选项\nspin\n版本 12\n",
    "d.py": "gears.spin(spin)\ngearsXspin\n# gears.spin 12\n",
    "e.bin": b"spin gears.spin\x00",
}


@pytest.mark.parametrize(
    "pattern",
    [
        "spin",
        "gears",
        "gears.spin",
        "gears::spin",
        "gears . spin",
        "spin(spin",
        "12",
        "# gears.spin 12",
        "版本",
        "版本 12",
        "zzz",
        "a.b",
    ],
)
def test_counts_equal_a_search_through_every_file(index_of: IndexOf, pattern: str) -> None:
    found = [len(lines_with(data, pattern)) for data in content(COUNTED).values()]
    assert index_of(COUNTED).count(pattern) == (sum(found), sum(map(bool, found)))


def test_a_single_word_is_counted_without_reading(tmp_path: Path) -> None:
    tree = ReadCountingTree(COUNTED)
    index = open_index(tree, tmp_path, jobs=1)
    try:
        tree.reads.clear()
        assert index.count("spin") == (8, 4)
        assert tree.reads == []
        index.count("gears.spin")
        assert sorted(tree.reads) == ["a.py", "b.cpp", "c.md"]  # one reading per content
    finally:
        index.close()


def test_facts_below_a_module(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import spin\nfrom torch._mill.gears_more import x\nfrom torch._mill import gears\n"
    found = index_of({"a.py": source}).under("torch._mill.gears", EvidenceKind.IMPORT)
    assert [one.target for one in found] == ["torch._mill.gears.spin", "torch._mill.gears"]


def test_answers_do_not_depend_on_how_the_index_was_built(tmp_path: Path) -> None:
    source = (
        "try:\n    from torch._mill.gears import spin\nexcept E:\n    from torch._mill.wheels import spin\nspin(spin)\n"
    )
    files = {f"mill_npu/m{n}.py": f"{source}# {n % 7}\n" for n in range(30)}
    first, second = dict(list(files.items())[15:]), files
    one = memory_index(first, tmp_path / "one")
    one.close()
    one, two = memory_index(second, tmp_path / "one"), memory_index(second, tmp_path / "two")
    try:
        assert one.named(("spin",), *ALL) == two.named(("spin",), *ALL)
        assert one.fact_counts() == two.fact_counts()
    finally:
        one.close()
        two.close()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    files = {f"m{n}.py": f"x = {n}\n" for n in range(30)}
    index = open_index(
        ReadCountingTree(files), tmp_path, jobs=1, progress=lambda done, total: told.append((done, total))
    )
    index.close()
    assert told[-1] == (30, 30)
    assert told == sorted(told)
