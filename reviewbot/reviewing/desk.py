"""The steps of one review, each from what the store holds to what the store holds: fetch, analyse, publish.

Contract: a step may run again after a crash and leaves the same behind. Nothing is passed from step to step but the id
of the review: whoever goes on reads what was kept. Errors that pass (``ForgeError.passing``, ``MirrorError.passing``,
a lease that is held) go up, for the caller to try again; all others end the subject or the review, with a sentence.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from retrieval.errors import RetrievalError
from reviewbot.errors import ReviewbotError
from reviewbot.forges.errors import ForgeError
from reviewbot.forges.models import ForgeKind, PullRequest, PullState, Thread, ThreadKind
from reviewbot.forges.protocol import Forge
from reviewbot.mentions import FoundIn
from reviewbot.mirrors import ChangeSource, MirrorError, Side
from reviewbot.models import AnalysisState
from reviewbot.publishing.body import body_of
from reviewbot.publishing.posting import publish
from reviewbot.publishing.shown import Links, ShownSubject
from reviewbot.publishing.signals import check, label_pull
from reviewbot.reviewing import words
from reviewbot.reviewing.reviewer import Reviewer
from reviewbot.reviewing.subjects import subjects_of
from reviewbot.service.models import Review, ReviewState, Subject, SubjectKind, Trigger

_LOG = logging.getLogger(__name__)
#: Threads share locks by chance, so that there are few; one that is slow to post seldom holds up another.
_TURNS = 64
Clock = Callable[[], datetime]


class Forges(Protocol):
    """Adapters for the thread that asks."""

    def of(self, kind: ForgeKind) -> Forge: ...

    def upstream(self, beside: ForgeKind) -> Forge | None:
        """The one that shows upstream's pull requests to a review on the forge ``beside``, None where none does."""


@dataclass(frozen=True, slots=True)
class Desk:
    """``owner`` names this process where it holds leases. A lease keeps other processes out; ``turns`` keep the threads
    of this one apart. ``show`` prints a comment instead of posting it.
    """

    reviewer: Reviewer
    forges: Forges
    owner: str
    clock: Clock
    show: Callable[[str], None] | None = None
    turns: tuple[threading.RLock, ...] = field(default_factory=lambda: tuple(threading.RLock() for _ in range(_TURNS)))

    def fetch(self, review_id: str) -> int:
        """Read the thread, find the subjects, pin both sides; how many subjects there are. 0: the review has ended."""
        reviews = self.reviewer.store.reviews
        review = reviews.get(review_id)
        if review is None or not reviews.start(review_id):
            return 0
        if reviews.superseded(review_id):
            return self._ended(review_id, ReviewState.SUPERSEDED)
        if review.subject:
            return self._fetched(review, "", (self._named(review),), self._feed_pin())
        pull = self._pull(review)
        if review.trigger is Trigger.PUSH and (reason := self._unwanted(pull)):
            return self._ended(review_id, ReviewState.CANCELLED, reason)
        upstream = self.reviewer.settings.feed.repository
        subjects = subjects_of(self._forge(review), pull, upstream, self._source(review))
        if not review.again and self._is_reviewed(review, pull, subjects):
            return self._ended(review_id, ReviewState.UNCHANGED)
        if not subjects:
            return self._ended(review_id, ReviewState.NOTHING, words.NOTHING)
        return self._fetched(review, pull.head_sha, subjects, self.reviewer.mirrors.pin(Side.DOWNSTREAM, pull.base_sha))

    def analyse(self, review_id: str, position: int) -> bool:
        """Bring one subject to its end. False when the review is to go no further."""
        reviews = self.reviewer.store.reviews
        review = reviews.get(review_id)
        if review is None or review.state.ended:
            return False
        if reviews.superseded(review_id):
            self._ended(review_id, ReviewState.SUPERSEDED)
            return False
        outcome = reviews.outcomes(review_id)[position]
        if outcome.state is None:
            self._settle(review, position, outcome.subject)
        return True

    def publish(self, review_id: str) -> None:
        """Post or edit the one comment, then say that the review has ended."""
        reviews, settings = self.reviewer.store.reviews, self.reviewer.settings
        review = reviews.get(review_id)
        if review is None or review.state.ended:
            return
        if reviews.superseded(review_id):
            self._ended(review_id, ReviewState.SUPERSEDED)
            return
        shown = self.shown(review_id)
        self._post(review, shown)
        self._ended(review_id, ReviewState.POSTED if self.show is None else ReviewState.SHOWN)
        reviews.drop_stages(review_id)
        if review.thread is not None and not review.subject and self.show is None:
            forge = self._forge(review)
            try:
                label_pull(forge, self._pull(review), shown, settings.review)
                check(forge, review.model_copy(update={"state": ReviewState.POSTED}), shown)
            except ForgeError as error:  # the comment is there and says all; a label may need a right that is lacking
                _LOG.warning("review %s is posted, its label or check is not: %s", review_id, error)

    def republish(self, thread: Thread) -> None:
        """Write the comment of a thread anew, as its last review left it: after a command.

        A review under way will say what there is to say when it posts; to write now would take its place.
        """
        reviews = self.reviewer.store.reviews
        with self._turn(thread):
            newest = reviews.newest(thread)
            if newest is not None and newest.state in (ReviewState.HANDED, ReviewState.RUNNING):
                return
            review = reviews.newest(thread, state=ReviewState.POSTED)
            if review is None:
                now = self.clock()
                review = Review.model_validate(
                    {"id": "", "thread": thread, "trigger": "command", "ordered_at": now, "due_at": now}
                )
            self._post(review, self.shown(review.id) if review.id else ())

    def fail(self, review_id: str, reason: str) -> None:
        """End a review that cannot go on. Its comment says so if it can be written and no newer review will write it.

        The review ends after its comment: before, the next one of its thread could post first and be overwritten.
        """
        reviews = self.reviewer.store.reviews
        review = reviews.get(review_id)
        if review is None or review.state.ended:
            return
        failed = review.model_copy(update={"state": ReviewState.FAILED, "reason": reason})
        try:
            if not reviews.superseded(review_id):
                self._post(failed, self.shown(review_id))
        except ReviewbotError:
            _LOG.warning("review %s failed, and its comment could not say so", review_id, exc_info=True)
        finally:
            self._ended(review_id, ReviewState.FAILED, reason)

    def shown(self, review_id: str) -> tuple[ShownSubject, ...]:
        store = self.reviewer.store
        return tuple(
            ShownSubject(outcome)
            if outcome.analysis is None
            else ShownSubject(outcome, store.load(outcome.analysis), store.corrections.latest(outcome.analysis))
            for outcome in store.reviews.outcomes(review_id)
        )

    # --- parts

    def _settle(self, review: Review, position: int, subject: Subject) -> None:
        store, source = self.reviewer.store, self._source(review)
        try:
            if subject.kind is SubjectKind.WHOLE:
                change = source.carried(self._forge(review), self._pull(review))
            else:
                change = source.named(subject)
            analysis = self.reviewer.analyse(change, review.base_sha)
        except (ForgeError, MirrorError) as error:
            if error.passing:
                raise
            store.reviews.settle(review.id, position, AnalysisState.FAILED, _one_line(error))
        except (ReviewbotError, RetrievalError) as error:
            store.reviews.settle(review.id, position, AnalysisState.FAILED, _one_line(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours in one change must not cost the others their review
            _LOG.exception("review %s, subject %d (%s)", review.id, position, subject.name)
            store.reviews.settle(review.id, position, AnalysisState.FAILED, words.unforeseen(type(error).__name__))
        else:
            number = store.save(analysis)
            store.reviews.settle(review.id, position, analysis.state, analysis.reason, number)

    def _post(self, review: Review, shown: tuple[ShownSubject, ...]) -> None:
        """One at a time: of two that look for a comment at once both would find none and create one."""
        if review.thread is None:
            return
        settings, store = self.reviewer.settings, self.reviewer.store
        with self._turn(review.thread):
            now = self.clock()
            pull = self._pull(review) if review.thread.kind is ThreadKind.PULL else None
            state, links = store.threads.state(review.thread), Links()
            body = body_of(review, pull, shown, state, links, now, most_subjects=settings.review.most_subjects)
            if self.show is not None:
                self.show(body)
                return
            publish(self._forge(review), store.comments, review, body, self.owner, now, settings.queue.lease_seconds)

    def _turn(self, thread: Thread) -> threading.RLock:
        return self.turns[hash(thread.key) % len(self.turns)]

    def _fetched(self, review: Review, head: str, subjects: tuple[Subject, ...], pin: str) -> int:
        reviews = self.reviewer.store.reviews
        reviews.set_subjects(review.id, subjects)
        reviews.pin(review.id, head, pin)
        return len(subjects)

    def _named(self, review: Review) -> Subject:
        return Subject(kind=SubjectKind.PULL_REQUEST, name=review.subject, because=FoundIn.REQUEST)

    def _feed_pin(self) -> str:
        """The feed is read against the branch that follows upstream's main."""
        branches = self.reviewer.settings.branches.downstream
        return self.reviewer.mirrors.pin(Side.DOWNSTREAM, branches.get("main", "master"))

    def _is_reviewed(self, review: Review, pull: PullRequest, subjects: tuple[Subject, ...]) -> bool:
        """At this head, and for these changes: an edited title may name others."""
        assert review.thread is not None
        reviews = self.reviewer.store.reviews
        last = reviews.newest(review.thread, state=ReviewState.POSTED)
        if last is None or last.head_sha != pull.head_sha:
            return False
        return [one.subject.name for one in reviews.outcomes(last.id)] == [subject.name for subject in subjects]

    def _source(self, review: Review) -> ChangeSource:
        assert review.thread is not None
        most = self.reviewer.settings.review.most_diff_bytes
        return ChangeSource(self.reviewer.mirrors, self.forges.upstream(review.thread.forge), most)

    def _unwanted(self, pull: PullRequest) -> str:
        """Why nobody waits for a review that a push had ordered: what held then need not hold any more."""
        if pull.state is not PullState.OPEN:
            return words.CLOSED
        if pull.draft and not self.reviewer.settings.review.drafts:
            return words.DRAFT
        return words.PAUSED if self.reviewer.store.threads.state(pull.thread).paused else ""

    def _forge(self, review: Review) -> Forge:
        assert review.thread is not None
        return self.forges.of(review.thread.forge)

    def _pull(self, review: Review) -> PullRequest:
        assert review.thread is not None
        return self._forge(review).pull_request(review.thread.repository, review.thread.number)

    def _ended(self, review_id: str, state: ReviewState, reason: str = "") -> int:
        self.reviewer.store.reviews.finish(review_id, state, reason, self.clock())
        return 0


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
