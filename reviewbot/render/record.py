"""The team's record out of an analysis: labels, summary, and the paragraph with its ids resolved."""

from __future__ import annotations

from reviewbot.citations import render_citations
from reviewbot.models import Analysis, Record
from reviewbot.render.scrub import scrub, scrub_line


def record(analysis: Analysis) -> Record:
    """The record as it may be printed or posted: scrubbed, ids as ``path:line`` and counted misses."""
    return Record(
        upstream_pr=analysis.change.number,
        title=scrub_line(analysis.change.title),
        date=analysis.change.date,
        labels=analysis.draft.labels,
        summary=scrub_line(render_citations(analysis.draft.summary, analysis.ledger)),
        analysis=scrub(render_citations(analysis.draft.analysis, analysis.ledger)),
    )
