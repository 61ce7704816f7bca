"""Hands stored deliveries to the queue behind the answer, in one thread, in order.

A delivery is safe once it is stored: whatever is not handed over here (the queue is down, too much waits, the process
ends) is found by the sweeper of the dispatcher, so a failure is logged and counted and nothing else.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from reviewbot.web.services import Services

LOG = logging.getLogger(__name__)
#: More than this many waiting means that the queue is slow: memory is not the place to wait in.
MOST_WAITING = 1_000


class Handover:
    """``close`` waits for the one at work and leaves the rest to the sweeper."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._room = BoundedSemaphore(MOST_WAITING)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="handover")

    async def later(self, key: str) -> None:
        """Returns at once."""
        if not self._room.acquire(blocking=False):
            self._failed(key)
            return
        try:
            self._thread.submit(self._hand_over, key).add_done_callback(lambda _done: self._room.release())
        except RuntimeError:  # closed: the process ends
            self._room.release()
            self._failed(key)

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _hand_over(self, key: str) -> None:
        try:
            self._services.queue.hand_over(key)
            self._services.deliveries.mark_handed((key,), self._services.clock())
        except Exception:
            LOG.exception("delivery %s is left to the sweeper", key)
            self._services.metrics.handover_failed()

    def _failed(self, key: str) -> None:
        LOG.warning("delivery %s is left to the sweeper: no room in memory", key)
        self._services.metrics.handover_failed()
