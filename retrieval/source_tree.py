"""One way to read a tree of sources, wherever it lies: a git revision, a plain folder, a wheel.

Contract of every tree:

* ``files()`` lists regular files only, sorted by path. Symbolic links, submodules, ``.git``, byte code and compiled
  libraries are no sources and are left out; so are files whose name is not UTF-8, counted in ``unnamed``.
* ``blob`` is the id git gives to the content, in all kinds of tree, so equal content has equal ids everywhere.
  Bytes count as they are stored (git) or as they lie on disk (folder): no line-end conversion.
* ``revision`` names exactly what was read, for records that must be reproducible.
* A path is POSIX and relative to the root. ``read`` of anything that is no listed file, a path that leaves the tree
  included, is a ``SourceTreeError``; ``exists`` answers False.
* Trees can be read from several threads, survive ``fork`` and can be pickled to worker processes.

The trap: a folder is read when asked, not when listed. It must hold still during a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from retrieval import words
from retrieval.errors import SourceTreeError


class TreeFile(NamedTuple):
    """``blob`` is git's content hash in hex (SHA-1; in a SHA-256 repository that one's)."""

    path: str
    blob: str


class SourceTree(Protocol):
    """What every tree offers; see the module for the contract."""

    @property
    def name(self) -> str:
        """Name for people: folder or distribution name."""
        ...

    @property
    def revision(self) -> str:
        """Full commit id, ``folder:<12 hex>`` over paths and blobs, or ``torch-npu 2.13.0``."""
        ...

    def files(self) -> Sequence[TreeFile]: ...

    def read(self, path: str) -> bytes: ...

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """``(path, content)`` in the order asked for."""
        ...

    def exists(self, path: str) -> bool: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_tree(location: Path, revision: str | None = None) -> SourceTree:
    """The tree at ``location``: git work tree or bare directory, wheel, unpacked wheel, or plain folder.

    A git repository is read at ``revision``, ``HEAD`` when none is given: uncommitted changes are not seen. The others
    have no revisions; giving one is an error. A folder inside a work tree is a plain folder.
    """
    # The kinds of tree build on this module.
    from retrieval.folder_tree import FolderTree
    from retrieval.git_tree import GitTree
    from retrieval.wheel_tree import UnpackedWheelTree, WheelTree, metadata_folder

    try:
        is_folder = location.is_dir()
        if not is_folder and not location.exists():
            raise SourceTreeError(str(location), words.TREE_MISSING)
        if is_folder and is_repository(location):
            return GitTree(location, revision)
        if revision is not None:
            raise SourceTreeError(str(location), words.TREE_REVISION_WITHOUT_GIT)
        if is_folder:
            return UnpackedWheelTree(location) if metadata_folder(location) else FolderTree(location)
    except OSError as error:
        raise SourceTreeError(str(location), words.unreadable(error.strerror or str(error))) from error
    if location.suffix == ".whl":
        return WheelTree(location)
    raise SourceTreeError(str(location), words.TREE_NOT_A_FOLDER)


def is_repository(folder: Path) -> bool:
    """A work tree (``.git`` is a folder, or a file in linked work trees and submodules) or a git directory."""
    return (folder / ".git").exists() or (
        (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    )


def is_tree_path(path: str) -> bool:
    """Is ``path`` relative, POSIX and inside its tree by its looks alone?"""
    return bool(path) and "\0" not in path and all(part not in ("", ".", "..") for part in path.split("/"))


def absent(tree: SourceTree, path: str) -> SourceTreeError:
    """The error of ``read`` for a path that names no file of ``tree``."""
    reason = words.TREE_FILE_ABSENT if is_tree_path(path) else words.TREE_PATH_ESCAPES
    return SourceTreeError(f"{tree.name}:{path}", reason)


class OpenTree:
    """The part all kinds of tree share: a tree is its own context manager."""

    def close(self) -> None:
        """Nothing is held open between calls."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
