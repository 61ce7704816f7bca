"""Similar past records: which of them a writer may see, and which come nearest to the change at hand.

``cutoff`` says what was known when the change came, ``kinship`` what is the same work, ``terms`` and ``archive`` rank
what is left. Evaluation and service use the same code and differ in the cutoff alone.
"""

from __future__ import annotations

from reviewbot.precedents.archive import open_archive
from reviewbot.precedents.cutoff import AcceptedBefore, Cutoff, LabelledEarlier
from reviewbot.precedents.fingerprints import fingerprints
from reviewbot.precedents.models import Archive, CitedPlace, PastRecord
from reviewbot.precedents.past import past_record

__all__ = [
    "AcceptedBefore",
    "Archive",
    "CitedPlace",
    "Cutoff",
    "LabelledEarlier",
    "PastRecord",
    "fingerprints",
    "open_archive",
    "past_record",
]
