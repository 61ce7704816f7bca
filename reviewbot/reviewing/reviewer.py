"""Analyses one upstream change against torch_npu at a pinned revision, with everything that reviews share.

The trees of a change are those of its own commits, as far as the upstream repository has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from retrieval.models import UpstreamChange
from reviewbot.drafting.fallback import FallbackWriter
from reviewbot.drafting.writer import Writer
from reviewbot.mirrors import Mirrors, Trees, open_mirrors
from reviewbot.models import Analysis
from reviewbot.pipeline import AnalysisRequest, analyse
from reviewbot.precedents import Archive
from reviewbot.precedents.opening import open_team_archive
from reviewbot.reviewing import words
from reviewbot.rubric import Rubric, load_rubric
from reviewbot.settings import Settings
from reviewbot.store import Store


@dataclass(frozen=True)
class Reviewer:
    """Everything that reviews share. Safe for threads: indexes are lent, and each analysis has a writer of its own."""

    settings: Settings
    mirrors: Mirrors
    trees: Trees
    rubric: Rubric
    writer: Writer
    store: Store
    archive: Archive | None = None

    def analyse(self, change: UpstreamChange, pin: str) -> Analysis:
        """One change against torch_npu at a pinned revision. Raises ``RetrievalError`` and ``WriterError``.

        Where a model was to write and could not, the reason says so.
        """
        ledger = self.settings.ledger
        writer = self.writer.fresh() if isinstance(self.writer, FallbackWriter) else self.writer
        with self.trees.downstream(pin) as index, self.trees.upstream(change) as (base, head, code):
            analysis = analyse(
                AnalysisRequest(
                    change=change,
                    index=index,
                    rubric=self.rubric,
                    base=base,
                    head=head,
                    upstream=code,
                    writer=writer,
                    archive=self.archive,
                    limit=ledger.limit,
                    token_budget=ledger.token_budget,
                )
            )
        failure = writer.failure if isinstance(writer, FallbackWriter) else None
        if failure is None:
            return analysis
        reason = words.written_instead(analysis.reason, " ".join(str(failure).split()))
        return analysis.model_copy(update={"reason": reason})


@contextmanager
def open_reviewer(settings: Settings, writer: Writer, store: Store) -> Iterator[Reviewer]:
    """A reviewer over the mirrors of the settings; its open trees and indexes are closed at the end."""
    mirrors = open_mirrors(settings)
    trees = Trees(settings, mirrors)
    archive = None if settings.model.name is None else open_team_archive(settings)
    try:
        yield Reviewer(settings, mirrors, trees, load_rubric(), writer, store, archive)
    finally:
        trees.close()
