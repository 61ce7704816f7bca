"""Peak resident memory of a process and all its descendants, sampled from ``/proc`` while it works.

The sum counts pages that processes share once for each, so it is an upper bound. Without ``/proc`` nothing can be
said, and nothing is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_PROC = Path("/proc")
_PAUSE = 0.02  # seconds between samples


class Peak:
    """Bytes. ``alone`` is the root process, ``together`` it and its descendants at one moment."""

    def __init__(self) -> None:
        self.alone = 0
        self.together = 0

    def take(self, root: int) -> None:
        sizes = _sizes_below(root)
        self.alone = max(self.alone, sizes.get(root, 0))
        self.together = max(self.together, sum(sizes.values()))


def can_sample() -> bool:
    return (_PROC / "self" / "stat").is_file()


@contextmanager
def sampled(root: int) -> Iterator[Peak]:
    """Samples process ``root`` until the block ends."""
    peak, ended = Peak(), threading.Event()

    def watch() -> None:
        while not ended.wait(_PAUSE):
            peak.take(root)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        ended.set()
        watcher.join()


def _sizes_below(root: int) -> Mapping[int, int]:
    """Resident bytes of ``root`` and its descendants that are alive."""
    parents, sizes = {}, {}
    for entry in os.listdir(_PROC):  # noqa: PTH208 - a Path per process costs more than reading it
        if entry.isdigit():
            stat = _stat(int(entry))
            if stat is not None:
                parents[int(entry)], sizes[int(entry)] = stat
    found = {root}
    while True:
        more = {child for child, parent in parents.items() if parent in found} - found
        if not more:
            return {process: sizes.get(process, 0) for process in found}
        found |= more


def _stat(process: int) -> tuple[int, int] | None:
    """(parent, resident bytes) of a process; null when it ended meanwhile."""
    try:
        text = (_PROC / str(process) / "stat").read_text("ascii", "replace")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2 :].split()  # the name before may hold anything
    return int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
