"""What each of several processes does to one database. A module of its own, so that starting them is cheap."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier
from pathlib import Path

from reviewbot.store import open_store
from tests.reviewbot.analyses import example


def open_and_save(path: Path, number: int, barrier: Barrier) -> None:
    """Open the database at the same moment as the others, then save one analysis."""
    analysis = example(number=number)
    barrier.wait()
    with open_store(f"sqlite:///{path}") as store:
        store.save(analysis)
