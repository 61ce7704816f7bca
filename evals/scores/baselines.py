"""What an answer is worth that takes no reading: every engine has to beat these, over the same records.

* ``constant:VERDICT/RISK``: one answer for all, for every pair that the rubric can give or that people gave. Its other
  labels are what the records with that pair mostly say, its needs-work score the share of records that need work;
  both with hindsight, which flatters it.
* ``batch-majority``: what the other records of the batch say, the habit of whoever labelled it.
* ``nearest-earlier``: the labels of the most similar record of an earlier batch, chosen elsewhere.
* ``rules``: the prior before anything was written.

They answer with labels and a needs-work score and are scored on those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from evals.records import LabelledRecord
from evals.run.models import Answer, Outcome
from evals.scores.keys import LABEL_KEYS
from evals.scores.majority import WITHOUT_RECORDS, Guess, batch_majority, earlier, majority, share_that_needs_work
from evals.scores.models import Judged, ScoreSheet, Scoring
from evals.scores.sheet import score_sheet
from reviewbot.models import (
    AnalysisState,
    Decision,
    Labels,
    NeedsAdaptation,
    Risk,
    Usage,
    Verdict,
    YesNo,
    needs_work,
)
from reviewbot.rubric import load_rubric
from reviewbot.rubric.effects import VerdictEffect

CONSTANT = "constant"
BATCH_MAJORITY = "batch-majority"
NEAREST_EARLIER = "nearest-earlier"
RULES = "rules"

Guesser = Callable[[Judged, Answer], Guess]
Nearest = Mapping[str, Labels | None]


def score(
    name: str, judged: Sequence[Judged], *, pool: Sequence[LabelledRecord] | None = None, nearest: Nearest | None = None
) -> Scoring:
    """The sheet of a run beside its baselines."""
    voters = [one.record for one in judged] if pool is None else pool
    return Scoring(sheet=score_sheet(name, judged, pool=voters), baselines=baselines(judged, voters, nearest))


def baselines(
    judged: Sequence[Judged], pool: Sequence[LabelledRecord], nearest: Nearest | None = None
) -> tuple[ScoreSheet, ...]:
    """Sheets over the answered records of ``judged``, so that a run with errors is compared on what it answered.

    ``pool`` are all labelled records at hand, in the order of labelling. ``nearest`` maps record ids to the labels of
    the nearest earlier record; an id without one falls back to the majority of all earlier batches. Without ``nearest``
    that baseline is left out.
    """
    answered = [one for one in judged if one.outcome.answer]
    return tuple(_sheet(name, answered, pool, guess) for name, guess in _guessers(pool, nearest))


def _guessers(pool: Sequence[LabelledRecord], nearest: Nearest | None) -> Iterator[tuple[str, Guesser]]:
    for verdict, risk in answers_to_give(pool):
        yield f"{CONSTANT}:{verdict}/{risk}", _always(constant(verdict, risk, pool))
    yield BATCH_MAJORITY, lambda one, _: batch_majority(one.record, pool)
    if nearest is not None:
        yield NEAREST_EARLIER, lambda one, _: nearest_earlier(one.record, pool, nearest)
    yield RULES, lambda _, answer: rules_alone(answer)


def _always(guess: Guess) -> Guesser:
    return lambda _one, _answer: guess


def answers_to_give(pool: Sequence[LabelledRecord]) -> tuple[tuple[Verdict, Risk], ...]:
    """Verdict and risk pairs that a rule can give or a record has, in the order of the enumerations."""
    effects = (rule.effect for rule in load_rubric().rules)
    pairs = {(effect.verdict, effect.risk) for effect in effects if isinstance(effect, VerdictEffect)}
    pairs |= {(one.labels.verdict, one.labels.risk) for one in pool}
    return tuple((verdict, risk) for verdict in Verdict for risk in Risk if (verdict, risk) in pairs)


def constant(verdict: Verdict, risk: Risk, pool: Sequence[LabelledRecord]) -> Guess:
    """Where no record has the pair, Shim means code to change, and all but Check reach the user."""
    alike = [one for one in pool if (one.labels.verdict, one.labels.risk) == (verdict, risk)]
    if alike:
        labels = majority(alike, pool).labels
    else:
        changes = {
            "verdict": verdict,
            "risk": risk,
            "needs_adaptation": NeedsAdaptation.YES if verdict is Verdict.SHIM else NeedsAdaptation.NO,
            "npu_affected": YesNo.NO if verdict is Verdict.CHECK else YesNo.YES,
        }
        labels = WITHOUT_RECORDS.model_copy(update=changes)
    return Guess(labels, share_that_needs_work(pool))


def nearest_earlier(record: LabelledRecord, pool: Sequence[LabelledRecord], nearest: Nearest) -> Guess:
    labels = nearest.get(record.id)
    if labels is not None:
        return Guess(labels, float(needs_work(labels)))
    before = majority(earlier(record, pool))
    return Guess(before.labels, before.score, fell_back=True)


def rules_alone(answer: Answer) -> Guess:
    """Where a run kept no score of the rules, what their labels say."""
    kept = answer.prior_score
    return Guess(answer.prior, float(needs_work(answer.prior)) if kept is None else kept, fell_back=kept is None)


def _sheet(
    name: str,
    answered: Sequence[Judged],
    pool: Sequence[LabelledRecord],
    guess: Guesser,
) -> ScoreSheet:
    guesses = [(one, guess(one, one.outcome.answer)) for one in answered if one.outcome.answer]
    judged = [
        Judged(record=one.record, outcome=Outcome(record=one.record.id, answer=_answer(guessed)))
        for one, guessed in guesses
    ]
    fallbacks = sum(guessed.fell_back for _, guessed in guesses)
    return score_sheet(name, judged, pool=pool, keys=LABEL_KEYS, fallbacks=fallbacks)


def _answer(guess: Guess) -> Answer:
    """A bare answer: labels and a score, nothing read and nothing written."""
    return Answer(
        state=AnalysisState.DONE,
        labels=guess.labels,
        needs_work_score=guess.score,
        proposed=guess.labels,
        prior=guess.labels,
        decision=Decision.DECIDED,
        rules=(),
        summary="",
        analysis="",
        draft="",
        cited=(),
        shown=(),
        citations=0,
        resolved=0,
        removed=(),
        findings={},
        usage=Usage(),
        seconds=0.0,
    )
