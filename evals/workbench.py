"""The product's parts set up once for many records: upstream base, downstream index, rule table.

Nothing of a record's labels reaches an analysis. What ``--about`` could tell does: number, title, date, reverted,
further paths; and that the diff, a reconstruction, is not complete.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.records import LabelledRecord
from retrieval.change import About, apply_about, parse_patch
from retrieval.index import Index, Progress, open_index
from retrieval.models import UpstreamChange
from retrieval.source_tree import SourceTree, open_tree
from retrieval.upstream_index import open_upstream_index
from reviewbot.models import Analysis
from reviewbot.pipeline import AnalysisRequest, analyse
from reviewbot.rubric import Rubric, load_rubric


@dataclass(frozen=True, slots=True)
class Workbench:
    """``opening_seconds`` is what opening trees and index took."""

    base: SourceTree
    index: Index
    upstream: Index
    rubric: Rubric
    opening_seconds: float

    def analyse(self, change: UpstreamChange) -> Analysis:
        return analyse(AnalysisRequest(change, self.index, self.rubric, self.base, upstream=self.upstream))


@contextmanager
def open_workbench(base: Path, downstream: Path, cache: Path, progress: Progress | None = None) -> Iterator[Workbench]:
    """Opens both trees and the index, building what the cache lacks; closes them at the end of the block."""
    began = time.perf_counter()
    with open_tree(base) as before, open_tree(downstream) as tree, ExitStack() as stack:
        index = stack.enter_context(closing(open_index(tree, cache, progress=progress)))
        upstream = stack.enter_context(closing(open_upstream_index(before, cache, progress=progress)))
        yield Workbench(before, index, upstream, load_rubric(), time.perf_counter() - began)


def about_record(record: LabelledRecord) -> About:
    """What a person knows of the pull request beside its diff."""
    return About(
        number=record.upstream_pr,
        title=record.title,
        date=record.upstream_date.isoformat() if record.upstream_date else None,
        reverted=record.reverted,
        paths=record.change.other_paths,
        diff_complete=False,
    )


def change_of(record: LabelledRecord, diff: Path) -> UpstreamChange:
    """The record's change as read from its diff file. Raises ChangeError for a diff that cannot be read."""
    return apply_about(parse_patch(diff.read_bytes(), str(diff)), about_record(record))
