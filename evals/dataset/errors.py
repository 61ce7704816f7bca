"""Errors of the data set.

EvalsError
├── TableError   a table that cannot become labelled records, or a records file that cannot take them
└── LeakError    a past record that must not be shown was shown: the run's figures would be worth nothing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evals.dataset import words
from evals.errors import EvalsError

if TYPE_CHECKING:
    from evals.dataset.leaks import Leak


class TableError(EvalsError):
    """``source`` is the file concerned."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(words.wrong_table(source, reason))
        self.source = source
        self.reason = reason


class LeakError(EvalsError):
    """``leaks`` are all that was found for one evaluated record, at least one."""

    def __init__(self, leaks: tuple[Leak, ...]) -> None:
        super().__init__(words.leaked([(leak.record, leak.offered, leak.kind.value) for leak in leaks]))
        self.leaks = leaks

    def __reduce__(self) -> tuple[type[LeakError], tuple[tuple[Leak, ...]]]:
        """Worker processes send it as it is made, not as its sentence."""
        return type(self), (self.leaks,)
