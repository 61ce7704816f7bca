"""Past records of a team: the rows of its table, joined with the changes that were analysed here.

A row alone has no diff, and without one nobody can tell whether it is about the same work (`kinship`), nor by which
files and symbols it is near. So a row counts when the store holds an analysis of its pull request: the labels and texts
are the row's, paths, symbols and places those of the analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from reviewbot.citations import cited_ids
from reviewbot.couplings import citable
from reviewbot.models import Analysis
from reviewbot.precedents.models import CitedPlace, PastRecord
from reviewbot.precedents.past import past_record
from reviewbot.records.models import TeamRecord


def team_records(
    rows: Iterable[TeamRecord], analysis_of: Callable[[int], Analysis | None], accepted: datetime
) -> Iterator[PastRecord]:
    """``analysis_of`` gives the newest analysis of an upstream pull request; ``accepted`` is when people stood by the
    rows. Of several rows about one pull request the last counts.
    """
    for number, row in {row.upstream_pr: row for row in rows if row.upstream_pr is not None}.items():
        analysis = analysis_of(number)
        if analysis is not None:
            yield past_record(
                f"pytorch/pytorch#{number}",
                analysis.change,
                analysis.delta,
                row.labels,
                _places(analysis),
                accepted=accepted,
                summary=row.summary or "",
                analysis=row.analysis,
            )


def _places(analysis: Analysis) -> Iterator[CitedPlace]:
    items = citable(analysis.ledger)
    for one in cited_ids(analysis.draft.analysis):
        if one in items:
            yield CitedPlace(path=items[one].path, scope=items[one].scope)
