"""Leave one batch out: weights are fitted without a batch and judged on that batch alone.

A batch was labelled by one person in one go, so its records resemble one another; leaving out single records would let
their siblings vote. A record without a batch is a batch of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evals.ranking import Number
from evals.tune.examples import Example

Values = dict[str, Number]
Fit = Callable[[Sequence[Example]], Values]


@dataclass(frozen=True, slots=True)
class Fold:
    """``values`` were fitted on everything but ``held_out``."""

    batch: str
    held_out: tuple[Example, ...]
    values: Values


@dataclass(frozen=True, slots=True)
class Movement:
    """What became of one number: hand-set, fitted on all examples, and in how many folds it grew or shrank."""

    name: str
    by_hand: Number
    fitted: Number
    grew: int
    shrank: int


def batches(examples: Sequence[Example]) -> dict[str, tuple[Example, ...]]:
    """Examples by batch, in the order they come."""
    found: dict[str, list[Example]] = {}
    for one in examples:
        found.setdefault(one.batch or f"record {one.id}", []).append(one)
    return {batch: tuple(members) for batch, members in found.items()}


def leave_one_batch_out(examples: Sequence[Example], fit: Fit) -> Iterator[Fold]:
    for batch, held_out in batches(examples).items():
        ids = {one.id for one in held_out}
        yield Fold(batch, held_out, fit([one for one in examples if one.id not in ids]))


def movements(by_hand: Values, fitted: Values, folds: Sequence[Fold]) -> list[Movement]:
    return [
        Movement(
            name=name,
            by_hand=value,
            fitted=fitted[name],
            grew=sum(fold.values[name] > value for fold in folds),
            shrank=sum(fold.values[name] < value for fold in folds),
        )
        for name, value in by_hand.items()
    ]
