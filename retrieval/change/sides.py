"""Both full sides of every changed file, made from one tree and the change's own hunks.

A release tree at hand is rarely the parent of the change. Taking the old file from one release and the new file from
the next would show the work of hundreds of other pull requests as this one's. So one side is read and the other is
computed: base and hunks give the new side; hunks backwards from head give the old side when there is no base. A hunk
counts as applied only where it says, with every context and removed line equal, byte for byte: no offset, no fuzz. If
one hunk of a file fails, the file has no sides and ``complete`` is False; the hunks still speak for themselves.

New and deleted files need no tree, the hunk is the file.

Bytes count. A line that is not UTF-8 holds U+FFFD in a hunk: as a context or removed line it is compared with what the
file's line decodes to, as an added line it cannot be restored and the file stays incomplete. A diff that lost its
``\\r`` on the way is applied to a file that has one on every line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.change.hunks import open_lines
from retrieval.models import ChangedFile, FileStatus, Hunk, UpstreamChange
from retrieval.source_tree import SourceTree

_LOST = "\N{REPLACEMENT CHARACTER}"
_NO_SOURCE = frozenset({"120000", "160000"})  # symbolic link, submodule


@dataclass(frozen=True, slots=True)
class FileSides:
    """``old`` and ``new`` are whole files. With ``complete``, None means that the file does not exist on that side.

    Without ``complete`` both are None: the contents are not known. Binary files and submodules never are.
    For a copy ``old`` is the file that was copied.
    """

    file: ChangedFile
    old: bytes | None
    new: bytes | None
    complete: bool


class HunkMismatchError(Exception):
    """A hunk does not fit where it says it belongs."""


def sides(change: UpstreamChange, base: SourceTree | None, head: SourceTree | None) -> tuple[FileSides, ...]:
    """One ``FileSides`` per changed file, in order.

    ``head`` is used for files that ``base`` cannot give: when there is no base tree, or the file is not in it (a wheel
    holds only some). A file that base has but the hunks do not fit is left incomplete even if head would fit: then the
    trees do not surround this change.
    """
    return tuple(_file_sides(file, base, head) for file in change.files)


def _file_sides(file: ChangedFile, base: SourceTree | None, head: SourceTree | None) -> FileSides:
    unknown = FileSides(file, None, None, complete=False)
    if file.binary or _NO_SOURCE.intersection((file.old_mode, file.new_mode)):
        return unknown
    try:
        if file.status is FileStatus.ADDED:
            return FileSides(file, None, apply_hunks(b"", file.hunks), complete=True)
        if file.status is FileStatus.DELETED and file.hunks:
            return FileSides(file, apply_hunks(b"", _reversed(file.hunks)), None, complete=True)
        if base is not None and base.exists(file.base_path):
            old = base.read(file.base_path)
            deleted = file.status is FileStatus.DELETED  # shown without its lines: empty, or --irreversible-delete
            return FileSides(file, old, None if deleted else apply_hunks(old, file.hunks), complete=True)
        if head is not None and head.exists(file.path) and file.status is not FileStatus.DELETED:
            new = head.read(file.path)
            return FileSides(file, apply_hunks(new, _reversed(file.hunks)), new, complete=True)
    except HunkMismatchError:
        return unknown
    return unknown


def apply_hunks(content: bytes, hunks: Sequence[Hunk]) -> bytes:
    """``content`` with ``hunks`` applied exactly where they say, else ``HunkMismatchError``."""
    lines = [line + b"\n" for line in content.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    try:
        return _applied(lines, hunks, b"\n")
    except HunkMismatchError:
        if not _lost_carriage_returns(lines, hunks):
            raise
    return _applied(lines, hunks, b"\r\n")


def _applied(lines: Sequence[bytes], hunks: Sequence[Hunk], line_end: bytes) -> bytes:
    """``lines`` keep their ends; those of ``hunks`` end with ``line_end``."""
    result: list[bytes] = []
    at = shift = 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        new_start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
        end = start + hunk.old_count
        if start < at or end > len(lines) or new_start != start + shift:
            raise HunkMismatchError
        result += lines[at:start]
        result += _replaced(lines[start:end], hunk, line_end)
        at, shift = end, shift + hunk.new_count - hunk.old_count
    result += lines[at:]
    if not all(line.endswith(b"\n") for line in result[:-1]):
        raise HunkMismatchError  # only the last line may be open
    return b"".join(result)


def _replaced(old: Sequence[bytes], hunk: Hunk, line_end: bytes) -> Iterator[bytes]:
    """The new lines of ``hunk``, whose old lines have to be ``old``."""
    opens = open_lines(hunk)
    at = 0
    for index, line in enumerate(hunk.lines):
        text = line[1:]
        end = b"" if index in opens else line_end
        if line[0] == "+":
            if _LOST in text:
                raise HunkMismatchError
            yield text.encode() + end
            continue
        known = old[at]
        at += 1
        if known != text.encode() + end and not (_LOST in text and _reads_as(known, text, end)):
            raise HunkMismatchError
        if line[0] == " ":
            yield known


def _reads_as(known: bytes, text: str, end: bytes) -> bool:
    return known.endswith(end) and known.removesuffix(end).decode("utf-8", "replace") == text


def _lost_carriage_returns(lines: Sequence[bytes], hunks: Sequence[Hunk]) -> bool:
    """The whole file has ``\\r\\n`` and not one line of the diff has a ``\\r``."""
    return (
        bool(lines)
        and all(line.endswith(b"\r\n") for line in lines[:-1])
        and (lines[-1].endswith(b"\r\n") or (len(lines) > 1 and not lines[-1].endswith(b"\n")))
        and not any(line.endswith("\r") for hunk in hunks for line in hunk.lines)
    )


def _reversed(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """The hunks that undo ``hunks``."""
    turned = {" ": " ", "+": "-", "-": "+"}
    return tuple(
        Hunk(
            old_start=hunk.new_start,
            old_count=hunk.new_count,
            new_start=hunk.old_start,
            new_count=hunk.old_count,
            section=hunk.section,
            lines=tuple(f"{turned[line[0]]}{line[1:]}" for line in hunk.lines),
            old_ends_open=hunk.new_ends_open,
            new_ends_open=hunk.old_ends_open,
        )
        for hunk in hunks
    )
