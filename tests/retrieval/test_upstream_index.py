"""The index of upstream code: what counts as code, and that its facts never weigh on a downstream look-up."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from retrieval.errors import SourceTreeError
from retrieval.index import open_index
from retrieval.models import EvidenceKind
from retrieval.part_tree import PartTree
from retrieval.upstream_index import is_upstream_code, open_upstream_index
from tests.support.memory_tree import MemoryTree

USES = b"import torch\n\n\ndef turn(wheel):\n    return torch._mill.spin(wheel)\n"
BASE = MemoryTree(
    {
        "torch/_mill/wheel.py": USES,
        "torch/testing/_internal/wheel.py": USES,
        "torch/csrc/wheel.cpp": b"void turn() { spin(); }\n",
        "test/test_wheel.py": USES,
        "torchgen/wheel.py": USES,
    }
)


def test_only_the_python_code_of_the_package_is_indexed(tmp_path: Path) -> None:
    with closing(open_upstream_index(BASE, tmp_path)) as index:
        assert [file.path for file in index.files] == ["torch/_mill/wheel.py"]
        assert {found.path for found in index.named(("spin",), EvidenceKind.REFERENCE)} == {"torch/_mill/wheel.py"}


def test_what_is_not_indexed_cannot_be_read_through_it() -> None:
    code = PartTree(BASE, is_upstream_code)
    assert code.exists("torch/_mill/wheel.py")
    assert not code.exists("test/test_wheel.py")
    with pytest.raises(SourceTreeError):
        code.read("test/test_wheel.py")


def test_facts_lie_apart_from_those_of_a_downstream_tree(tmp_path: Path) -> None:
    with closing(open_upstream_index(BASE, tmp_path)) as index:
        assert index.fact_counts()
    with closing(open_index(MemoryTree({"mill_npu/empty.py": b""}), tmp_path)) as downstream:
        assert downstream.fact_counts() == {"blob": 1, "word": 0}


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    open_upstream_index(BASE, tmp_path).close()
    following = MemoryTree({**BASE.content, "torch/_mill/gear.py": b"x = 1\n"})
    with closing(open_upstream_index(following, tmp_path)) as index:
        assert index.built == (1, 1)
