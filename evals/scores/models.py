"""Values of a score sheet. Definitions of every key: ``docs/scores.md``; a test keeps both lists equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from evals.recall import Place
from evals.records import LabelledRecord
from evals.run.models import Outcome
from retrieval.models import Frozen


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled record beside the outcome of a run. ``existing`` are its citations that the tree at hand has.

    ``text`` is the team's paragraph when a team brought its own texts, else empty.
    """

    record: LabelledRecord
    outcome: Outcome
    existing: frozenset[Place] = frozenset()
    text: str = ""


class Method(StrEnum):
    """Where an interval comes from."""

    WILSON = "wilson"  # a share, on as many independent records as its batches are worth
    BOOTSTRAP = "bootstrap"  # resampled by batch: records of one batch are not independent


class Interval(Frozen):
    """95 % unless ``level`` says otherwise."""

    low: float
    high: float
    method: Method
    level: float = 0.95


class Score(Frozen):
    """One figure. ``value`` is null when there was nothing to measure, which is not zero.

    ``n`` is how many records (or citations, for those keys) it rests on; a share also says ``hits``.
    """

    key: str
    value: float | None
    n: int
    hits: int | None = None
    interval: Interval | None = None


class Bin(Frozen):
    """Records whose needs-work score lies in [low, high), the last bin with its end: how many, their mean score, the
    share that needed work.
    """

    low: float
    high: float
    n: int
    mean: float | None
    share: float | None


class Confusion(Frozen):
    """``counts[row][column]``: what people said, what the draft said; both in the order of ``values``."""

    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class RareCase(Frozen):
    """A record of a class with fewer than ten cases: listed, not averaged."""

    label: str
    value: str
    record: str
    answered: str | None


class BatchRow(Frozen):
    """Agreement inside one batch; ``majority`` is what the other records of the batch would have said."""

    batch: str
    n: int
    verdict_hits: int
    majority_hits: int
    needs_work: int
    missed: int
    false_alarms: int


class ScoreSheet(Frozen):
    """All figures of one engine (or baseline) over one set of records.

    ``states`` counts every answer once. ``fallbacks`` is how many answers of a baseline came from a wider majority,
    since its own rule had nothing to go by.
    """

    name: str
    records: int
    answered: int
    errors: Mapping[str, int]
    states: Mapping[str, int]
    scores: tuple[Score, ...]
    confusions: Mapping[str, Confusion]
    reliability: tuple[Bin, ...]
    batches: tuple[BatchRow, ...]
    rare: tuple[RareCase, ...]
    fallbacks: int = 0

    def score(self, key: str) -> Score:
        """The figure with this key; ``KeyError`` for none."""
        found = next((one for one in self.scores if one.key == key), None)
        if found is None:
            raise KeyError(key)
        return found


class Scoring(Frozen):
    """A run's sheet beside the baselines it has to beat, over the same records."""

    sheet: ScoreSheet
    baselines: tuple[ScoreSheet, ...]
