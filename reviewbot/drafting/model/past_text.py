"""Similar past records as a model reads them: labels, files and evidence; their texts only where a team brought any.

They stand apart from the ledger and carry no ids, so nothing of this change can be proved with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.drafting.model import words
from reviewbot.drafting.model.outside import told_line
from reviewbot.drafting.model.tokens import Count
from reviewbot.precedents import PastRecord
from reviewbot.render.labels import label_cells

_MOST_PATHS = 3
_MOST_PLACES = 3


def past_text(records: Sequence[PastRecord], allowance: int, count: Count) -> str:
    """As many records, the nearest first, as ``allowance`` tokens hold; empty without any."""
    shown: list[str] = []
    for record in records:
        text = "\n".join(_lines(record))
        allowance -= count(text) + 1
        if allowance < 0:
            break
        shown.append(text)
    return "\n".join(shown)


def _lines(record: PastRecord) -> Iterator[str]:
    yield words.past_head(record.upstream_pr, told_line(record.title), record.reverted)
    yield words.past_labels(label_cells(record.labels))
    if record.paths:
        yield words.past_paths([told_line(path) for path in record.paths[:_MOST_PATHS]])
    if record.evidence:
        places = [told_line(f"{place.path} {place.scope}") for place in record.evidence[:_MOST_PLACES]]
        yield words.past_evidence(places)
    if record.summary or record.analysis:
        yield words.past_text(told_line(record.summary), told_line(record.analysis))
