"""A git repository at one commit, read from its object database: no checkout, nothing written.

The listing is one ``ls-tree``; contents come through one persistent ``cat-file --batch`` (see ``git_objects`` for
threads and ``fork``). Line ends and filters of a checkout do not apply: the bytes are those that were committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from retrieval.git_objects import ObjectReader
from retrieval.git_repository import GitRepository
from retrieval.source_tree import OpenTree, TreeFile, absent


class GitTree(OpenTree):
    """Raises ``SourceTreeError`` at once when the repository or the revision cannot be read."""

    def __init__(self, location: Path, revision: str | None = None) -> None:
        self.location = location
        self.repository = GitRepository(location)
        self.revision = self.repository.resolve(revision or "HEAD")
        folder = location.resolve()
        self.name = (folder.parent if folder.name == ".git" else folder).name.removesuffix(".git")
        self._objects = ObjectReader(self.repository)

    def __reduce__(self) -> tuple[type[GitTree], tuple[Path, str]]:
        return GitTree, (self.location, self.revision)

    @cached_property
    def _listing(self) -> tuple[tuple[TreeFile, ...], int]:
        listed, unnamed = [], 0
        for entry in self.repository.run("ls-tree", "-r", "-z", "--full-tree", self.revision).split(b"\0"):
            about, _, path = entry.partition(b"\t")
            if not about.startswith(b"100"):  # 120000 is a link, 160000 a submodule
                continue
            try:
                listed.append(TreeFile(path.decode(), about.split()[2].decode()))
            except UnicodeDecodeError:
                unnamed += 1
        return tuple(sorted(listed)), unnamed

    @cached_property
    def _blobs(self) -> dict[str, str]:
        return dict(self._listing[0])

    @property
    def unnamed(self) -> int:
        """Files left out because their name is not UTF-8."""
        return self._listing[1]

    def files(self) -> Sequence[TreeFile]:
        return self._listing[0]

    def exists(self, path: str) -> bool:
        return path in self._blobs

    def read(self, path: str) -> bytes:
        return self._objects.read(self._blob(path))

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        wanted = list(paths)
        yield from zip(wanted, self._objects.read_many([self._blob(path) for path in wanted]), strict=True)

    def close(self) -> None:
        self._objects.close()

    def _blob(self, path: str) -> str:
        blob = self._blobs.get(path)
        if blob is None:
            raise absent(self, path)
        return blob
