"""An upstream change as its source gave it: files, hunks, lines."""

from __future__ import annotations

from enum import StrEnum

from retrieval.frozen import Frozen


class FileStatus(StrEnum):
    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    RENAMED = "renamed"
    COPIED = "copied"
    MODE = "mode"  # only the permission bits or the file type changed


class Hunk(Frozen):
    """One ``@@`` block: ``lines`` keep their first character (blank, ``+``, ``-``) and a ``\\r``, not their ``\\n``."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str = ""
    lines: tuple[str, ...]
    old_ends_open: bool = False  # the last old line is the file's last and has no line end
    new_ends_open: bool = False

    @property
    def added(self) -> int:
        return sum(line[:1] == "+" for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line[:1] == "-" for line in self.lines)


class ChangedFile(Frozen):
    """``path`` is the new path (the old one for a deletion); ``old_path`` is set for renames and copies only."""

    path: str
    old_path: str | None = None
    status: FileStatus = FileStatus.MODIFIED
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None
    similarity: int | None = None  # percent, as git printed it

    @property
    def base_path(self) -> str:
        return self.old_path or self.path

    @property
    def added(self) -> int:
        return sum(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> int:
        return sum(hunk.removed for hunk in self.hunks)


class UpstreamChange(Frozen):
    """One upstream pull request, as far as its source could tell.

    ``other_paths`` and ``test_names`` belong to the change although no diff shows them.
    ``diff_complete`` is false when the diff is a part or a reconstruction: then no statement of size may be made.
    """

    number: int | None = None
    title: str = ""
    body: str = ""
    labels: tuple[str, ...] = ()
    merged: bool = False
    reverted: bool = False
    date: str | None = None  # ISO 8601 day
    base_sha: str | None = None
    head_sha: str | None = None
    source: str = ""  # how it was obtained, for people
    files: tuple[ChangedFile, ...] = ()
    other_paths: tuple[str, ...] = ()
    test_names: tuple[str, ...] = ()
    diff_complete: bool = True

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def removed(self) -> int:
        return sum(file.removed for file in self.files)
