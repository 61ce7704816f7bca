"""A past record as a writer may see it, and the archive that chooses some for a change."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from pydantic import AwareDatetime

from retrieval.models import Delta, Frozen, UpstreamChange
from reviewbot.models import Labels


class CitedPlace(Frozen):
    """A place of torch_npu that a record cites."""

    path: str
    scope: str


class PastRecord(Frozen):
    """What people decided of an earlier change, and what tells whether that change is like another one.

    ``date`` is the upstream pull request's, ``batch`` the position of the batch it was labelled in (0 is the first),
    ``accepted`` when a person accepted it in the service. ``symbols`` are what the change touches: dotted definitions,
    operators, config flags, test cases. ``lines`` are fingerprints of the lines it changed: records that share them are
    the same work or a reland of it. ``summary`` and ``analysis`` are empty unless a team brought its own texts.
    """

    id: str
    upstream_pr: int | None
    date: date | None
    batch: int | None
    accepted: AwareDatetime | None = None
    title: str
    reverted: bool
    labels: Labels
    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    lines: frozenset[str]
    evidence: tuple[CitedPlace, ...]
    summary: str = ""
    analysis: str = ""


class Archive(Protocol):
    """Past records behind a cutoff: whoever asks cannot get one that the writer must not see."""

    def similar(self, change: UpstreamChange, delta: Delta) -> tuple[PastRecord, ...]:
        """The nearest first; few, or none."""
