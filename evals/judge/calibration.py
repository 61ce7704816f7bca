"""How far a judge agrees with people on the same paragraphs. Pure; deterministic.

Several people may grade one paragraph. Then its pairs are not independent: intervals draw whole records, and the
Wilson interval of the share rests on as many independent records as its pairs are worth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from evals.judge import words
from evals.judge.errors import JudgeError
from evals.judge.grades import PersonsGrades
from evals.judge.models import GRADES, Agreement, Calibration, Criterion, Judge, JudgedParagraph, Judgement
from evals.scores.agreement import divided, kappa, tables
from evals.scores.intervals import Floats, Ints, bootstrap_interval, clustered_wilson, draw_weights, wilson
from evals.scores.models import Interval

#: Of fewer records graded by both, no agreement is told.
FEWEST = 10


def chosen_judge(lines: Sequence[JudgedParagraph], model: str | None, run: str) -> Judge:
    """The judge to calibrate: of ``model``, or the only model there is, under the prompt it was last asked with.

    Raises JudgeError when the run was not judged, not by ``model``, or by several models and none is named.
    """
    judges = list(dict.fromkeys(line.judge for line in lines if line.judgement is not None))
    models = list(dict.fromkeys(judge.model for judge in judges))
    if not models:
        raise JudgeError(words.no_judgements(run))
    if model is None and len(models) > 1:
        raise JudgeError(words.which_judge(models))
    if model not in (None, *models):
        raise JudgeError(words.not_judged_by(str(model), models))
    return next(judge for judge in reversed(judges) if model in (None, judge.model))


def calibrate(
    judge: Judge, judgements: Mapping[str, Judgement], people: Sequence[PersonsGrades], digest: str
) -> Calibration:
    """``judgements`` by record; ``digest`` is the SHA-256 of the file of grades.

    Raises JudgeError for fewer than `FEWEST` records that both have graded.
    """
    common = [one for one in people if one.record in judgements]
    records = {one.record for one in common}
    if len(records) < FEWEST:
        graded = len({one.record for one in people})
        raise JudgeError(words.too_few(len(records), FEWEST, graded, len(judgements)))
    return Calibration(
        judge=judge,
        grades=digest,
        records=len(records),
        pairs=len(common),
        analysts=len({one.analyst for one in common}),
        agreements=tuple(agreement(one, judgements, common) for one in Criterion),
    )


def agreement(criterion: Criterion, judgements: Mapping[str, Judgement], people: Sequence[PersonsGrades]) -> Agreement:
    """Over pairs of which every record has a judgement."""
    numbers = {record: number for number, record in enumerate(sorted({one.record for one in people}))}
    of_record = np.array([numbers[one.record] for one in people])
    said = np.array([one.grades[criterion] for one in people])
    judged = np.array([judgements[one.record].grade(criterion) for one in people])
    weights = np.vstack([np.ones(len(people)), draw_weights(of_record)])
    found = tables(said, judged, len(GRADES), weights)
    kappas = kappa(found, quadratic=True)
    gaps = divided(weights @ (judged - said), weights.sum(axis=-1))
    same = int((said == judged).sum())
    pairs_of_people = _pairs_of_people(criterion, people)
    return Agreement(
        criterion=criterion,
        records=len(numbers),
        pairs=len(people),
        table=tuple(tuple(int(cell) for cell in row) for row in found[0]),
        same=same,
        share=same / len(people),
        share_interval=_share_interval((said == judged).astype(float), of_record, len(numbers)),
        kappa=None if np.isnan(kappas[0]) else float(kappas[0]),
        kappa_interval=bootstrap_interval(kappas[1:], len(numbers)),
        difference=float(gaps[0]),
        difference_interval=bootstrap_interval(gaps[1:], len(numbers)),
        people_pairs=len(pairs_of_people),
        people_same=sum(first == second for first, second in pairs_of_people),
    )


def _share_interval(same: Floats, of_record: Ints, records: int) -> Interval | None:
    if len(same) == records:
        return wilson(float(same.sum()), records)
    hits = np.bincount(of_record, weights=same).astype(np.float64)
    pairs = np.bincount(of_record).astype(np.float64)
    return clustered_wilson(hits, pairs, np.arange(records))


def _pairs_of_people(criterion: Criterion, people: Sequence[PersonsGrades]) -> list[tuple[int, int]]:
    """Grades of every two people on one record."""
    by_record: defaultdict[str, list[int]] = defaultdict(list)
    for one in people:
        by_record[one.record].append(one.grades[criterion])
    return [pair for grades in by_record.values() for pair in combinations(grades, 2)]
