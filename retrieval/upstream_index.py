"""An index of the upstream code itself: who uses what inside PyTorch (`retrieval.coupling.consumers`).

Only the Python sources of the ``torch`` package count: tests use everything, and other files name no Python. Facts are
cached by content, so the next upstream revision costs its changed files; and apart from those of downstream trees, of
which there are a third as many: a look-up would have to pass over those of the other tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from retrieval.index import Index, Progress, open_index
from retrieval.models import Language
from retrieval.source_tree import OpenTree, SourceTree, TreeFile, absent
from retrieval.symbols import language_of

_PACKAGE = "torch/"
_TESTS = "torch/testing/"
_FOLDER = "upstream"  # of the cache directory


class UpstreamCode(OpenTree):
    """The part of an upstream tree that is indexed. Closing it leaves the tree open."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree

    @property
    def name(self) -> str:
        return self._tree.name

    @property
    def revision(self) -> str:
        return self._tree.revision

    def files(self) -> Sequence[TreeFile]:
        return self._files

    @cached_property
    def _files(self) -> Sequence[TreeFile]:
        return [file for file in self._tree.files() if _is_indexed(file.path)]

    def read(self, path: str) -> bytes:
        if not _is_indexed(path):
            raise absent(self, path)
        return self._tree.read(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return self._tree.read_many(paths)

    def exists(self, path: str) -> bool:
        return _is_indexed(path) and self._tree.exists(path)


def open_upstream_index(
    base: SourceTree, cache_dir: Path, *, jobs: int | None = None, progress: Progress | None = None
) -> Index:
    """The index of the code of ``base``, the tree before the change. Raises as `retrieval.index.open_index` does."""
    return open_index(UpstreamCode(base), cache_dir / _FOLDER, jobs=jobs, progress=progress)


def _is_indexed(path: str) -> bool:
    return path.startswith(_PACKAGE) and not path.startswith(_TESTS) and language_of(path) is Language.PYTHON
