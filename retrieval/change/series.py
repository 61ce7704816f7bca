"""Several diffs, applied one after the other, as one set of changed files.

A pull request downloaded as ``.patch`` is one mail per commit, and commits touch the same files again. Counting each
would count lines twice and report what a later commit took back, so the parts are folded into their net effect.

Within one part all sections start from the same tree: two of them may swap names. A part ends where the text says so
(a mail), or where a file is changed that the part already changed, which happens when diffs are pasted together. The
one exception is a file that changes its type: git writes it as a deletion and an addition of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval import words
from retrieval.change.diff_parser import Section
from retrieval.change.hunk_composition import ComposeError, compose
from retrieval.errors import ChangeError
from retrieval.models import ChangedFile, FileStatus, Hunk

_ONE_SIDED = (FileStatus.ADDED, FileStatus.DELETED)
_LEAVING = (FileStatus.RENAMED, FileStatus.DELETED)


def net_files(parts: Iterable[Sequence[Section]], source: str) -> tuple[ChangedFile, ...]:
    """The net effect of ``parts``, files in the order of their first appearance.

    Raises ``ChangeError`` at the line of a section that does not fit what came before it.
    """
    net: list[ChangedFile] = []
    for part in parts:
        for step in _steps(part):
            net = _apply(net, step, source)
    return tuple(net)


def _steps(part: Sequence[Section]) -> list[list[Section]]:
    """``part`` cut where a section starts from a file that an earlier section of the same step already changed."""
    steps: list[list[Section]] = [[]]
    left: dict[str, FileStatus] = {}
    arrived: set[str] = set()
    for section in part:
        file = section.file
        leaves = file.status not in (FileStatus.ADDED, FileStatus.COPIED)
        retyped = file.status is FileStatus.ADDED and left.get(file.path) is FileStatus.DELETED
        arrives = file.status is not FileStatus.DELETED
        if (leaves and file.base_path in left) or (arrives and file.path in arrived) or retyped:
            steps.append([])
            left, arrived = {}, set()
        if leaves:
            left[file.base_path] = file.status
        if arrives:
            arrived.add(file.path)
        steps[-1].append(section)
    return steps


@dataclass(frozen=True, slots=True)
class _Before:
    """Where the files stand before a step, as indexes into the net files."""

    standing: dict[str, int]
    deleted: dict[str, int]
    moved_on: frozenset[str]  # old paths of renames
    vacated: frozenset[str]  # paths that the step itself gives up

    @classmethod
    def of(cls, net: Sequence[ChangedFile], step: Sequence[Section]) -> _Before:
        return cls(
            standing={file.path: index for index, file in enumerate(net) if file.status is not FileStatus.DELETED},
            deleted={file.path: index for index, file in enumerate(net) if file.status is FileStatus.DELETED},
            moved_on=frozenset(file.base_path for file in net if file.status is FileStatus.RENAMED),
            vacated=frozenset(section.file.base_path for section in step if section.file.status in _LEAVING),
        )

    def predecessor(self, file: ChangedFile) -> int | None:
        """Index of what ``file`` continues, None when nothing touched it yet.

        ``ComposeError`` when ``file`` starts from a path that is gone or arrives at one that is taken.
        """
        arrives = file.status in (FileStatus.ADDED, FileStatus.RENAMED, FileStatus.COPIED)
        if arrives and file.path in self.standing and file.path not in self.vacated:
            raise ComposeError
        if file.status is FileStatus.ADDED:
            return None if file.path in self.standing else self.deleted.get(file.path)
        if file.base_path not in self.standing and (file.base_path in self.deleted or file.base_path in self.moved_on):
            raise ComposeError
        return self.standing.get(file.base_path)


def _apply(net: list[ChangedFile], step: Sequence[Section], source: str) -> list[ChangedFile]:
    """``net`` followed by the simultaneous changes of ``step``."""
    before = _Before.of(net, step)
    followed: dict[int, ChangedFile | None] = {}
    fresh: list[ChangedFile] = []
    for section in step:
        file = section.file
        try:
            index = before.predecessor(file)
            after = file if index is None else _followed(net[index], file)
        except ComposeError as error:
            if file in net:  # the same section twice
                continue
            raise ChangeError(source, words.SERIES_CONTRADICTS, section.line) from error
        if index is not None and file.status is not FileStatus.COPIED:
            followed[index] = after
        elif after is not None:
            fresh.append(after)
    kept = (followed.get(index, file) for index, file in enumerate(net))
    return [file for file in kept if file is not None] + fresh


def _followed(before: ChangedFile, after: ChangedFile) -> ChangedFile | None:
    """The file over both changes, None when nothing is left."""
    existed = before.status is not FileStatus.ADDED
    exists = after.status is not FileStatus.DELETED
    if not exists and (not existed or before.status is FileStatus.COPIED):
        return None
    binary = before.binary or after.binary
    hunks = () if binary else _composed(before, after)
    old_path, path = before.base_path, after.path if exists else before.base_path
    old_mode, new_mode = before.old_mode or after.old_mode, after.new_mode or before.new_mode
    status = _net_status(before, after, renamed=old_path != path)
    moved = status in (FileStatus.RENAMED, FileStatus.COPIED)
    if status is FileStatus.MODIFIED and not hunks and not binary:
        if old_mode == new_mode:
            return None
        status = FileStatus.MODE
    return ChangedFile(
        path=path,
        old_path=old_path if moved else None,
        status=status,
        hunks=hunks,
        binary=binary,
        old_mode=old_mode if existed else None,
        new_mode=new_mode if exists else None,
    )


def _composed(before: ChangedFile, after: ChangedFile) -> tuple[Hunk, ...]:
    try:
        return compose(
            before.hunks,
            after.hunks,
            first_is_whole=before.status in _ONE_SIDED,
            second_is_whole=after.status in _ONE_SIDED,
        )
    except ComposeError:
        if after.status is FileStatus.DELETED and not after.hunks:
            return ()  # git diff --irreversible-delete shows no lines
        raise


def _net_status(before: ChangedFile, after: ChangedFile, *, renamed: bool) -> FileStatus:
    if before.status is FileStatus.ADDED:
        return FileStatus.ADDED
    if after.status is FileStatus.DELETED:
        return FileStatus.DELETED
    if FileStatus.COPIED in (before.status, after.status):
        return FileStatus.COPIED
    return FileStatus.RENAMED if renamed else FileStatus.MODIFIED
