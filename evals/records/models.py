"""Models of one labelled record. Strict: an unknown key, a missing key or a value of another type is an error.

A line of a records file is one `LabelledRecord` as JSON; ``schema`` is its version (`reading` upgrades older ones).
Line ranges are 1-based and inclusive. An empty range ``[n, n - 1]`` stands for the gap before line ``n`` (an insertion
on the old side, a deletion on the new one).
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from evals import words
from retrieval.models import Frozen
from reviewbot.models import Labels

#: Raised when a name or meaning in a line changes; `reading` then learns to upgrade the one before.
SCHEMA: Final = 2


class Quality(StrEnum):
    """How well the hunk ranges reconstruct the pull request."""

    CLEAN = "clean"
    NOISY = "noisy"  # code of neighbouring pull requests shows too
    ABSENT = "absent"  # no diff: C++ only, reverted, or not found


class Confidence(StrEnum):
    """How sure it is that the record is about this pull request."""

    HIGH = "high"
    MEDIUM = "medium"


class Source(StrEnum):
    """Where a record came from."""

    TABLE = "table"  # the team's table
    CORRECTION = "correction"  # what a person corrected in the service


def _relative_posix(path: str) -> str:
    if path.startswith("/") or "\\" in path or ".." in path.split("/"):
        raise ValueError(words.BAD_PATH)
    return path


def _range(lines: tuple[int, int]) -> tuple[int, int]:
    first, last = lines
    if first < 1 or last < first - 1:
        raise ValueError(words.BAD_RANGE)
    return lines


def _sorted_lines(lines: tuple[int, ...]) -> tuple[int, ...]:
    if list(lines) != sorted(set(lines)) or (lines and lines[0] < 1):
        raise ValueError(words.BAD_LINES)
    return lines


TreePath = Annotated[str, Field(min_length=1), AfterValidator(_relative_posix)]
LineRange = Annotated[tuple[int, int], AfterValidator(_range)]
Lines = Annotated[tuple[int, ...], Field(min_length=1), AfterValidator(_sorted_lines)]


class HunkRange(Frozen):
    """Lines ``old`` of the base file became lines ``new`` of the head file."""

    old: LineRange
    new: LineRange


class RecordFile(Frozen):
    """One changed upstream file; ``scopes`` are the definitions that the hunks fall into."""

    path: TreePath
    hunks: tuple[HunkRange, ...]
    scopes: tuple[str, ...]

    @model_validator(mode="after")
    def _hunks_in_order(self) -> Self:
        for before, after in pairwise(self.hunks):
            if after.old[0] <= before.old[1] or after.new[0] <= before.new[1]:
                raise ValueError(words.BAD_HUNK_ORDER)
        return self


class RecordChange(Frozen):
    quality: Quality
    files: tuple[RecordFile, ...]
    other_paths: tuple[TreePath, ...]

    @model_validator(mode="after")
    def _hunks_unless_absent(self) -> Self:
        if (self.quality is Quality.ABSENT) == any(file.hunks for file in self.files):
            raise ValueError(words.BAD_QUALITY)
        return self


class Citation(Frozen):
    """A downstream place the team named; ``token`` is the word it named there, null where it named none."""

    path: TreePath
    scope: Annotated[str, Field(min_length=1)]
    lines: Lines
    token: Annotated[str, Field(min_length=1)] | None


class RecordEvidence(Frozen):
    """``cited`` citations in the record; ``verified`` of them were found again at ``snapshot``: ``items``, by scope."""

    snapshot: str | None
    cited: Annotated[int, Field(ge=0)]
    verified: Annotated[int, Field(ge=0)]
    items: tuple[Citation, ...]


class RecordRevisions(Frozen):
    """What the record was decided on: tags, commits or versions, as exact as is known; null where nobody wrote it."""

    upstream_base: str | None = None
    upstream_head: str | None = None
    downstream: str | None = None


class LabelledRecord(Frozen):
    """What people decided for one upstream pull request.

    ``batch`` is the run of records that one person, ``analyst`` where known, labelled in one go; labels move between
    batches. ``title`` is empty where the source had none. ``summary``, ``analysis`` and ``cann_note`` (what comes with
    needs_cann) are the team's own texts, null in what ships here. ``id`` names files, hence its characters.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    format: Literal[2] = Field(SCHEMA, alias="schema")
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    upstream_pr: Annotated[int, Field(gt=0)]
    pr_confidence: Confidence
    upstream_date: date | None
    batch: Annotated[str, Field(min_length=1)]
    analyst: str | None = None
    source: Source = Source.TABLE
    title: str
    reverted: bool
    revisions: RecordRevisions = RecordRevisions()
    labels: Labels
    change: RecordChange
    evidence: RecordEvidence
    summary: str | None = None
    analysis: str | None = None
    cann_note: str | None = None

    @property
    def usable(self) -> bool:
        """Whether it may enter a score that needs the diff."""
        return self.change.quality is not Quality.ABSENT
