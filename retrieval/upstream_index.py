"""An index of the upstream code itself: who uses what inside PyTorch (`retrieval.coupling.consumers`).

Only the Python sources of the ``torch`` package count: tests use everything, and other files name no Python. Facts are
cached by content, so the next upstream revision costs its changed files; and apart from those of downstream trees, of
which there are a third as many: a look-up would have to pass over those of the other tree.
"""

from __future__ import annotations

from pathlib import Path

from retrieval.index import Index, Progress, open_index
from retrieval.models import Language
from retrieval.part_tree import PartTree
from retrieval.source_tree import SourceTree
from retrieval.symbols import language_of

_PACKAGE = "torch/"
_TESTS = "torch/testing/"
_FOLDER = "upstream"  # of the cache directory


def open_upstream_index(
    base: SourceTree, cache_dir: Path, *, jobs: int | None = None, progress: Progress | None = None
) -> Index:
    """The index of the code of ``base``, the tree before the change. Raises as `retrieval.index.open_index` does."""
    return open_index(PartTree(base, is_upstream_code), cache_dir / _FOLDER, jobs=jobs, progress=progress)


def is_upstream_code(path: str) -> bool:
    return path.startswith(_PACKAGE) and not path.startswith(_TESTS) and language_of(path) is Language.PYTHON
