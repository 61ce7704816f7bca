"""Models of one labelled record. Strict: an unknown key, a missing key or a value of another type is an error.

Line ranges are 1-based and inclusive. An empty range ``[n, n - 1]`` stands for the gap before line ``n`` (an insertion
on the old side, a deletion on the new one).
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from evals import words
from retrieval.models import Frozen
from reviewbot.models import Labels


class Quality(StrEnum):
    """How well the hunk ranges reconstruct the pull request."""

    CLEAN = "clean"
    NOISY = "noisy"  # code of neighbouring pull requests shows too
    ABSENT = "absent"  # no diff: C++ only, reverted, or not found


class Confidence(StrEnum):
    """How sure it is that the record is about this pull request."""

    HIGH = "high"
    MEDIUM = "medium"


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
    """A downstream place the team named; ``token`` is the word it named there."""

    path: TreePath
    scope: Annotated[str, Field(min_length=1)]
    lines: Lines
    token: Annotated[str, Field(min_length=1)]


class RecordEvidence(Frozen):
    """``cited`` citations in the record; ``verified`` of them were found again at ``snapshot``: ``items``, by scope."""

    snapshot: str | None
    cited: Annotated[int, Field(ge=0)]
    verified: Annotated[int, Field(ge=0)]
    items: tuple[Citation, ...]


class LabelledRecord(Frozen):
    """``batch`` is the run of records that one person labelled in one go; labels move between batches."""

    id: Annotated[str, Field(pattern=r"^r\d{3}$")]
    upstream_pr: Annotated[int, Field(gt=0)]
    pr_confidence: Confidence
    upstream_date: date | None
    batch: str
    title: Annotated[str, Field(min_length=1)]
    reverted: bool
    labels: Labels
    change: RecordChange
    evidence: RecordEvidence

    @property
    def usable(self) -> bool:
        """Whether it may enter a score that needs the diff."""
        return self.change.quality is not Quality.ABSENT
