"""A source tree held in memory, for tests that need no files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from retrieval.folder_tree import blob_id
from retrieval.source_tree import OpenTree, TreeFile, absent


class MemoryTree(OpenTree):
    name = "memory"
    revision = "memory:0"

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.content = dict(files)

    def files(self) -> Sequence[TreeFile]:
        return tuple(sorted(TreeFile(path, blob_id(content)) for path, content in self.content.items()))

    def exists(self, path: str) -> bool:
        return path in self.content

    def read(self, path: str) -> bytes:
        if path not in self.content:
            raise absent(self, path)
        return self.content[path]

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            yield path, self.read(path)
