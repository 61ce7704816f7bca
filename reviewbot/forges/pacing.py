"""Keeps a client below a forge's limits: token buckets over a clock and a sleep that tests replace.

By hand, since what is needed is small and exact: no window over the limit, whatever came before, and a clock of ours.
The limits are GitHub's one content-creating request a second ("Best practices for using the REST API") and AtomGit's
fifty requests a minute (its OpenAPI introduction); both are settings.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

Clock = Callable[[], float]
Sleep = Callable[[float], None]


class Bucket:
    """At most ``limit`` takings in any window of ``period`` seconds. Safe for threads: they queue up in order."""

    def __init__(
        self, limit: float, period: float = 1.0, *, clock: Clock = time.monotonic, sleep: Sleep = time.sleep
    ) -> None:
        """A ``limit`` below one is one taking in a longer period: 0.5 a second is one in two. 2.5 a second is two."""
        self._most = max(int(limit), 1)
        self._period = period / min(limit, 1.0)
        self._clock = clock
        self._sleep = sleep
        self._taken: deque[float] = deque(maxlen=self._most)
        self._guard = threading.Lock()

    def take(self) -> float:
        """Waits for a turn, as long as those before it take; the seconds waited."""
        with self._guard:
            now = self._clock()
            turn = max(now, self._taken[0] + self._period) if len(self._taken) == self._most else now
            self._taken.append(turn)
        if turn > now:
            self._sleep(turn - now)
        return turn - now
