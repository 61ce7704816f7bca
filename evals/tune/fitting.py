"""The whole fit: leave one batch out for the figures, then once on everything for the table. No I/O."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from evals.ranking import Number
from evals.recall import RankedRecord
from evals.tune.examples import Example, Trials, goodness, ranked_record
from evals.tune.folds import Fold, Movement, Values, batches, leave_one_batch_out, movements
from evals.tune.search import Search


@dataclass(frozen=True, slots=True)
class Tuned:
    """``held_out`` has every record as ranked by weights that did not see its batch; ``by_hand`` by the hand-set ones.
    ``fitted`` are the weights of a fit on everything: no figure is given for them.
    """

    held_out: tuple[RankedRecord, ...]
    by_hand: tuple[RankedRecord, ...]
    fitted: Values
    folds: tuple[Fold, ...]
    movements: tuple[Movement, ...]


class Tuner:
    """Fits the numbers ``start`` of a table."""

    def __init__(
        self,
        start: dict[str, Number],
        examples: Sequence[Example],
        search: Search | None = None,
    ) -> None:
        self._start = start
        self._examples = tuple(examples)
        self._search = search or Search()
        self.trials = Trials(examples, start)
        #: A number that changes no record's order stays as it is.
        self.names = tuple(name for name in start if self.trials.concerned(name, examples))
        self.folds = len(batches(examples))

    @property
    def rankings_at_most(self) -> int:
        """Rankings that the fit on everything takes at most; folds mostly repeat them."""
        each = sum(self.trials.concerned(name, self._examples) for name in self.names)
        return each * (len(self._search.factors) + 1) * self._search.rounds

    def tune(self, report: Callable[[int, int], None] = lambda done, total: None) -> Tuned:
        """``report`` gets the steps done and the most there can be; a fit that settles early leaves out steps."""
        each, fits = len(self.names) * self._search.rounds, count()

        def fit(examples: Sequence[Example]) -> Values:
            steps = count(next(fits) * each + 1)
            return self.fit(examples, lambda: report(next(steps), each * (self.folds + 1)))

        fitted = fit(self._examples)
        folds = tuple(leave_one_batch_out(self._examples, fit))
        held_out = {one.id: self._ranked(one, fold.values) for fold in folds for one in fold.held_out}
        return Tuned(
            held_out=tuple(held_out[one.id] for one in self._examples),
            by_hand=tuple(self._ranked(one, self._start) for one in self._examples),
            fitted=fitted,
            folds=folds,
            movements=tuple(movements(self._start, fitted, folds)),
        )

    def fit(self, examples: Sequence[Example], tried: Callable[[], None] = lambda: None) -> Values:
        """The weights that ``examples`` alone ask for."""

        def good(values: Values) -> float:
            return goodness(examples, (self.trials.outcome(one, values) for one in examples))

        return self._search.climb(self._start, self.names, good, tried)

    def _ranked(self, example: Example, values: Values) -> RankedRecord:
        return ranked_record(example, self.trials.outcome(example, values))
