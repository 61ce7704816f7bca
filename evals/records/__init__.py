"""Facts of the labelled records: what the team decided for an upstream pull request, and which places it named.

``dev.jsonl`` beside this file holds one record a line. It carries labels, numbers, titles, dates, paths, scopes and
line ranges, and none of the team's sentences (``summary``, ``analysis``, ``cann_note`` are null). How to read them:

* ``change.files[].hunks`` are line ranges of the release diff torch 2.13.0 → 2.14.0 that belong to the pull request: a
  reconstruction. ``change.quality`` says how good it is; ``absent`` records have no hunks and enter no score that
  needs a diff. Tests and C++ are not in wheels; ``change.other_paths`` names some.
* ``revisions`` are the tags of the two releases, and the revision that the citations were found at, else the wheel.
* ``evidence.items`` are the team's citations that were found again in torch_npu at revision ``evidence.snapshot``.
  Lines drift between revisions, scopes mostly hold: compare (path, scope), and only what exists in the tree at hand.
"""

from __future__ import annotations

from evals.records.models import (
    Citation,
    Confidence,
    HunkRange,
    LabelledRecord,
    Quality,
    RecordChange,
    RecordEvidence,
    RecordFile,
    RecordRevisions,
    Source,
)
from evals.records.reading import batch_order, load_records, record_line, usable_records

__all__ = [
    "Citation",
    "Confidence",
    "HunkRange",
    "LabelledRecord",
    "Quality",
    "RecordChange",
    "RecordEvidence",
    "RecordFile",
    "RecordRevisions",
    "Source",
    "batch_order",
    "load_records",
    "record_line",
    "usable_records",
]
