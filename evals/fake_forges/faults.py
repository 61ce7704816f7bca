"""What goes wrong between a client and a forge, by plan: scripted one by one, or at random with a seed."""

from __future__ import annotations

import threading
from collections import deque
from enum import StrEnum
from random import Random


class Fault(StrEnum):
    BAD_GATEWAY = "bad_gateway"  # 502, nothing done
    LIMITED = "limited"  # 429 with Retry-After: 0
    LIMITED_SILENTLY = "limited_silently"  # 429 without a word on when to come again
    LIMITED_LONG = "limited_long"  # 429 with Retry-After: 3600
    OUT_OF_CALLS = "out_of_calls"  # 403 with an exhausted limit
    LOST = "lost"  # done, and the answer never arrives
    HELD = "held"  # done, and the answer is held back until the client gives up
    FORBIDDEN = "forbidden"  # 403 for want of a right
    GARBLED = "garbled"  # 200 with something that is no JSON


class Faults:
    """``share`` of all calls meets a random fault, of those that cost no time; those of `play` come first, in order."""

    def __init__(self, share: float = 0.0, seed: int = 0) -> None:
        self._share = share
        self._random = Random(seed)
        self._script: deque[Fault | None] = deque()
        self._guard = threading.Lock()

    def play(self, *faults: Fault | None) -> None:
        with self._guard:
            self._script.extend(faults)

    def next(self) -> Fault | None:
        with self._guard:
            if self._script:
                return self._script.popleft()
            if self._random.random() >= self._share:
                return None
            return self._random.choice([Fault.BAD_GATEWAY, Fault.LIMITED, Fault.LOST])
