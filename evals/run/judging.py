"""A stored run beside the labels it is scored against, and its scores. Pure: no tree is read, no record is run."""

from __future__ import annotations

from collections.abc import Sequence

from evals.recall import Place
from evals.records import LabelledRecord
from evals.run import words
from evals.run.errors import SelectionError
from evals.run.models import Outcome, Run
from evals.scores.baselines import score
from evals.scores.models import Judged, Scoring


def scoring_of(run: Run, records: Sequence[LabelledRecord]) -> Scoring:
    """The run's scores beside the baselines'. ``records`` is the whole file, of which the run may have taken a part."""
    labels = {record.id: record.labels for record in records}
    nearest = {one.record: labels.get(one.nearest) if one.nearest else None for one in run.outcomes}
    return score(run.manifest.name, judged(run, records), pool=records, nearest=nearest)


def within(run: Run, records: Sequence[LabelledRecord]) -> Run:
    """The run as if only these records had been asked for."""
    ids = {record.id for record in records}
    outcomes = tuple(outcome for outcome in run.outcomes if outcome.record in ids)
    chosen = tuple(one for one in run.manifest.records if one in ids)
    return Run(manifest=run.manifest.model_copy(update={"records": chosen}), outcomes=outcomes)


def judged(run: Run, records: Sequence[LabelledRecord]) -> tuple[Judged, ...]:
    """One row per outcome, in the manifest's order. Raises SelectionError when ``records`` lack one of the run's."""
    known = {record.id: record for record in records}
    lacking = [outcome.record for outcome in run.outcomes if outcome.record not in known]
    if lacking:
        raise SelectionError(words.records_lack(lacking))
    return tuple(_row(known[outcome.record], outcome) for outcome in run.outcomes)


def _row(record: LabelledRecord, outcome: Outcome) -> Judged:
    existing = frozenset(Place(place.path, place.scope) for place in outcome.existing)
    return Judged(record=record, outcome=outcome, existing=existing, text=record.analysis or "")
