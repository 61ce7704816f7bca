"""Money of a run: what is spent, what the rest will take, and whether another record may begin. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Budget:
    """``limit`` None is no cap. ``guess`` is what one record is expected to cost before any was paid for, 0 unknown.

    ``spent`` is for ``finished`` records, of which some may have been free, over all sittings of the run, answers and
    errors. Amounts are in the currency of the price settings.
    """

    limit: float | None = None
    guess: float = 0.0
    spent: float = 0.0
    finished: int = 0
    dearest: float = 0.0

    def after(self, cost: float | None) -> Budget:
        """With one more finished record; None is free: no model was asked."""
        paid = cost or 0.0
        return replace(self, spent=self.spent + paid, finished=self.finished + 1, dearest=max(self.dearest, paid))

    @property
    def each(self) -> float:
        """Expected cost of one record: the mean so far, the guess before anything was paid."""
        return self.spent / self.finished if self.spent else self.guess

    def expected(self, remaining: int) -> float:
        """What the whole run will have cost."""
        return self.spent + remaining * self.each

    def admits(self, in_flight: int) -> bool:
        """Whether one more record may begin beside those in flight, each taken to cost as much as the dearest so far,
        or the guess where that is more. Before anything was paid, one record goes ahead alone: the guess may be wrong.
        """
        if self.limit is None:
            return True
        if in_flight and not self.dearest:
            return False
        return self.spent + (in_flight + 1) * max(self.dearest, self.guess) <= self.limit
