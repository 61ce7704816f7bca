"""One record of a report: what people decided beside what the engine said, and what explains the difference.

Pure: values in, values out. A row judges nothing anew; it compares labels and looks places up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evals.recall import Place
from evals.records import LabelledRecord
from evals.run.models import Answer, CaseError, Outcome
from evals.scores.label_values import VALUES
from reviewbot.models import Finding, Labels, needs_work
from reviewbot.precedents import CitedPlace
from reviewbot.render.export import AnalysisExport
from reviewbot.render.labels import LABEL_ORDER
from reviewbot.render.scrub import clean


class Standing(StrEnum):
    """How an answer stands to the people's on the one question that counts: does the record need work?"""

    MISSED = "missed"  # people say it does, the draft does not
    FALSE_ALARM = "false_alarm"
    AGREED = "agreed"
    ERROR = "error"  # no answer: an error is not a wrong answer
    PENDING = "pending"  # the run has not come to it


class PlaceStanding(StrEnum):
    """What became of a place that the team cites."""

    CITED = "cited"  # the draft cites it, too
    SHOWN = "shown"  # the ledger has it, the draft does not cite it
    UNSEEN = "unseen"  # the tree has it, the ledger does not
    ABSENT = "absent"  # the tree that was read does not have it: nobody could find it


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """``rank`` is the place's position in the ledger, from 1; None when it is not there. ``ledger_id`` is its ``E3``
    where the whole analysis is at hand.
    """

    place: Place
    token: str | None
    standing: PlaceStanding
    rank: int | None
    ledger_id: str | None


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence that verification took out, with its objections where the whole analysis is at hand."""

    sentence: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """``differing`` names the scored labels that differ, in table order; it is empty without an answer.

    ``objections`` are the verifier's that removed no sentence. ``whole`` is the analysis that the run kept of the
    record; None when not at hand.
    """

    record: LabelledRecord
    outcome: Outcome | None
    standing: Standing
    differing: tuple[str, ...]
    places: tuple[TeamPlace, ...]
    removed: tuple[RemovedSentence, ...]
    objections: tuple[Finding, ...]
    whole: AnalysisExport | None = None

    @property
    def answer(self) -> Answer | None:
        return self.outcome.answer if self.outcome else None

    @property
    def error(self) -> CaseError | None:
        return self.outcome.error if self.outcome else None

    @property
    def score(self) -> float | None:
        return self.answer.needs_work_score if self.answer else None

    @property
    def wrong(self) -> bool:
        """Whether any label differs."""
        return bool(self.differing)


def standing_of(record: LabelledRecord, outcome: Outcome | None) -> Standing:
    if outcome is None:
        return Standing.PENDING
    if outcome.answer is None:
        return Standing.ERROR
    said, told = needs_work(record.labels), needs_work(outcome.answer.labels)
    if said is told:
        return Standing.AGREED
    return Standing.MISSED if said else Standing.FALSE_ALARM


def differing_labels(one: Labels, other: Labels) -> tuple[str, ...]:
    """Names of the labels that differ, in the order of the team's table."""
    left, right = one.model_dump(), other.model_dump()
    return tuple(name for name in LABEL_ORDER if left[name] != right[name])


def wrong_labels(team: Labels, draft: Labels) -> tuple[str, ...]:
    """Those that differ among the labels that are scored."""
    return tuple(name for name in differing_labels(team, draft) if name in VALUES)


def build_row(record: LabelledRecord, outcome: Outcome | None, whole: AnalysisExport | None = None) -> RecordRow:
    answer = outcome.answer if outcome else None
    removed = answer.removed if answer else ()
    findings = whole.draft.findings if whole else ()
    messages = _messages(findings)
    return RecordRow(
        record=record,
        outcome=outcome,
        standing=standing_of(record, outcome),
        differing=wrong_labels(record.labels, answer.labels) if answer else (),
        places=tuple(_team_places(record, outcome, whole)),
        removed=tuple(RemovedSentence(one, messages.get(_key(one), ())) for one in removed),
        objections=tuple(one for one in findings if _key(one.sentence) not in {_key(sentence) for sentence in removed}),
        whole=whole,
    )


def build_rows(
    records: Sequence[LabelledRecord], outcomes: Mapping[str, Outcome], analyses: Mapping[str, AnalysisExport]
) -> tuple[RecordRow, ...]:
    """A row for every record, most likely to need work first; those without an answer come last, by id."""
    rows = (build_row(one, outcomes.get(one.id), analyses.get(one.id)) for one in records)
    return tuple(sorted(rows, key=lambda row: (row.score is None, -(row.score or 0.0), row.record.id)))


def _team_places(record: LabelledRecord, outcome: Outcome | None, whole: AnalysisExport | None) -> Iterator[TeamPlace]:
    """Distinct places in the record's order; nothing without an answer, since nothing can have found them."""
    if outcome is None or outcome.answer is None:
        return
    cited, existing = _places(outcome.answer.cited), _places(outcome.existing)
    ranks = _first_positions(Place(one.path, one.scope) for one in outcome.answer.shown)
    ids = {Place(item.path, item.scope): item.id for item in whole.ledger.items} if whole else {}
    tokens: dict[Place, str | None] = {}
    for item in record.evidence.items:
        tokens.setdefault(Place(item.path, item.scope), item.token)
    for place, token in tokens.items():
        if place in cited:
            standing = PlaceStanding.CITED
        elif place in ranks:
            standing = PlaceStanding.SHOWN
        else:
            standing = PlaceStanding.UNSEEN if place in existing else PlaceStanding.ABSENT
        yield TeamPlace(place, token, standing, ranks.get(place), ids.get(place))


def _places(cited: Iterable[CitedPlace]) -> frozenset[Place]:
    return frozenset(Place(one.path, one.scope) for one in cited)


def _first_positions(places: Iterable[Place]) -> dict[Place, int]:
    """From 1; a place that comes twice stands where it came first."""
    positions: dict[Place, int] = {}
    for position, place in enumerate(places, start=1):
        positions.setdefault(place, position)
    return positions


def _messages(findings: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """What was said against each sentence."""
    said: dict[str, tuple[str, ...]] = {}
    for finding in findings:
        said[_key(finding.sentence)] = (*said.get(_key(finding.sentence), ()), finding.message)
    return said


def _key(sentence: str) -> str:
    """The sentence as both sides can spell it: a kept analysis is cleaned, an answer is not."""
    return clean(sentence).strip()
