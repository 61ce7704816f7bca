"""Analyses changes with a model that knows no Chinese worth the name, and tells step by step what becomes of it.

Contract: ``show`` tells whether the verifier proved itself: an answer of the right shape came, sentences of it were
removed and counted, and the analysis ended as ``evidence_insufficient``. A model that gives no answer at all is a fault
with a reason, as in service; it proves nothing about the verifier, so the next change is tried.
"""

from __future__ import annotations

from collections.abc import Iterable

from evals import miniature
from evals.local_model import words
from evals.local_model.narrating import Say, shown
from evals.workbench import Workbench
from retrieval.change import About, apply_about, parse_patch
from retrieval.models import UpstreamChange
from reviewbot.drafting.writer import Writer
from reviewbot.errors import WriterError
from reviewbot.models import Analysis, AnalysisState
from reviewbot.pipeline import AnalysisRequest, analyse

#: In the order tried, until one goes the whole way.
_CHANGES = (miniature.PATCHED_METHOD, miniature.SIGNATURE, miniature.UNCOUPLED)


def show(bench: Workbench, writer: Writer, changes: Iterable[UpstreamChange], say: Say) -> bool:
    for number, change in enumerate(changes, start=1):
        if number > 1:
            say(words.NOT_YET)
        say(words.heading(number, shown(change.title)))
        try:
            analysis = analyse(
                AnalysisRequest(change, bench.index, bench.rubric, bench.base, upstream=bench.upstream, writer=writer)
            )
        except WriterError as error:
            say(words.no_draft(shown(str(error)), error.usage))
            continue
        _tell(analysis, say)
        if analysis.state is AnalysisState.EVIDENCE_INSUFFICIENT and analysis.draft.removed:
            return True
    return False


def miniature_changes() -> list[UpstreamChange]:
    return [
        apply_about(parse_patch(one.patch(), f"{one.number}.patch"), About(number=one.number, title=one.title))
        for one in _CHANGES
    ]


def _tell(analysis: Analysis, say: Say) -> None:
    draft = analysis.draft
    reasons: dict[str, list[str]] = {}
    for finding in draft.findings:
        reasons.setdefault(finding.sentence.strip(), []).append(finding.message)
    say(words.removed_count(len(draft.removed)))
    for sentence in draft.removed:
        say(words.removed(shown(sentence), [shown(reason) for reason in reasons.get(sentence, ())]))
    say(words.ended(analysis.state, analysis.reason, draft.labels.needs_adaptation))
    say(words.printed(shown(draft.summary), shown(draft.analysis)))
