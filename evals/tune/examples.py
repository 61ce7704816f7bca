"""Records as examples: where their cited places rank under trial weights, and how good that is.

The order is that of the product's own ``rank``. Its answers are kept per record and per the values that can change
that record's order, so that a trial costs only the records it concerns, and folds share what they have in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evals.measuring import LONG, SHORT
from evals.ranking import Found, Number, Scoring, matters, order, scoring_from
from evals.recall import Place, RankedRecord

Values = Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Example:
    """One record that cites something."""

    id: str
    batch: str
    expected: frozenset[Place]
    found: Found


class Outcome(NamedTuple):
    """The first places, and the ranks of the cited places and files that were found, however far down."""

    first: tuple[Place, ...]
    scope_ranks: tuple[int, ...]
    file_ranks: tuple[int, ...]


class Trials:
    """Outcomes of examples under trial values. ``ranked`` counts the rankings made."""

    def __init__(self, examples: Sequence[Example], names: Iterable[str]) -> None:
        names = tuple(names)
        self._names = {one.id: tuple(name for name in names if matters(name, one.found)) for one in examples}
        self._known: dict[tuple[str, tuple[Number, ...]], Outcome] = {}
        self._scorings: dict[tuple[Number, ...], Scoring] = {}
        self.ranked = 0

    def outcome(self, example: Example, values: Values) -> Outcome:
        key = (example.id, tuple(values[name] for name in self._names[example.id]))
        found = self._known.get(key)
        if found is None:
            self.ranked += 1
            found = self._known[key] = outcome_of(example, order(example.found, self._scoring(values)))
        return found

    def concerned(self, name: str, examples: Sequence[Example]) -> int:
        """How many of ``examples`` the parameter can change."""
        return sum(name in self._names[one.id] for one in examples)

    def _scoring(self, values: Values) -> Scoring:
        key = tuple(values.values())
        if key not in self._scorings:
            self._scorings = {key: scoring_from(values)}  # trials of one point come together
        return self._scorings[key]


def outcome_of(example: Example, ranking: Sequence[Place]) -> Outcome:
    paths = {place.path for place in example.expected}
    scope_ranks, file_ranks = [], []
    for rank, place in enumerate(ranking, 1):
        if place in example.expected:
            scope_ranks.append(rank)
        if place.path in paths:
            paths.remove(place.path)
            file_ranks.append(rank)
    return Outcome(tuple(ranking[:LONG]), tuple(scope_ranks), tuple(file_ranks))


def goodness(examples: Sequence[Example], outcomes: Iterable[Outcome]) -> float:
    """0…1 over all cited places and files alike: half for being in the default ledger, half for being high up.

    The second half falls off slowly (1/log2(1 + rank)), so that a step in the right direction shows before it arrives.
    """
    outcomes = list(outcomes)
    places = sum(len(one.expected) for one in examples)
    files = sum(len({place.path for place in one.expected}) for one in examples)
    scope = sum(_worth(rank) for one in outcomes for rank in one.scope_ranks)
    file = sum(_worth(rank) for one in outcomes for rank in one.file_ranks)
    return (scope / places + file / files) / 2 if places else 0.0


def ranked_record(example: Example, outcome: Outcome) -> RankedRecord:
    return RankedRecord(example.id, example.expected, outcome.first)


def _worth(rank: int) -> float:
    return (1 / math.log2(1 + rank) + (rank <= SHORT)) / 2
