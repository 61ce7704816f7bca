"""A delta from two versions of small files, through a real diff: whole files, or its hunks alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import dedent

from retrieval.change import FileSides, parse_diff
from retrieval.delta import compute_delta
from retrieval.models import ChangedFile, DefinitionChange, Delta, FileStatus, UpstreamChange
from tests.support.diff_writer import write_diff

PATH = "torch/_mill/gears.py"
_HEADING = re.compile(r"[ \t]*((?:class|(?:async[ \t]+)?def)[ \t].*)")

Versions = tuple[str | None, str | None]


def delta_of(
    files: Mapping[str, Versions],
    *,
    hunks_only: bool = False,
    context: int = 3,
    renames: Mapping[str, str] | None = None,
    headings: bool = True,
    **about: object,
) -> Delta:
    """The delta of ``path: (old text, new text)``; texts are dedented.

    ``renames`` maps a new path to the old one. With ``hunks_only`` the files are out of sight, and with ``headings``
    the hunks carry the ``@@`` headings that git's Python driver would print.
    """
    changed: list[ChangedFile] = []
    sides: list[FileSides] = []
    for path, (old, new) in files.items():
        before = None if old is None else dedent(old).encode()
        after = None if new is None else dedent(new).encode()
        data = write_diff(path, before, after, context=context)
        file = parse_diff(data, "test")[0] if data else ChangedFile(path=path)
        origin = (renames or {}).get(path)
        if origin is not None:
            file = file.model_copy(update={"old_path": origin, "status": FileStatus.RENAMED})
        if headings and before is not None:
            file = with_headings(file, before.decode())
        changed.append(file)
        sides.append(
            FileSides(file, None, None, complete=False) if hunks_only else FileSides(file, before, after, complete=True)
        )
    change = UpstreamChange.model_validate({"files": tuple(changed), **about})
    return compute_delta(change, sides)


def of_hunk(lines: Sequence[str], section: str, path: str = PATH) -> Delta:
    """The delta of one hunk somewhere in a file: its lines with their marks, and its heading."""
    old = sum(line[0] in " -" for line in lines)
    new = sum(line[0] in " +" for line in lines)
    body = "".join(f"{line}\n" for line in lines)
    data = f"--- a/{path}\n+++ b/{path}\n@@ -50,{old} +60,{new} @@ {section}\n{body}".encode()
    change = UpstreamChange(files=parse_diff(data, "test"))
    return compute_delta(change, [FileSides(change.files[0], None, None, complete=False)])


def with_headings(file: ChangedFile, old: str) -> ChangedFile:
    """The file with the nearest ``def`` or ``class`` line above each hunk as its heading, as git cuts it."""
    lines = old.split("\n")

    def heading(start: int) -> str:
        matches = (_HEADING.fullmatch(line) for line in reversed(lines[: max(start - 1, 0)]))
        return next((match[1][:80] for match in matches if match is not None), "")

    hunks = tuple(hunk.model_copy(update={"section": heading(hunk.old_start)}) for hunk in file.hunks)
    return file.model_copy(update={"hunks": hunks})


def change_of(old: str, new: str, qualname: str | None = None, path: str = PATH) -> DefinitionChange:
    """The change of one definition of one file; the only one when no name is given."""
    delta = delta_of({path: (old, new)})
    found = [change for change in delta.definitions if qualname in (None, change.qualname)]
    assert len(found) == 1, [(change.kind, change.qualname) for change in delta.definitions]
    return found[0]


def kinds(delta: Delta) -> dict[str, str]:
    """What happened to each definition, by qualname."""
    return {change.qualname: change.kind.value for change in delta.definitions}
