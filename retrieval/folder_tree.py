"""A plain folder as a source tree.

Blob ids are computed the git way over the bytes as they lie on disk. They are not cached: hashing 2,474 files of
19 MB takes a quarter of a second, and a cache by size and time would be wrong after a checkout within one clock tick.
Symbolic links are never followed, neither as files nor as folders nor on the way to a file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from retrieval import words
from retrieval.errors import SourceTreeError
from retrieval.source_tree import OpenTree, TreeFile, absent, is_tree_path

_SKIPPED_NAMES = frozenset({".git", "__pycache__"})
#: Byte code and compiled libraries: hundreds of megabytes in an installed torch, and never read as source.
_COMPILED = (".pyc", ".pyo", ".so", ".dylib", ".dll", ".pyd", ".a", ".lib", ".o", ".obj")


def blob_id(content: bytes) -> str:
    """The id that ``git hash-object`` prints for ``content``."""
    digest = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()


def is_source(path: str) -> bool:
    """False for repository data, byte code and compiled libraries, by name."""
    return not path.endswith(_COMPILED) and not _SKIPPED_NAMES.intersection(path.split("/"))


class FolderTree(OpenTree):
    """``location`` itself may be a symbolic link to a folder."""

    def __init__(self, location: Path) -> None:
        self.location = location
        self._root = str(location.resolve())

    def __reduce__(self) -> tuple[type[FolderTree], tuple[Path]]:
        return type(self), (self.location,)

    @property
    def name(self) -> str:
        return Path(self._root).name

    @cached_property
    def revision(self) -> str:
        digest = hashlib.sha256()
        for path, blob in self.files():
            digest.update(f"{path}\0{blob}\n".encode())
        return f"folder:{digest.hexdigest()[:12]}"

    @cached_property
    def _listing(self) -> tuple[tuple[TreeFile, ...], int]:
        listed, unnamed = [], 0
        for path in self._walk():
            if path.isascii() or _is_utf8(path):
                listed.append(TreeFile(path, blob_id(self._content(path))))
            else:
                unnamed += 1
        return tuple(sorted(listed)), unnamed

    @property
    def unnamed(self) -> int:
        """Files left out because their name is not UTF-8."""
        return self._listing[1]

    def files(self) -> Sequence[TreeFile]:
        return self._listing[0]

    def exists(self, path: str) -> bool:
        # Every folder on the way must be a real one: a link could lead out of the tree.
        if not is_tree_path(path) or not self._listable(path):
            return False
        full = os.path.join(self._root, path)  # noqa: PTH118 - pathlib would normalise
        return os.path.isfile(full) and os.path.realpath(full) == full  # noqa: PTH113

    def read(self, path: str) -> bytes:
        if not self.exists(path):
            raise absent(self, path)
        return self._content(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            yield path, self.read(path)

    def _listable(self, path: str) -> bool:
        return is_source(path)

    def _walk(self) -> Iterator[str]:
        folders = [""]
        while folders:
            folder = folders.pop()
            try:
                with os.scandir(f"{self._root}/{folder}") as entries:
                    for entry in entries:
                        path = f"{folder}{entry.name}"
                        if not self._listable(path):
                            continue
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(f"{path}/")
                        elif entry.is_file(follow_symlinks=False):
                            yield path
            except OSError as error:
                raise self._unreadable(folder, error) from error

    def _content(self, path: str) -> bytes:
        try:
            with open(f"{self._root}/{path}", "rb") as file:  # noqa: PTH123 - a Path per file costs more than the read
                return file.read()
        except OSError as error:
            raise self._unreadable(path, error) from error

    def _unreadable(self, path: str, error: OSError) -> SourceTreeError:
        where = os.fsencode(f"{self._root}/{path}").decode("utf-8", "replace")
        return SourceTreeError(where, words.unreadable(error.strerror or str(error)))


def _is_utf8(path: str) -> bool:
    """Undecodable bytes of a file name arrive as lone surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
