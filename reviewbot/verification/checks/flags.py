"""Flags: labels agree with each other, with the change, and with what the kept sentences say and cite.

A sentence that contradicts a flag is removed like any other unproved one; what no sentence can mend (a Shim without a
place, a high risk that cites nothing) concerns the draft as a whole and is reported with an empty sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.models import Finding, FindingKind, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence
from reviewbot.verification.statements import Statements, read_statements


def _finding(message: str, sentence: str = "") -> Finding:
    return Finding(kind=FindingKind.INCONSISTENT_FLAGS, sentence=sentence, message=message)


def against_flags(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """What one sentence says against the labels or the state of the change."""
    said = read_statements(sentence, context)
    for message in _contradictions(said, context):
        yield _finding(message, sentence.text)


def _contradictions(said: Statements, context: Context) -> Iterator[str]:
    labels = context.labels
    if said.must_change and labels.needs_adaptation is NeedsAdaptation.NO:
        yield words.flag_says_no_change()
    if said.no_change_needed and labels.needs_adaptation is not NeedsAdaptation.NO:
        yield words.flag_says_change(labels.needs_adaptation)
    if said.npu_affected and labels.npu_affected is YesNo.NO:
        yield words.flag_says_unaffected()
    if said.npu_unaffected and labels.npu_affected is YesNo.YES:
        yield words.flag_says_affected()
    if said.cann_change and labels.needs_cann is not YesNo.YES:
        yield words.flag_says_no_cann()
    if said.reverted and not context.change.reverted:
        yield words.not_reverted()
    if said.verdict is not None and said.verdict != labels.verdict:
        yield words.other_verdict(said.verdict, labels.verdict)
    if said.risk is not None and said.risk != labels.risk:
        yield words.other_risk(said.risk, labels.risk)


def unproved_flags(summary: Sequence[Sentence], analysis: Sequence[Sentence], context: Context) -> Iterator[Finding]:
    """What the labels claim and the kept sentences do not bear out."""
    labels = context.labels
    said = [(sentence, read_statements(sentence, context)) for sentence in analysis]
    places = any(context.cited_items(sentence.cited) for sentence in analysis)
    if labels.verdict is Verdict.SHIM and labels.needs_adaptation is NeedsAdaptation.NO:
        yield _finding(words.shim_without_change())
    if labels.verdict is Verdict.SHIM and not places:
        yield _finding(words.shim_without_place())
    if labels.verdict is Verdict.CHECK and labels.needs_adaptation is NeedsAdaptation.YES:
        yield _finding(words.check_with_change())
    if labels.needs_adaptation is NeedsAdaptation.YES and not any(
        one.must_change and sentence.cited for sentence, one in said
    ):
        yield _finding(words.change_not_stated())
    if labels.risk is Risk.HIGH and not places:
        yield _finding(words.high_without_place())
    if labels.needs_cann is YesNo.YES and not any(one.cann_change for _, one in said):
        yield _finding(words.cann_not_stated())
    if context.change.reverted and not any(
        read_statements(sentence, context).reverted for sentence in (*summary, *analysis)
    ):
        yield _finding(words.revert_not_stated())
