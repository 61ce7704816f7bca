"""Figures over all prompts, each beside its target where it has one. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from evals.prompts.measuring import Measured
from evals.recall import Ratio

MOST_TOKENS = 8_000
LEAST_RECALL = 0.95


@dataclass(frozen=True, slots=True)
class Figures:
    """``tokens`` are median, 95th percentile and maximum; ``prefix`` is the median share of the stable prefix.

    ``places``: of the ledgers' places, those in the prompt. ``cited_in_ledger``: of the places people cited, those in
    the ledger; ``cited_in_prompt``: of these, those in the prompt. ``unread`` hunks hold product code, in
    ``unread_in`` records. ``decided`` by the rules; of these, ``plain`` cases are not sent at all. ``past`` prompts
    show similar past records.
    """

    records: int
    tokens: tuple[int, int, int]
    prefix: float
    places: Ratio
    cited_in_ledger: Ratio
    cited_in_prompt: Ratio
    files: Ratio
    hunks: Ratio
    unread: int
    unread_in: int
    decided: Ratio
    plain: Ratio
    past: Ratio

    @property
    def targets(self) -> dict[str, bool]:
        """Whether each target is met, by the name of its figure. Nothing to find is nothing missed."""
        return {
            "tokens_median": self.tokens[0] <= MOST_TOKENS,
            "places": _at_least(self.places, LEAST_RECALL),
            "cited_in_prompt": _at_least(self.cited_in_prompt, LEAST_RECALL),
            "files": _at_least(self.files, 1.0),
        }


def figures_of(measured: Sequence[Measured]) -> Figures:
    """Raises ``ValueError`` for no prompt at all."""
    if not measured:
        raise ValueError(measured)
    tokens = sorted(one.tokens for one in measured)
    return Figures(
        records=len(measured),
        tokens=(round(median(tokens)), tokens[ceil(0.95 * len(tokens)) - 1], tokens[-1]),
        prefix=median(one.prefix_tokens / one.tokens for one in measured),
        places=_sum(Ratio(one.places - len(one.missing), one.places) for one in measured),
        cited_in_ledger=_sum(Ratio(len(one.cited), len(one.expected)) for one in measured),
        cited_in_prompt=_sum(Ratio(len(one.cited_told), len(one.cited)) for one in measured),
        files=_sum(Ratio(one.files_told, one.files) for one in measured),
        hunks=_sum(Ratio(one.hunks_told, one.hunks) for one in measured),
        unread=sum(one.unread for one in measured),
        unread_in=sum(one.unread > 0 for one in measured),
        decided=Ratio(sum(one.decided for one in measured), len(measured)),
        plain=Ratio(sum(one.plain for one in measured), len(measured)),
        past=Ratio(sum(one.past for one in measured), len(measured)),
    )


def _sum(ratios: Iterable[Ratio]) -> Ratio:
    counted = list(ratios)
    return Ratio(sum(one.hits for one in counted), sum(one.total for one in counted))


def _at_least(ratio: Ratio, least: float) -> bool:
    return ratio.value is None or ratio.value >= least
