"""What a table says against itself: labels of one row that exclude each other, one pull request judged twice.

Every objection is for a person to settle; nothing is changed or left out for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.records import words
from reviewbot.records.models import Problem, ReadRow, Severity, TeamRecord
from reviewbot.records.rows import column_name


def inconsistencies(rows: Iterable[ReadRow]) -> tuple[Problem, ...]:
    """In the order of the rows; a repeated pull request is told of at each row after its first."""
    first: dict[int, ReadRow] = {}
    found: list[Problem] = []
    for row in rows:
        reasons = list(_within(row.record))
        number = row.record.upstream_pr
        if number is not None:
            earlier = first.setdefault(number, row)
            if earlier is not row:
                reasons.append(_again(number, earlier, row.record.labels))
        found += [Problem(line=row.line, severity=Severity.INCONSISTENT, reason=reason) for reason in reasons]
    return tuple(found)


def _within(record: TeamRecord) -> Iterator[str]:
    labels = record.labels
    if labels.verdict is Verdict.SHIM and labels.needs_adaptation is NeedsAdaptation.NO:
        yield words.SHIM_WITHOUT_CHANGE
    if labels.verdict is Verdict.CHECK and labels.needs_adaptation is NeedsAdaptation.YES:
        yield words.CHECK_WITH_CHANGE
    if labels.verdict is Verdict.CHECK and labels.risk is Risk.HIGH:
        yield words.CHECK_WITH_HIGH_RISK
    if labels.npu_affected is YesNo.NO and labels.risk is Risk.HIGH:
        yield words.UNAFFECTED_WITH_HIGH_RISK
    if labels.needs_cann is YesNo.YES and record.cann_note is None:
        yield words.CANN_WITHOUT_NOTE
    if labels.needs_cann is YesNo.NO and record.cann_note is not None:
        yield words.NOTE_WITHOUT_CANN


def _again(number: int, earlier: ReadRow, labels: Labels) -> str:
    before = earlier.record.labels.model_dump()
    different = [column_name(name) for name, value in labels.model_dump().items() if value != before[name]]
    if different:
        return words.same_pr_other_labels(number, earlier.line, different)
    return words.same_pr(number, earlier.line)
