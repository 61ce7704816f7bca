"""Wall clock and processor time of one piece of work, child processes that ended in it included."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")


class Taken(NamedTuple):
    """Seconds. On a busy machine ``processor`` says more than ``wall``."""

    wall: float
    processor: float

    @property
    def milliseconds(self) -> float:
        return 1000 * self.wall


def clocked(work: Callable[[], _T]) -> tuple[_T, Taken]:
    began, used = time.perf_counter(), _processor_seconds()
    result = work()
    return result, Taken(time.perf_counter() - began, _processor_seconds() - used)


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
