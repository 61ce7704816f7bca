"""A correction as a labelled record: the row that ``reviewbot records`` writes."""

from __future__ import annotations

from reviewbot.conversation import words
from reviewbot.models import Analysis
from reviewbot.records.models import TeamRecord, team_record
from reviewbot.render.record import record
from reviewbot.render.scrub import scrub_line
from reviewbot.service.models import Correction


def labelled_record(correction: Correction, analysis: Analysis) -> TeamRecord:
    """Labels and author are the person's, the paragraph the analysis', with the day and the reason said at its end."""
    row = team_record(record(analysis))
    said = words.labelled(correction.kind, correction.at.date().isoformat(), scrub_line(correction.note))
    settled = {
        "labels": correction.labels.model_dump(),
        "analysis": f"{row.analysis}\n{said}",
        "analyst": scrub_line(correction.author),
    }
    return TeamRecord.model_validate(row.model_dump() | settled)
