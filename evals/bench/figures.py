"""A measured figure, and what it should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median

Say = Callable[[str], None]  # gets the sentence of what is being measured next


class Unit(StrEnum):
    SECONDS = "s"
    MILLISECONDS = "ms"
    MEGABYTES = "MB"
    TIMES = "×"
    COUNT = ""


@dataclass(frozen=True, slots=True)
class Target:
    """``least`` tells a floor from a ceiling."""

    bound: float
    least: bool = False

    def is_met(self, value: float) -> bool:
        return value >= self.bound if self.least else value <= self.bound

    def ratio(self, value: float) -> float:
        """How many times better than asked for; below 1 it is missed."""
        better, worse = (value, self.bound) if self.least else (self.bound, value)
        return better / worse if worse else float("inf")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row. ``key`` names it in JSON, ``label`` for people; ``samples`` are the runs behind ``value``."""

    key: str
    label: str
    value: float
    unit: Unit
    target: Target | None = None
    note: str = ""
    samples: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Growth:
    """One row of a growth table: what was made larger, ``factor`` times, and what that cost by column key."""

    factor: int
    size: int
    costs: dict[str, float]


@dataclass(frozen=True, slots=True)
class Topic:
    """One table. A topic has figures or growth rows; ``columns`` names the costs of the latter."""

    key: str
    title: str
    figures: tuple[Figure, ...] = ()
    growth: tuple[Growth, ...] = ()
    columns: dict[str, str] = field(default_factory=dict)


def middle(
    key: str, label: str, samples: Sequence[float], unit: Unit, target: Target | None = None, note: str = ""
) -> Figure:
    """The median of several runs as a figure."""
    return Figure(key, label, median(samples), unit, target, note, tuple(samples))


def percentile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that ``share`` of all do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, -(-round(share * 100) * len(ordered) // 100) - 1)]
