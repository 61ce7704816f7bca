"""One unified diff per labelled record, rebuilt from its hunk ranges.

A release diff mixes many pull requests, so the head side of a record is the base file with that record's hunks alone
applied. Neighbouring changes of other pull requests can still show inside a hunk (quality ``noisy``). Files are split
at ``\\n`` only: record ranges, git and patch tools count lines so, while ``str.splitlines`` also splits at form feeds.
"""

from __future__ import annotations

import difflib
from pathlib import Path

from evals import words
from evals.errors import RealDataError
from evals.records import LabelledRecord, RecordFile

CONTEXT_LINES = 3
NO_NEWLINE = "\\ No newline at end of file\n"


def release_diff(record: LabelledRecord, base: Path, head: Path) -> bytes:
    """The record's diff, three lines of context, UTF-8. ``base`` and ``head`` are roots of trees.

    Each file begins with git's ``diff --git`` line; a new or deleted one shows ``/dev/null`` and, a wheel knowing no
    modes, has no mode line.
    Raises RealDataError when a range reaches past its file: the trees are not those of the records.
    """
    parts: list[str] = []
    for file in record.change.files:
        if file.hunks:
            parts += _file_diff(record.id, file, _lines(base / file.path), _lines(head / file.path))
    return "".join(parts).encode()


def _file_diff(record_id: str, file: RecordFile, old: list[str], new: list[str]) -> list[str]:
    # A range may name the empty line after the last line end, which slices below leave out.
    if file.hunks[-1].old[1] > len(old) + 1 or file.hunks[-1].new[1] > len(new) + 1:
        raise RealDataError(record_id, words.hunk_out_of_file(record_id, file.path))
    applied: list[str] = []
    at = 0
    for hunk in file.hunks:
        applied += old[at : hunk.old[0] - 1] + new[hunk.new[0] - 1 : hunk.new[1]]
        at = hunk.old[1]
    applied += old[at:]
    old_name = f"a/{file.path}" if old else "/dev/null"
    new_name = f"b/{file.path}" if new else "/dev/null"
    body = difflib.unified_diff(old, applied, old_name, new_name, n=CONTEXT_LINES)
    ended = (line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in body)
    return [f"diff --git a/{file.path} b/{file.path}\n", *ended]


def _lines(path: Path) -> list[str]:
    """Lines with their ends; none for a file that the tree does not have."""
    if not path.exists():
        return []
    text = path.read_bytes().decode("utf-8")
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
