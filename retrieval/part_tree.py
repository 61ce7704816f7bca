"""A part of a tree, which reads like a tree of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from retrieval.source_tree import OpenTree, SourceTree, TreeFile, absent


class PartTree(OpenTree):
    """The files of ``tree`` whose path ``holds`` says yes to. Closing it leaves the tree open."""

    def __init__(self, tree: SourceTree, holds: Callable[[str], bool]) -> None:
        self._tree = tree
        self._holds = holds

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
        return [file for file in self._tree.files() if self._holds(file.path)]

    def read(self, path: str) -> bytes:
        if not self._holds(path):
            raise absent(self, path)
        return self._tree.read(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return self._tree.read_many(paths)

    def exists(self, path: str) -> bool:
        return self._holds(path) and self._tree.exists(path)
