"""What the service keeps: deliveries, reviews and their subjects, threads, posted comments, corrections, workers.

A **delivery** is what a forge sent; its row is the outbox of the web process. A **review** is the order to bring one
thread (or one API request) up to date at one head; it covers one or more **subjects**, each an upstream change that
ends as one analysis. At most one review of a thread is being worked on; a newer one supersedes it.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import AwareDatetime, Field

from retrieval.models import Frozen
from reviewbot.forges.models import ForgeKind, Thread
from reviewbot.models import AnalysisState, Labels


class DeliveryState(StrEnum):
    RECEIVED = "received"  # written, not handed to the queue yet
    HANDED = "handed"  # the queue has it
    DONE = "done"
    IGNORED = "ignored"
    FAILED = "failed"  # may be delivered again


class Delivery(Frozen):
    """``key`` is ``forge:delivery id`` and the id of the job that handles it. ``body`` is raw, as signed.

    ``repeats`` counts how often the same came again. ``reason`` says why it failed or was ignored.
    """

    key: str
    forge: ForgeKind
    event: str
    fingerprint: str = ""
    body: bytes
    received_at: AwareDatetime
    state: DeliveryState = DeliveryState.RECEIVED
    reason: str = ""
    handed_at: AwareDatetime | None = None
    repeats: int = 0


class Receipt(StrEnum):
    """What the store made of a delivery that came in."""

    NEW = "new"
    REPEATED = "repeated"  # the same key or fingerprint is here and has not failed
    RENEWED = "renewed"  # the one that was here had failed: it is to be handled again


class Trigger(StrEnum):
    """What ordered a review."""

    PUSH = "push"
    COMMAND = "command"
    API = "api"
    FEED = "feed"  # an upstream pull request that landed
    POLL = "poll"  # found by looking, not told
    COMMAND_LINE = "command_line"


class ReviewState(StrEnum):
    WAITING = "waiting"  # due later, or for another review of its thread
    HANDED = "handed"  # the queue has it
    RUNNING = "running"
    POSTED = "posted"  # for an API request: finished, nothing to post
    SHOWN = "shown"  # printed instead of posted
    UNCHANGED = "unchanged"  # the head had been reviewed already
    NOTHING = "nothing"  # the pull request names no upstream change
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        return self not in {ReviewState.WAITING, ReviewState.HANDED, ReviewState.RUNNING}


class Review(Frozen):
    """``thread`` is None for an API request. ``subject`` is the feed's upstream pull request (``pytorch/pytorch#N``),
    the API's request, or "" for a sync pull request, whose subjects are found when it is read.

    ``head_sha`` and ``base_sha`` are those pinned when it ran, "" before. ``again``: analyse although the head was
    analysed already. ``order`` grows with every review of the service.
    """

    id: str
    order: int = 0
    thread: Thread | None
    subject: str = ""
    trigger: Trigger
    requested_by: str = ""
    again: bool = False
    state: ReviewState = ReviewState.WAITING
    reason: str = ""
    head_sha: str = ""
    base_sha: str = ""
    ordered_at: AwareDatetime
    due_at: AwareDatetime
    handed_at: AwareDatetime | None = None
    finished_at: AwareDatetime | None = None


class SubjectKind(StrEnum):
    """How an upstream change is named."""

    PULL_REQUEST = "pull_request"  # pytorch/pytorch#N
    COMMIT = "commit"  # an upstream SHA
    WHOLE = "whole"  # the diff of the pull request itself
    PASTED = "pasted"  # a diff handed in by the API


class Subject(Frozen):
    """One upstream change of a review. ``name`` is ``pytorch/pytorch#N``, a SHA, ``whole`` or a digest of the diff.

    ``because`` says where it was found (title, body, trailer …), in a word of `reviewbot.mentions`.
    """

    kind: SubjectKind
    name: str
    because: str = ""


class SubjectOutcome(Frozen):
    """Where one subject of a review stands. ``analysis`` is its number in the store, ``reason`` why there is none."""

    position: int = Field(ge=0)
    subject: Subject
    state: AnalysisState | None = None
    reason: str = ""
    analysis: int | None = None


class PostedComment(Frozen):
    """The one comment of (thread, subject). ``digest`` is of the body as posted; ``review`` is the last that posted."""

    thread: Thread
    subject: str = ""
    comment_id: int
    digest: str
    review: str
    posted_at: AwareDatetime


class Notice(Frozen):
    """The last answer to a command of a thread, shown at the top of the comment."""

    command: str
    author: str
    text: str
    at: AwareDatetime


class ThreadState(Frozen):
    """What people said of a thread. ``notice`` is None before any command."""

    thread: Thread
    paused_by: str = ""
    notice: Notice | None = None

    @property
    def paused(self) -> bool:
        return bool(self.paused_by)


class CorrectionKind(StrEnum):
    ACCEPTED = "accepted"
    CORRECTED = "corrected"


class Correction(Frozen):
    """What a person made of an analysis: a labelled record. ``labels`` are those that hold from now on."""

    number: int = 0
    analysis: int
    kind: CorrectionKind
    labels: Labels
    note: str = ""
    author: str
    at: AwareDatetime
    thread: Thread | None = None


class Worker(Frozen):
    """A process that works on jobs. ``executor`` is its id, stable across restarts (host and slot)."""

    executor: str
    started_at: AwareDatetime
    seen_at: AwareDatetime
    stopped_at: AwareDatetime | None = None
