"""The loop behind the queue: what is due goes in, what was forgotten goes in again, what is old goes out.

Contract: ``tick`` does everything once and may run in any number of processes at the same time; ``run`` repeats it in a
thread until it is told to stop. A tick that fails is logged, and the next one tries again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from reviewbot.jobs.queue import JobQueue
from reviewbot.mirrors import Mirrors
from reviewbot.settings_service import MirrorSettings, QueueSettings
from reviewbot.store import Store

_LOG = logging.getLogger(__name__)
_DAY = timedelta(days=1)


@dataclass
class Dispatcher:
    """``clock`` tells the time of day. Fetching mirrors has a thread of its own: it can take minutes."""

    store: Store
    queue: JobQueue
    mirrors: Mirrors
    settings: QueueSettings
    mirror_settings: MirrorSettings
    worker: str
    clock: Callable[[], datetime]
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _pruned_at: datetime | None = None

    def tick(self) -> None:
        now = self.clock()
        self.store.workers.beat(self.worker, now)
        forgotten = now - timedelta(seconds=self.settings.sweep_seconds)
        for key in self.store.deliveries.unhanded(forgotten):
            self.queue.hand_over(key)
            self.store.deliveries.mark_handed([key], now)
        for review in self.store.reviews.claim_due(now):
            self.queue.start_review(review.id)
        for review in self.store.reviews.stranded(forgotten):
            self.queue.start_review(review.id)
        for key in self.store.deliveries.unfinished(forgotten):
            self.queue.hand_over(key)
        if self._pruned_at is None or now - self._pruned_at > _DAY:
            self.store.deliveries.prune(now - self.settings.keep_days * _DAY)
            self._pruned_at = now

    def start(self) -> None:
        for target in (self._dispatch, self._fetch):
            thread = threading.Thread(target=target, name=target.__name__.strip("_"), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Take no more work; the worker is gone in order."""
        self._stopping.set()
        for thread in self._threads[:1]:
            thread.join()
        self.store.workers.stop(self.worker, self.clock())

    def _dispatch(self) -> None:
        while not self._stopping.is_set():
            try:
                self.tick()
            except Exception:  # noqa: BLE001 - a loop that ends takes the service with it; the log has the rest
                _LOG.exception("the dispatcher failed once")
            self._stopping.wait(self.settings.poll_seconds)

    def _fetch(self) -> None:
        while not self._stopping.is_set():
            started = time.monotonic()
            try:
                for error in self.mirrors.fetch_all():
                    _LOG.warning("mirror %s: %s", error.name, error)
            except Exception:  # noqa: BLE001 - as above: a full disk must not end the fetching for good
                _LOG.exception("fetching the mirrors failed")
            self._stopping.wait(max(self.mirror_settings.fetch_seconds - (time.monotonic() - started), 1.0))
