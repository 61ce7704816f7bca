"""Reviews one pull request: pins both sides, analyses each upstream change, and keeps every result.

Contract: what fails for one subject fails that subject alone, with a sentence. The downstream pin is the pull request's
base; the trees of a change are those of its own commits, as far as the upstream repository has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from retrieval.errors import RetrievalError
from retrieval.models import UpstreamChange
from reviewbot.drafting.fallback import FallbackWriter
from reviewbot.drafting.writer import Writer
from reviewbot.errors import WriterError
from reviewbot.forges.errors import ForgeError
from reviewbot.forges.models import PullRequest, Thread
from reviewbot.forges.protocol import Forge
from reviewbot.mirrors import ChangeSource, MirrorError, Mirrors, Side, Trees, open_mirrors
from reviewbot.models import Analysis, AnalysisState
from reviewbot.pipeline import AnalysisRequest, analyse
from reviewbot.precedents import Archive
from reviewbot.precedents.opening import open_team_archive
from reviewbot.publishing.shown import ShownSubject
from reviewbot.reviewing import words
from reviewbot.reviewing.subjects import subjects_of
from reviewbot.rubric import Rubric, load_rubric
from reviewbot.service.models import Review, ReviewState, Subject, SubjectKind, SubjectOutcome, Trigger
from reviewbot.settings import Settings
from reviewbot.store import Store

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """``pull`` as it was when the review began. ``shown`` is empty where there was nothing to analyse."""

    review: Review
    pull: PullRequest
    shown: tuple[ShownSubject, ...]


@dataclass(frozen=True)
class Reviewer:
    """Everything that reviews share. Safe for one thread at a time."""

    settings: Settings
    mirrors: Mirrors
    trees: Trees
    rubric: Rubric
    writer: Writer
    store: Store
    archive: Archive | None = None

    def review(
        self,
        forge: Forge,
        thread: Thread,
        *,
        upstream_forge: Forge | None,
        trigger: Trigger,
        requested_by: str,
        now: datetime,
        progress: Progress = lambda _done, _total: None,
    ) -> Reviewed:
        """Raises ``ForgeError`` for a pull request that cannot be read, ``MirrorError`` for a base nobody has."""
        pull = forge.pull_request(thread.repository, thread.number)
        source = ChangeSource(self.mirrors, upstream_forge, self.settings.review.most_diff_bytes)
        subjects = subjects_of(forge, pull, self.settings.feed.repository, source)
        pin = self.mirrors.pin(Side.DOWNSTREAM, pull.base_sha)
        shown = []
        for position, subject in enumerate(subjects):
            shown.append(self._subject(position, subject, source, forge, pull, pin))
            progress(position + 1, len(subjects))
        review = Review(
            id=uuid4().hex,
            thread=thread,
            trigger=trigger,
            requested_by=requested_by,
            state=ReviewState.RUNNING if subjects else ReviewState.NOTHING,
            reason="" if subjects else words.NOTHING,
            head_sha=pull.head_sha,
            base_sha=pin,
            ordered_at=now,
            due_at=now,
        )
        return Reviewed(review, pull, tuple(shown))

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

    def _subject(
        self, position: int, subject: Subject, source: ChangeSource, forge: Forge, pull: PullRequest, pin: str
    ) -> ShownSubject:
        try:
            whole = subject.kind is SubjectKind.WHOLE
            change = source.carried(forge, pull) if whole else source.named(subject)
            analysis = self.analyse(change, pin)
        except (ForgeError, MirrorError, RetrievalError, WriterError) as error:
            reason = " ".join(str(error).split())
            outcome = SubjectOutcome(position=position, subject=subject, state=AnalysisState.FAILED, reason=reason)
            return ShownSubject(outcome)
        number = self.store.save(analysis)
        outcome = SubjectOutcome(
            position=position, subject=subject, state=analysis.state, reason=analysis.reason, analysis=number
        )
        return ShownSubject(outcome, analysis)


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
