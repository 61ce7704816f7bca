"""Makes a past record of a change, its delta and what people decided of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime

from retrieval.models import Delta, UpstreamChange
from reviewbot.models import Labels
from reviewbot.precedents.fingerprints import fingerprints
from reviewbot.precedents.models import CitedPlace, PastRecord


def past_record(
    record_id: str,
    change: UpstreamChange,
    delta: Delta,
    labels: Labels,
    evidence: Iterable[CitedPlace] = (),
    *,
    batch: int | None = None,
    accepted: datetime | None = None,
    summary: str = "",
    analysis: str = "",
) -> PastRecord:
    """``evidence`` in the order of the record, repetitions dropped. ``ValueError`` for a date that is none."""
    return PastRecord(
        id=record_id,
        upstream_pr=change.number,
        date=date.fromisoformat(change.date[:10]) if change.date else None,
        batch=batch,
        accepted=accepted,
        title=change.title,
        reverted=change.reverted,
        labels=labels,
        paths=paths_of(change),
        symbols=symbols_of(delta),
        lines=fingerprints(change),
        evidence=tuple(dict.fromkeys(evidence)),
        summary=summary,
        analysis=analysis,
    )


def paths_of(change: UpstreamChange) -> tuple[str, ...]:
    """All paths of a change: those of its diff first, then those that only its description names."""
    return tuple(dict.fromkeys((*(file.path for file in change.files), *change.other_paths)))


def symbols_of(delta: Delta) -> tuple[str, ...]:
    """What a change touches, in names, old names of renamed definitions included."""
    return tuple(dict.fromkeys(_symbols(delta)))


def _symbols(delta: Delta) -> Iterator[str]:
    for definition in delta.definitions:
        yield definition.symbol
        yield definition.old_symbol
    for operator in delta.operators:
        yield operator.operator
    for config in delta.configs:
        yield config.flag
    for test in delta.tests:
        yield test.scope
