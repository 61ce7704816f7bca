"""What a run keeps. Everything that comes after (scores, comparison, report, gate) reads these and nothing else.

runs/NAME/manifest.json          a `Manifest`: everything needed to do the run again
runs/NAME/outcomes.jsonl         one `Outcome` a line, appended as records finish; the last line of a record counts
runs/NAME/analyses/<id>.json     the whole analysis of a record in its published shape, for the report's pages
runs/NAME/scores.json            a `Scoring` (`evals.scores`), computed anew from the outcomes by every run and rescore
FILE.json                        a `Run`: manifest and last outcomes in one file
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from evals.run import words
from evals.run.engine import Engine as Engine
from retrieval.models import Frozen
from reviewbot.errors import WriterFault
from reviewbot.models import AnalysisState, Decision, FindingKind, Labels, Score, Usage
from reviewbot.precedents import CitedPlace

#: Raised when a name or meaning in these files changes.
RUN_FORMAT = 1


class Revisions(Frozen):
    """The trees a run read: versions of wheels, or commits."""

    upstream_base: str
    downstream: str


class Manifest(Frozen):
    """``versions`` are those of the analyses (rubric, template or prompts, extractor, package); ``parameters`` those of
    the engine (model name, temperature ...), never a key. ``data`` is the SHA-256 of the records file and ``inputs``
    that of the diffs. ``records`` are the ids asked for, in order, ``pulled`` those of them whose diff is that of the
    fetched pull request; ``commit`` is null outside a git work tree.
    """

    format: int = RUN_FORMAT
    name: str
    engine: Engine
    created: datetime
    records: tuple[str, ...]
    pulled: tuple[str, ...] = ()
    split: str | None
    sample: int | None
    seed: int
    data: str
    inputs: str
    revisions: Revisions
    versions: dict[str, str]
    parameters: dict[str, str]
    commit: str | None
    dirty: bool


class ErrorKind(StrEnum):
    """Where a record without an answer failed."""

    INPUT = "input"  # no diff, or one that cannot be read
    WRITER = "writer"  # the writer gave no draft; `fault` says why
    ANALYSIS = "analysis"  # anything else on the way


class CaseError(Frozen):
    """``usage`` is what was paid for although no answer came of it."""

    kind: ErrorKind
    fault: WriterFault | None = None
    message: str
    usage: Usage = Usage()


class Answer(Frozen):
    """What the engine said of one record, and what verification left of it.

    ``labels`` and texts are as they would be printed, ``proposed`` the labels before verification, ``prior`` those of
    the rules with ``prior_score`` as their needs-work score. ``cited`` are the
    distinct places of the printed paragraph, ``shown`` those of the ledger in its order. Of the ``citations`` that the
    proposed draft writes, ``resolved`` lead to a place or miss of the ledger. ``draft`` is the checked paragraph with
    its ledger ids, ``analysis`` the same with places. ``seconds`` is wall clock for the whole record.
    """

    state: AnalysisState
    labels: Labels
    needs_work_score: Score
    proposed: Labels
    prior: Labels
    prior_score: Score | None = None
    decision: Decision
    rules: tuple[str, ...]
    summary: str
    analysis: str
    draft: str
    cited: tuple[CitedPlace, ...]
    shown: tuple[CitedPlace, ...]
    citations: Annotated[int, Field(ge=0)]
    resolved: Annotated[int, Field(ge=0)]
    removed: tuple[str, ...]
    findings: Mapping[FindingKind, int]
    usage: Usage
    seconds: float


class Outcome(Frozen):
    """One record: either an answer or an error, never both, never neither.

    ``existing`` are the record's citations that the downstream tree of the run has, and ``nearest`` is the id of the
    most similar record of an earlier batch: both kept so that scoring needs no tree.
    """

    record: str
    answer: Answer | None = None
    error: CaseError | None = None
    existing: tuple[CitedPlace, ...] = ()
    nearest: str | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.answer is None) is (self.error is None):
            raise ValueError(words.ANSWER_OR_ERROR)
        return self

    @property
    def usage(self) -> Usage:
        """What the record cost, with or without an answer."""
        paid = self.answer or self.error
        return paid.usage if paid is not None else Usage()


class Run(Frozen):
    """A run as whoever scores it reads it: the last outcome of each record that has one, in the manifest's order."""

    manifest: Manifest
    outcomes: tuple[Outcome, ...]
