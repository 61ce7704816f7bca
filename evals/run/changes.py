"""The upstream change of each record: the pull request itself where it was fetched, else its reconstruction."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evals.pull_requests.folder import PullRequestFolder
from evals.records import LabelledRecord
from evals.run import words
from evals.workbench import change_of
from retrieval.errors import RetrievalError
from retrieval.models import UpstreamChange


class NoDiffError(Exception):
    """The record has no diff: nothing to analyse."""

    def __str__(self) -> str:
        return words.NO_DIFF


@dataclass(frozen=True, slots=True)
class Changes:
    """``diffs`` holds ``<record id>.diff`` of the release diff; ``pulls`` None leaves fetched pull requests aside."""

    diffs: Path
    pulls: PullRequestFolder | None = None

    def source(self, record: LabelledRecord) -> Path | None:
        """The file that the change is read from, None when there is none."""
        if self.pulls is not None and self.pulled(record):
            return self.pulls.diff(record.upstream_pr)
        path = self.diffs / f"{record.id}.diff"
        return path if path.is_file() else None

    def promised(self, record: LabelledRecord) -> bool:
        """Whether the record has a diff once the real data is laid: its pull request, or a reconstruction."""
        return record.usable or self.pulled(record)

    def pulled(self, record: LabelledRecord) -> bool:
        """Whether the change is read from the pull request itself."""
        return self.pulls is not None and self.pulls.get(record.upstream_pr) is not None

    def change(self, record: LabelledRecord) -> UpstreamChange:
        """Raises NoDiffError, or ChangeError for a diff that cannot be read."""
        fetched = self.pulls.change(record.upstream_pr) if self.pulls is not None else None
        if fetched is not None:
            return fetched
        source = self.source(record)
        if source is None:
            raise NoDiffError
        return change_of(record, source)

    def readable(self, records: Iterable[LabelledRecord]) -> dict[str, UpstreamChange]:
        """By record id, the changes that can be read; a record whose diff cannot be read says so when it is run."""
        found = {}
        for record in records:
            with suppress(NoDiffError, RetrievalError):
                found[record.id] = self.change(record)
        return found
