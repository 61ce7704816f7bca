"""What stands above the blocks of one file, and the ``ChangedFile`` that follows from it.

Three dialects: git's extended header (``diff --git`` and lines such as ``rename from``), git's combined header of a
merge (``diff --cc``), and the bare ``---``/``+++`` pair of every other tool. Sources that contradict each other, names
that leave the tree, and blocks that cannot belong to a new or deleted file are errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval import words
from retrieval.change.diff_lines import DiffLines
from retrieval.change.names import (
    LONGEST,
    git_names,
    header_name,
    inside_tree,
    plain_name,
    shared_name,
    unprefixed,
)
from retrieval.models import ChangedFile, FileStatus, Hunk

_INDEX = re.compile(r"index [0-9a-f,]+\.\.[0-9a-f]+(?: ([0-7]{6}))?\s*")
_MODE = re.compile(r"([0-7]{6})(?:,[0-7]{6})*")
_SIMILARITY = re.compile(r"([0-9]{1,3})%")
_BINARY = re.compile(r"Binary files (\S.* and \S.*) differ|Binary file (\S.*) has changed", re.DOTALL)


@dataclass(slots=True)
class FileHeader:
    """Facts as written, names still with their prefixes. ``line`` is the index of the first header line."""

    line: int
    names: tuple[str, str] | None = None  # of the diff --git line
    exact_old: str | None = None  # rename from, copy from
    exact_new: str | None = None
    renamed: bool = False
    copied: bool = False
    is_new: bool = False
    is_deleted: bool = False
    old_name: str | None = None  # of ---
    new_name: str | None = None  # of +++
    old_mode: str | None = None
    new_mode: str | None = None
    similarity: int | None = None
    binary: bool = False


def read_git_header(text: DiffLines, index: int) -> tuple[FileHeader, int]:
    """The ``diff --git`` line at ``index`` and the extended lines that follow; the index behind them."""
    header = FileHeader(index, names=git_names(text.lines[index].removeprefix("diff --git ")))
    index += 1
    while index < len(text) and _take_extended(header, text.lines[index].rstrip("\r")):
        index += 1
    return header, index


def read_combined_header(text: DiffLines, index: int) -> tuple[FileHeader, int]:
    """The ``diff --cc`` or ``diff --combined`` line at ``index`` and what follows, ``---`` and ``+++`` included."""
    name = plain_name(text.lines[index].partition(" ")[2].partition(" ")[2])
    header = FileHeader(index, names=(name, name))
    index += 1
    while index < len(text) and _take_extended(header, text.lines[index].rstrip("\r")):
        index += 1
    if text.at(index).startswith("--- ") and text.at(index + 1).startswith("+++ "):
        header.is_new |= header_name(text.lines[index][4:])[1]
        header.is_deleted |= header_name(text.lines[index + 1][4:])[1]
        index += 2
    return header, index


def read_name_lines(text: DiffLines, index: int, header: FileHeader) -> int:
    """Takes the ``---`` line at ``index`` and the ``+++`` line that has to follow."""
    if not text.at(index + 1).startswith("+++ "):
        raise text.error(index, words.DIFF_HEADER_WITHOUT_PLUS)
    header.old_name, absent = header_name(text.lines[index][4:])
    header.is_new |= absent
    header.new_name, absent = header_name(text.lines[index + 1][4:])
    header.is_deleted |= absent
    return index + 2


def read_binary_line(line: str) -> tuple[str, str] | None:
    """Both names of ``Binary files A and B differ`` as written; None for any other line. hg names one file only."""
    match = _BINARY.fullmatch(line.rstrip("\r")) if line.startswith("Binary file") and len(line) < LONGEST else None
    if match is None:
        return None
    if match[2] is not None:
        return match[2], match[2]
    parts = match[1].split(" and ")
    splits = [(" and ".join(parts[:count]), " and ".join(parts[count:])) for count in range(1, len(parts))]
    named = [(header_name(old)[0], header_name(new)[0]) for old, new in splits]
    return next((pair for pair in named if shared_name(*pair) is not None), named[0])


def _take_extended(header: FileHeader, line: str) -> bool:
    """Notes one extended header line; False for any other line."""
    key, _, value = line.rpartition(" ")
    if key in ("old mode", "new mode", "mode", "new file mode", "deleted file mode"):
        mode = value.partition("..")
        if not _MODE.fullmatch(mode[0]):
            return False
        _take_mode(header, key, mode[0].partition(",")[0], mode[2])
    elif key in ("similarity index", "dissimilarity index"):
        percent = _SIMILARITY.fullmatch(value)
        header.similarity = int(percent[1]) if percent and key[0] == "s" else None
    elif match := _INDEX.fullmatch(line):
        if match[1] is not None:
            header.old_mode = header.old_mode or match[1]
            header.new_mode = header.new_mode or match[1]
    else:
        return _take_rename(header, line)
    return True


def _take_mode(header: FileHeader, key: str, first: str, last: str) -> None:
    if key == "new file mode":
        header.is_new, header.new_mode = True, first
    elif key.startswith("deleted"):
        header.is_deleted, header.old_mode = True, first
    elif key == "old mode":
        header.old_mode = first
    elif key == "new mode":
        header.new_mode = first
    else:  # combined: "mode 100644,100644..100755"
        header.old_mode, header.new_mode = first, last or None


def _take_rename(header: FileHeader, line: str) -> bool:
    for kind in ("rename", "copy"):
        for sides in (("from", "to"), ("old", "new")):
            for side in sides:
                prefix = f"{kind} {side} "
                if not line.startswith(prefix):
                    continue
                name = plain_name(line[len(prefix) :])
                header.renamed |= kind == "rename"
                header.copied |= kind == "copy"
                if side == sides[0]:
                    header.exact_old = name
                else:
                    header.exact_new = name
                return True
    return False


def changed_file(text: DiffLines, header: FileHeader, hunks: Sequence[Hunk]) -> ChangedFile:
    """The file that ``header`` and ``hunks`` describe."""
    old, new = _names(text, header)
    path = inside_tree(new)
    old_path = inside_tree(old)
    if path is None or old_path is None:
        raise text.error(header.line, words.diff_path_refused(new if path is None else old))
    status = _status(header, hunks)
    _check_sides(text, header, status, hunks)
    moved = status in (FileStatus.RENAMED, FileStatus.COPIED)
    return ChangedFile(
        path=path,
        old_path=old_path if moved else None,
        status=status,
        hunks=tuple(hunks),
        binary=header.binary,
        old_mode=None if status is FileStatus.ADDED else header.old_mode,
        new_mode=None if status is FileStatus.DELETED else header.new_mode,
        similarity=header.similarity,
    )


def _status(header: FileHeader, hunks: Sequence[Hunk]) -> FileStatus:
    if header.is_new:
        return FileStatus.ADDED
    if header.is_deleted:
        return FileStatus.DELETED
    if header.copied:
        return FileStatus.COPIED
    if header.renamed:
        return FileStatus.RENAMED
    modes_differ = header.old_mode != header.new_mode
    return FileStatus.MODE if modes_differ and not hunks and not header.binary else FileStatus.MODIFIED


def _check_sides(text: DiffLines, header: FileHeader, status: FileStatus, hunks: Sequence[Hunk]) -> None:
    if header.is_new and header.is_deleted:
        raise text.error(header.line, words.DIFF_HEADER_CONTRADICTS)
    if status is FileStatus.ADDED and any(hunk.old_count for hunk in hunks):
        raise text.error(header.line, words.NEW_FILE_HAS_OLD_LINES)
    if status is FileStatus.DELETED and any(hunk.new_count for hunk in hunks):
        raise text.error(header.line, words.DELETED_FILE_HAS_NEW_LINES)


def _names(text: DiffLines, header: FileHeader) -> tuple[str, str]:
    """Old and new name without prefixes; the same name twice when only one side exists."""
    if header.renamed or header.copied:
        if header.exact_old is None or header.exact_new is None:
            raise text.error(header.line, words.DIFF_HEADER_INCOMPLETE)
        return header.exact_old, header.exact_new
    shared = shared_name(*header.names) if header.names else None
    if header.old_name is None or header.new_name is None:
        if shared is None:
            raise text.error(header.line, words.DIFF_HEADER_INCOMPLETE)
        return shared, shared
    if header.is_new and header.is_deleted:
        raise text.error(header.line, words.DIFF_HEADER_CONTRADICTS)
    name = _one_name(header.old_name, header.new_name, header, shared)
    if name is None:
        raise text.error(header.line, words.DIFF_HEADER_CONTRADICTS)
    return name, name


def _one_name(old: str, new: str, header: FileHeader, shared: str | None) -> str | None:
    """The name that ``---`` and ``+++`` agree on with the ``diff --git`` line, None when they do not."""
    present = old if header.is_deleted else new
    if shared is not None:
        both = (present,) if header.is_new or header.is_deleted else (old, new)
        return shared if all(shared in (name, name.partition("/")[2]) for name in both) else None
    if old != new and (name := shared_name(old, new)) is not None:
        return name  # GNU diff names the absent side too
    # A plain diff may compare "x.py.orig" with "x.py"; the file is the one it changes into.
    return present if old == new else unprefixed(present)
