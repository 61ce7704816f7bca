"""Answers the records that have no answer yet, keeps each as it comes, and stops for money or on demand.

What a run holds at its end does not depend on the order in which records finished, nor on how often it was stopped:
a record with an answer is never asked again, one that failed is asked once each time the command runs.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from types import FrameType

from evals.records import LabelledRecord
from evals.run.budget import Budget
from evals.run.crew import Crew
from evals.run.folder import RunFolder
from evals.run.models import Outcome


class Ending(StrEnum):
    """How a sitting of a run ended."""

    COMPLETE = "complete"  # every record was asked; some may have failed
    CAP = "cap"  # the next record might have passed the cap on money
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Tally:
    """Where a sitting stands. ``done`` counts records with an answer or an error, ``errors`` those with an error."""

    total: int
    done: int
    errors: int
    budget: Budget

    @property
    def expected(self) -> float:
        return self.budget.expected(self.total - self.done)


Watch = Callable[[Tally], None]


def unanswered(records: Sequence[LabelledRecord], history: Sequence[Outcome]) -> tuple[LabelledRecord, ...]:
    """The records that a sitting has to ask, in order."""
    answered = {outcome.record for outcome in history if outcome.answer is not None}
    return tuple(record for record in records if record.id not in answered)


def spent_before(history: Sequence[Outcome], budget: Budget) -> Budget:
    """The budget with everything paid in earlier sittings."""
    for outcome in history:
        budget = budget.after(outcome.usage.cost)
    return budget


def sit(
    folder: RunFolder,
    total: int,
    waiting: Sequence[LabelledRecord],
    crew: Crew,
    budget: Budget,
    watch: Watch,
    on_interrupt: Callable[[int], None],
) -> Ending:
    """Asks ``waiting``. The first interrupt lets what is under way finish (``on_interrupt`` gets how many records),
    the second one is a KeyboardInterrupt.
    """
    queue = deque(waiting)
    done, errors, in_flight = total - len(queue), 0, 0
    watch(Tally(total, done, errors, budget))
    with _interrupts(lambda: on_interrupt(in_flight)) as interrupted:
        while queue or in_flight:
            while queue and not interrupted() and in_flight < crew.size and budget.admits(in_flight):
                crew.give(queue.popleft())
                in_flight += 1
            if not in_flight:
                return Ending.INTERRUPTED if interrupted() else Ending.CAP
            outcome, analysis = crew.take()
            folder.append(outcome, analysis)
            in_flight -= 1
            done += 1
            errors += outcome.error is not None
            budget = budget.after(outcome.usage.cost)
            watch(Tally(total, done, errors, budget))
    return Ending.COMPLETE


@contextmanager
def _interrupts(on_first: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Yields whether somebody asked to stop. A handler instead of an exception: nothing is torn in the middle."""
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        on_first()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
