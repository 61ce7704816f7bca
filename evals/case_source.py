"""Where the diff of a labelled record comes from: its pull request where that was fetched, else a reconstruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from evals.pull_requests.folder import PullRequestFolder
from evals.real_data import RealData
from evals.records import LabelledRecord
from evals.workbench import change_of
from retrieval.models import UpstreamChange


class DiffSource(StrEnum):
    """Which diffs a run may read."""

    AUTO = "auto"  # the pull request where it was fetched, else the release
    PULL_REQUEST = "pull-request"
    RELEASE = "release"  # rebuilt from the difference of two releases


@dataclass(frozen=True, slots=True)
class Case:
    """A record with the diff it is judged by. ``change`` reads it, and raises `ChangeError` when that fails."""

    record: LabelledRecord
    source: DiffSource
    diff: Path
    pulls: PullRequestFolder

    def change(self) -> UpstreamChange:
        if self.source is DiffSource.RELEASE:
            return change_of(self.record, self.diff)
        change = self.pulls.change(self.record.upstream_pr)
        assert change is not None  # `cases_of` looked
        return change


def cases_of(records: Iterable[LabelledRecord], real: RealData, wanted: DiffSource = DiffSource.AUTO) -> Iterator[Case]:
    """A case for every record that has a diff of the wanted source; the others have none to be judged by."""
    pulls = PullRequestFolder(real.root / "pull-requests")
    for record in records:
        if wanted is not DiffSource.RELEASE and pulls.get(record.upstream_pr) is not None:
            yield Case(record, DiffSource.PULL_REQUEST, pulls.diff(record.upstream_pr), pulls)
        elif wanted is not DiffSource.PULL_REQUEST and record.usable:
            yield Case(record, DiffSource.RELEASE, real.diff(record), pulls)
