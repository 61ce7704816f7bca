"""What a judge says, what people say of the same paragraphs, and how far they agree.

runs/NAME/judgements.jsonl       one `JudgedParagraph` a line, appended; the last line of a record and judge counts
runs/NAME/calibration.json       a `Calibration`: of one judge, against one file of people's grades
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from evals.judge import words
from evals.scores.models import Interval
from retrieval.models import Frozen
from reviewbot.errors import WriterFault
from reviewbot.models import Usage

Grade = Literal[0, 1, 2]
#: From the worst to the best; what each means for each criterion stands in `evals.judge.words.CRITERIA`.
GRADES: tuple[Grade, ...] = (0, 1, 2)
_LONGEST_REASON = 300


class Criterion(StrEnum):
    FAITHFUL = "faithful"  # what is said is in the change or the ledger
    COMPLETE = "complete"  # nothing is left out that the decision needs
    USEFUL = "useful"  # a maintainer knows what to do


class Graded(Frozen):
    """One grade with its reason, which comes first: a model that has to say why grades better."""

    model_config = ConfigDict(extra="ignore")

    reason: Annotated[str, Field(min_length=1, max_length=_LONGEST_REASON)]
    grade: Grade


class Judgement(Frozen):
    """The form filled in: a field for each `Criterion`."""

    model_config = ConfigDict(extra="ignore")

    faithful: Graded
    complete: Graded
    useful: Graded

    def grade(self, criterion: Criterion) -> Grade:
        graded: Graded = getattr(self, criterion)
        return graded.grade


class Judge(Frozen):
    """Who judges: a model under one version of the form and its prompt. Another version is another judge."""

    model: str
    prompt: str

    def __str__(self) -> str:
        return words.judge(self.model, self.prompt)


class JudgeFault(Frozen):
    """Why there is no judgement: ``message`` is a sentence for people."""

    fault: WriterFault
    message: str


class JudgedParagraph(Frozen):
    """One paragraph put to a judge: either a judgement or an error.

    ``text`` is the SHA-256 of the paragraph, so that a judgement never stands for another text. ``own``: the judge is
    among the models that drafted the run, as somebody asked for. ``usage`` is what was paid, in vain or not.
    """

    record: str
    judge: Judge
    text: str
    own: bool = False
    judgement: Judgement | None = None
    error: JudgeFault | None = None
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.judgement is None) is (self.error is None):
            raise ValueError(words.JUDGEMENT_OR_ERROR)
        return self


class Agreement(Frozen):
    """Judge and people on one criterion: ``pairs`` (a person's grade and the judge's) over ``records``.

    ``table[person][judge]`` counts them. ``share`` of pairs are the same grade. ``kappa`` is quadratic, null where
    chance alone leaves no disagreement. ``difference`` is the judge's mean minus people's: above 0 the judge is kinder.
    ``people_pairs`` are pairs of people on one record, ``people_same`` of which agree: no judge can be asked for more.
    """

    criterion: Criterion
    records: int
    pairs: int
    table: tuple[tuple[int, ...], ...]
    same: int
    share: float
    share_interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None
    difference: float
    difference_interval: Interval | None
    people_pairs: int
    people_same: int


class Calibration(Frozen):
    """``grades`` is the SHA-256 of the file with people's grades, ``analysts`` how many people filled it in."""

    judge: Judge
    grades: str
    records: int
    pairs: int
    analysts: int
    agreements: tuple[Agreement, ...]


class CriterionSummary(Frozen):
    """The judge's grades on one criterion: ``counts`` by grade, their ``mean``; and how far to believe them."""

    criterion: Criterion
    counts: tuple[int, ...]
    mean: float
    interval: Interval | None
    agreement: Agreement


class JudgeSummary(Frozen):
    """What a report may show. Of the run's ``paragraphs``, ``judged`` have grades and ``errors`` none.

    ``own``: the judge may have drafted some of these paragraphs itself. ``usage`` is all that it took on the run.
    """

    judge: Judge
    paragraphs: int
    judged: int
    errors: int
    own: bool
    criteria: tuple[CriterionSummary, ...]
    calibration: Calibration
    usage: Usage
