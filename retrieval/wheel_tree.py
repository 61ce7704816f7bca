"""A wheel as a source tree: the ``.whl`` file itself, or the folder it was unpacked to.

The revision is ``<Name> <Version>`` of its METADATA. The ``*.dist-info`` folder describes the installation and is no
source: it is left out, as are compiled libraries (see ``folder_tree``), which a torch wheel is mostly made of. An
unpacked wheel is a folder that holds exactly one ``*.dist-info``; ``site-packages`` holds many and is a plain folder.
"""

from __future__ import annotations

import email.parser
import os
import stat
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from retrieval import words
from retrieval.errors import SourceTreeError
from retrieval.folder_tree import FolderTree, blob_id, is_source
from retrieval.source_tree import OpenTree, TreeFile, absent, is_tree_path

_METADATA_SUFFIX = ".dist-info"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)


def metadata_folder(folder: Path) -> Path | None:
    """The one ``*.dist-info`` of an unpacked wheel, None when ``folder`` is none."""
    found = list(folder.glob(f"*{_METADATA_SUFFIX}"))
    return found[0] if len(found) == 1 and (found[0] / "METADATA").is_file() else None


def _identity(location: Path, metadata: bytes) -> tuple[str, str]:
    headers = email.parser.BytesHeaderParser().parsebytes(metadata)
    name, version = headers["Name"], headers["Version"]
    if not name or not version:
        raise SourceTreeError(str(location), words.WHEEL_NO_METADATA)
    return str(name).strip(), str(version).strip()


def _is_listed(path: str) -> bool:
    return is_source(path) and not path.partition("/")[0].endswith(_METADATA_SUFFIX)


class UnpackedWheelTree(FolderTree):
    """Raises ``SourceTreeError`` when METADATA is missing or names no version."""

    def __init__(self, location: Path) -> None:
        super().__init__(location)
        folder = metadata_folder(location)
        if folder is None:
            raise SourceTreeError(str(location), words.WHEEL_NO_METADATA)
        try:
            self._name, self._version = _identity(location, (folder / "METADATA").read_bytes())
        except OSError as error:
            raise SourceTreeError(str(folder), words.unreadable(error.strerror or str(error))) from error

    @property
    def name(self) -> str:
        return self._name

    @cached_property
    def revision(self) -> str:
        return f"{self._name} {self._version}"

    def _listable(self, path: str) -> bool:
        return _is_listed(path)


class WheelTree(OpenTree):
    """A ``.whl`` read in place. Each process has its own handle, one lock serves the threads of a process."""

    def __init__(self, location: Path) -> None:
        self.location = location
        self._lock = threading.Lock()
        self._archive: zipfile.ZipFile | None = None
        self._owner = os.getpid()
        metadata = [
            path for path in self._entries if path.endswith(f"{_METADATA_SUFFIX}/METADATA") and path.count("/") == 1
        ]
        if len(metadata) != 1:
            raise SourceTreeError(str(location), words.WHEEL_NO_METADATA)
        self._name, self._version = _identity(location, self._content(metadata[0]))

    def __reduce__(self) -> tuple[type[WheelTree], tuple[Path]]:
        return WheelTree, (self.location,)

    @property
    def name(self) -> str:
        return self._name

    @property
    def revision(self) -> str:
        return f"{self._name} {self._version}"

    @cached_property
    def _entries(self) -> dict[str, zipfile.ZipInfo]:
        """Regular entries by path, the metadata included. A path that leaves the wheel makes it a broken one."""
        found = {}
        with self._guard():
            for entry in self._open().infolist():
                if entry.is_dir() or stat.S_ISLNK(entry.external_attr >> 16):
                    continue
                if not is_tree_path(entry.filename):
                    raise SourceTreeError(f"{self.location}:{entry.filename}", words.TREE_PATH_ESCAPES)
                found[entry.filename] = entry
        return found

    @cached_property
    def _files(self) -> tuple[TreeFile, ...]:
        return tuple(TreeFile(path, blob_id(self._content(path))) for path in sorted(self._entries) if _is_listed(path))

    def files(self) -> Sequence[TreeFile]:
        return self._files

    def exists(self, path: str) -> bool:
        return path in self._entries and _is_listed(path)

    def read(self, path: str) -> bytes:
        if not self.exists(path):
            raise absent(self, path)
        return self._content(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            yield path, self.read(path)

    def close(self) -> None:
        """Closes the file; a later read opens it again."""
        with self._guard():
            if self._archive is not None:
                self._archive.close()
                self._archive = None

    def _guard(self) -> threading.Lock:
        """The lock of this process. After a fork the inherited one may be held, and the file offset is shared."""
        if self._owner != os.getpid():
            self._lock, self._owner, self._archive = threading.Lock(), os.getpid(), None
        return self._lock

    def _open(self) -> zipfile.ZipFile:
        if self._archive is None:
            try:
                self._archive = zipfile.ZipFile(self.location)
            except OSError as error:
                raise SourceTreeError(str(self.location), words.unreadable(error.strerror or str(error))) from error
            except _BROKEN as error:
                raise SourceTreeError(str(self.location), words.WHEEL_BROKEN) from error
        return self._archive

    def _content(self, path: str) -> bytes:
        entry = self._entries[path]
        where = f"{self.location}:{path}"
        if entry.flag_bits & 0x1:
            raise SourceTreeError(where, words.WHEEL_ENCRYPTED)
        with self._guard():
            try:
                return self._open().read(entry)
            except OSError as error:
                raise SourceTreeError(where, words.unreadable(error.strerror or str(error))) from error
            except _BROKEN as error:
                raise SourceTreeError(where, words.WHEEL_BROKEN) from error
