"""What a run amounts to, in a few honest sentences: who answered, the two figures that count, and the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.report import words
from evals.report.beating import Comparison, Contest, rates, sum_of_rates
from evals.report.numbers import count_text, interval_text, percent, value_text
from evals.run.models import Engine
from evals.scores import words as score_words
from evals.scores.baselines import RULES
from evals.scores.models import Score, ScoreSheet


def headline(engine: Engine, sheet: ScoreSheet, comparisons: Sequence[Comparison], model: str = "") -> tuple[str, ...]:
    """What was measured, and what it is worth: two sentences. ``model`` is the model's name, if there is one."""
    measured = words.headline_engine(engine, model, sheet.answered, sheet.records)
    measured += words.headline_rates([_rate(score) for score in rates(sheet)])
    # The rules are no baseline of themselves.
    rivals = [one for one in comparisons if not (engine is Engine.RULES and one.baseline == RULES)]
    return measured, _worth(sheet, rivals)


def _rate(score: Score) -> str:
    name = score_words.NAMES[score.key]
    if score.value is None:
        return words.headline_none(name)
    return words.headline_rate(name, value_text(score), count_text(score), interval_text(score))


def _worth(sheet: ScoreSheet, rivals: Sequence[Comparison]) -> str:
    if not rivals:
        return words.NO_BASELINES
    if any(one.contest is Contest.OPEN for one in rivals):
        return words.NOTHING_TO_COMPARE
    won = all(one.contest is Contest.WON for one in rivals)
    verdict = words.headline_worth(won=won, certain=all(one.certain for one in rivals))
    return verdict + words.clauses([*_against_constants(sheet, rivals), *_against_others(rivals)]) + words.STOP


def _against_constants(sheet: ScoreSheet, rivals: Sequence[Comparison]) -> Iterator[str]:
    constant = next((one for one in rivals if one.constant), None)
    if constant is not None:
        yield words.against_constants(percent(sum_of_rates(sheet)), constant.contest, doubtful=not constant.certain)


def _against_others(rivals: Sequence[Comparison]) -> Iterator[str]:
    """Baselines by how the run comes out against them, the best first; what may be chance is said apart."""
    for contest in Contest:
        for certain in (True, False):
            names = [
                score_words.baseline_name(one.baseline)
                for one in rivals
                if not one.constant and one.contest is contest and one.certain is certain
            ]
            if names:
                yield words.against_others(contest, names, doubtful=not certain)
