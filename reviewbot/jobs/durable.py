"""The queue on DBOS: workflows whose steps are recorded, so that a process that dies goes on where it was.

Contract: nothing but this module knows DBOS. Between steps goes JSON, never pickle: whoever can write the database
must not be able to run code. The application's version is fixed, since DBOS leaves the jobs of another version alone;
the name of the process is ours, since DBOS gives a process the jobs of its own name back at its start.

Traps, seen with DBOS 3.4.0: a queue is registered after the launch; SQLite is not put into WAL mode by itself; a step
put into a workflow breaks those under way unless ``DBOS.patch`` guards it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from retrieval.errors import RetrievalError
from reviewbot.errors import ReviewbotError
from reviewbot.forges.errors import ForgeError
from reviewbot.intake import Intake
from reviewbot.jobs import words
from reviewbot.jobs.queue import QueueDepth
from reviewbot.mirrors import MirrorError
from reviewbot.publishing.posting import LeaseHeldError
from reviewbot.reviewing.desk import Desk
from reviewbot.service.models import DeliveryState
from reviewbot.settings import Settings

_LOG = logging.getLogger(__name__)
_VERSION = "1"
_DELIVERIES, _REVIEWS = "deliveries", "reviews"
#: A job that takes its process down so often is given up.
_MOST_RECOVERIES = 5
_ATTEMPTS = 6
_OVER = frozenset({"SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"})
_FIRST_WAIT = 1.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between looks at the queue, and before a step that failed in passing is tried again (it doubles)."""

    poll: float = 1.0
    retry: float = _FIRST_WAIT


def queue_url(settings: Settings) -> str:
    """Where the jobs lie: as set, else a file beside the store's."""
    if settings.queue.url:
        return settings.queue.url
    url = make_url(settings.store.url)
    path = Path(str(url.database))
    return f"sqlite:///{path.with_name(f'{path.stem}-jobs.db')}"


class DurableQueue:
    """One for each process: DBOS is a singleton. ``close`` lets running steps end."""

    def __init__(self, settings: Settings, desk: Desk, worker: str, pace: Pace | None = None) -> None:
        from dbos import DBOS, DBOSPortableJSONSerializer

        self._desk = desk
        self._pace = pace or Pace(settings.queue.poll_seconds)
        url = queue_url(settings)
        _use_write_ahead_log(url)
        self._dbos = DBOS(
            config={
                "name": "reviewbot",
                "system_database_url": url,
                "application_version": _VERSION,
                "executor_id": worker,
                "log_level": "WARNING",
                "serializer": DBOSPortableJSONSerializer(),
            }
        )
        self._handle, self._review = _workflows(desk, self._pace)
        DBOS.launch()
        for name in (_DELIVERIES, _REVIEWS):
            DBOS.register_queue(
                name, worker_concurrency=settings.queue.reviews_at_once, polling_interval_sec=self._pace.poll
            )

    def hand_over(self, delivery_key: str) -> None:
        """A delivery that failed and came again is a job of its own."""
        delivery = self._desk.reviewer.store.deliveries.get(delivery_key)
        if delivery is None:
            return
        over = self._enqueue(
            _DELIVERIES, self._handle, delivery_key, f"{delivery_key}#{delivery.received_at:%Y%m%dT%H%M%S.%f}"
        )
        store = self._desk.reviewer.store.deliveries
        if over and (now := store.get(delivery_key)) is not None and now.state is DeliveryState.HANDED:
            store.finish(delivery_key, DeliveryState.FAILED, words.GIVEN_UP)

    def start_review(self, review_id: str) -> None:
        if self._enqueue(_REVIEWS, self._review, review_id, review_id):
            self._desk.fail(review_id, words.GIVEN_UP)

    def depth(self) -> QueueDepth:
        from dbos import DBOS

        waiting = DBOS.list_workflows(status="ENQUEUED", load_input=False, load_output=False)
        running = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        ages = [one.created_at for one in waiting if one.created_at is not None]
        oldest = None if not ages else max(datetime.now().timestamp() - min(ages) / 1000, 0.0)
        return QueueDepth(len(waiting), len(running), oldest)

    def close(self, seconds: float = 0.0) -> None:
        from dbos import DBOS

        DBOS.destroy(workflow_completion_timeout_sec=int(seconds), destroy_registry=True)

    def _enqueue(self, queue: str, workflow: Callable[[str], None], argument: str, identifier: str) -> bool:
        """True when the job had been there and is over: whatever it left undone, nobody will do it any more."""
        from dbos import DBOS, SetWorkflowID

        with SetWorkflowID(identifier):
            handle = DBOS.enqueue_workflow(queue, workflow, argument)
        return handle.get_status().status in _OVER


def _workflows(desk: Desk, pace: Pace) -> tuple[Callable[[str], None], Callable[[str], None]]:
    """The workflows over one desk: handling a delivery, working on a review."""
    from dbos import DBOS

    intake = Intake(desk)
    again: dict[str, Any] = {
        "retries_allowed": True,
        "interval_seconds": pace.retry,
        "backoff_rate": 2.0,
        "max_attempts": _ATTEMPTS,
        "should_retry": _passes,
    }

    @DBOS.step(name="handle", **again)
    def handle(key: str) -> None:
        intake.handle(key)

    @DBOS.step(name="fetch", **again)
    def fetch(review_id: str) -> int:
        return desk.fetch(review_id)

    @DBOS.step(name="analyse", **again)
    def analyse(review_id: str, position: int) -> bool:
        return desk.analyse(review_id, position)

    @DBOS.step(name="publish", **again)
    def publish(review_id: str) -> None:
        desk.publish(review_id)

    @DBOS.step(name="fail")
    def fail(review_id: str, reason: str) -> None:
        desk.fail(review_id, reason)

    @DBOS.step(name="give_up")
    def give_up(key: str, reason: str) -> None:
        desk.reviewer.store.deliveries.finish(key, DeliveryState.FAILED, reason)

    @DBOS.workflow(name="handle_delivery", max_recovery_attempts=_MOST_RECOVERIES)
    def handle_delivery(key: str) -> None:
        try:
            handle(key)
        except Exception as error:  # noqa: BLE001 - whatever it was, the delivery gets a state that a person can act on
            give_up(key, _told(error))

    @DBOS.workflow(name="review", max_recovery_attempts=_MOST_RECOVERIES)
    def review(review_id: str) -> None:
        try:
            for position in range(fetch(review_id)):
                if not analyse(review_id, position):
                    return
            publish(review_id)
        except Exception as error:  # noqa: BLE001 - whatever it was, the review ends and says why
            fail(review_id, _told(error))

    return handle_delivery, review


def _passes(error: BaseException) -> bool:
    return isinstance(error, LeaseHeldError) or (isinstance(error, ForgeError | MirrorError) and error.passing)


def _told(error: Exception) -> str:
    """The sentence of an error of ours; of any other the log has the rest."""
    cause = _cause(error)
    if isinstance(cause, ReviewbotError | RetrievalError):
        return " ".join(str(cause).split())
    _LOG.error("a job failed", exc_info=cause)
    return type(cause).__name__


def _cause(error: Exception) -> Exception:
    """DBOS wraps the errors of a step that was tried too often."""
    errors = getattr(error, "errors", None)
    last = errors[-1] if isinstance(errors, list) and errors else error
    return last if isinstance(last, Exception) else error


def _use_write_ahead_log(url: str) -> None:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return
    path = Path(parsed.database)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
