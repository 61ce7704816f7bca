"""Values of a comparison. The second run is the one that is judged: is it better than the first?"""

from __future__ import annotations

from enum import StrEnum

from evals.scores.keys import Better, better
from evals.scores.models import Interval
from retrieval.models import Frozen

#: What decides whether a run is better. Everything else is shown, and at 5 % one in twenty would move by chance.
DECISIVE = ("miss_rate", "false_alarm_rate", "work_auc")


class Discordance(Frozen):
    """Records for which only the first or only the second run's share is 1, and McNemar's exact p."""

    only_first: int
    only_second: int
    p: float


class Difference(Frozen):
    """Second minus first. No interval: a cost, or a figure that too few draws define."""

    key: str
    first: float | None
    second: float | None
    value: float | None
    interval: Interval | None = None
    discordance: Discordance | None = None

    @property
    def gain(self) -> float | None:
        """Positive when the second run is better."""
        if self.value is None:
            return None
        return self.value if better(self.key) is Better.HIGHER else -self.value

    @property
    def is_beyond_noise(self) -> bool:
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


class Flip(Frozen):
    """A record whose answer changed from right to wrong or back. ``field`` is a label, or ``needs_work``."""

    record: str
    batch: str
    title: str
    field: str
    truth: str
    first: str
    second: str
    gained: bool


class Conclusion(StrEnum):
    """The comparison in one word."""

    BETTER = "better"
    WORSE = "worse"
    MIXED = "mixed"  # some decisive figure rose and another fell, both beyond noise
    SAME = "same"  # no difference that these records can show
    NOTHING = "nothing"  # no record that both answered


class Note(StrEnum):
    """What makes two runs less comparable than they look."""

    DATA = "data"  # other records file
    INPUTS = "inputs"  # other diffs
    REVISIONS = "revisions"  # other trees
    RECORDS = "records"  # records that only one of them ran


class Comparison(Frozen):
    """``records`` is how many both answered; ``unanswered`` those with an error in either."""

    first: str
    second: str
    records: int
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    unanswered: tuple[str, ...]
    notes: tuple[Note, ...]
    conclusion: Conclusion
    rows: tuple[Difference, ...]
    flips: tuple[Flip, ...]

    def row(self, key: str) -> Difference:
        """``KeyError`` for a key that was not compared."""
        found = next((row for row in self.rows if row.key == key), None)
        if found is None:
            raise KeyError(key)
        return found
