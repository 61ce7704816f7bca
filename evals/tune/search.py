"""Coordinate search: one number at a time is tried at a few multiples of itself, until a round changes nothing.

Deterministic: the order of the numbers comes from a seed, ties keep the value at hand. Numbers are drawn towards where
they started: every doubling or halving must pay for itself.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.ranking import Number

Values = dict[str, Number]


@dataclass(frozen=True, slots=True)
class Search:
    """``pull`` is what a doubling or halving costs, in the unit of what is climbed; ``farthest`` how many times larger
    or smaller than at the start a number may become. What starts as a share (up to 1) stays one.
    """

    factors: tuple[float, ...] = (0.5, 0.8, 1.25, 2.0)
    rounds: int = 4
    pull: float = 0.005
    farthest: float = 4.0
    seed: int = 0

    def climb(
        self,
        start: Mapping[str, Number],
        names: Sequence[str],
        good: Callable[[Values], float],
        tried: Callable[[], None] = lambda: None,
    ) -> Values:
        """The best values found; only ``names`` move. ``tried`` is called after each number of each round."""
        order = sorted(names)
        random.Random(self.seed).shuffle(order)
        values = dict(start)
        best = good(values)
        for _ in range(self.rounds):
            before = dict(values)
            for name in order:
                for trial in self._trials(values[name], start[name]):
                    moved = {**values, name: trial}
                    worth = good(moved) - self.cost(moved, start)
                    if worth > best + 1e-9:
                        best, values = worth, moved
                tried()
            if values == before:
                break
        return values

    def cost(self, values: Mapping[str, Number], start: Mapping[str, Number]) -> float:
        moved = (abs(math.log2(value / start[name])) for name, value in values.items() if value != start[name])
        return self.pull * sum(moved)

    def _trials(self, value: Number, start: Number) -> Iterator[Number]:
        """Other values near ``value``, and the start itself; three digits are as fine as a weight is read."""
        seen = {value}
        most: Number = type(start)(1) if start <= 1 else math.inf
        for trial in (*(min(_multiple(value, factor), most) for factor in self.factors), start):
            near = start / self.farthest <= trial <= start * self.farthest
            if near and trial > 0 and trial not in seen:
                seen.add(trial)
                yield trial


def _multiple(value: Number, factor: float) -> Number:
    return round(value * factor) if isinstance(value, int) else float(f"{value * factor:.3g}")
