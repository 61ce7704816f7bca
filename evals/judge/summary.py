"""What may be shown of a judge: its grades together with its agreement with people, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np

from evals.judge import words
from evals.judge.cases import paragraphs_of
from evals.judge.models import (
    GRADES,
    Agreement,
    Calibration,
    CriterionSummary,
    JudgedParagraph,
    Judgement,
    JudgeSummary,
)
from evals.judge.storage import Judgements, load_calibration, standing
from evals.run.folder import RunFolder
from evals.scores.intervals import bootstrap_interval, draw_weights
from reviewbot.drafting.model.money import together
from reviewbot.models import Usage


class Shown(NamedTuple):
    """``summary`` is None unless a calibration of the very judge is there; ``reason`` then says why, "" where nobody
    ever judged the run and there is nothing to tell.
    """

    summary: JudgeSummary | None
    reason: str = ""


NOBODY_JUDGED = Shown(None)


def judge_summary(folder: RunFolder) -> Shown:
    """Of the judge that was calibrated on this run. Raises RunFolderError for files that are damaged."""
    lines = Judgements(folder).read()
    if not lines:
        return Shown(None)
    judges = [str(judge) for judge in dict.fromkeys(line.judge for line in lines)]
    calibration = load_calibration(folder)
    if calibration is None:
        return Shown(None, words.not_calibrated(judges, folder.path.name))
    if str(calibration.judge) not in judges:
        return Shown(None, words.calibrated_other(str(calibration.judge), judges))
    paragraphs = paragraphs_of(folder.run())
    found = standing(lines, calibration.judge, paragraphs)
    if not any(line.judgement for line in found.values()):
        return Shown(None, words.NONE_STANDS)
    paid = [line.usage for line in lines if line.judge == calibration.judge]
    return Shown(_summary(calibration, found, len(paragraphs), reduce(together, paid)))


def _summary(
    calibration: Calibration, found: Mapping[str, JudgedParagraph], paragraphs: int, usage: Usage
) -> JudgeSummary:
    judgements = [line.judgement for line in found.values() if line.judgement is not None]
    return JudgeSummary(
        judge=calibration.judge,
        paragraphs=paragraphs,
        judged=len(judgements),
        errors=len(found) - len(judgements),
        own=any(line.own for line in found.values()),
        criteria=tuple(_criterion(one, judgements) for one in calibration.agreements),
        calibration=calibration,
        usage=usage,
    )


def _criterion(agreement: Agreement, judgements: list[Judgement]) -> CriterionSummary:
    grades = np.array([one.grade(agreement.criterion) for one in judgements], dtype=np.float64)
    weights = draw_weights(np.arange(len(grades)))
    return CriterionSummary(
        criterion=agreement.criterion,
        counts=tuple(int((grades == grade).sum()) for grade in GRADES),
        mean=float(grades.mean()),
        interval=bootstrap_interval(weights @ grades / len(grades), len(grades)),
        agreement=agreement,
    )
