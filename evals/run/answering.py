"""What a run keeps of an analysis. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evals.run.models import Answer
from retrieval.models import EvidenceItem
from reviewbot import render
from reviewbot.citations import cited_ids
from reviewbot.couplings import citable
from reviewbot.models import Analysis, AnalysisState, CheckedDraft
from reviewbot.precedents import CitedPlace

RULES = "rules"


def prior_alone(analysis: Analysis) -> Analysis:
    """The analysis as if nobody had written: the prior's labels and score, no text, nothing to verify."""
    prior = analysis.prior
    draft = CheckedDraft(
        labels=prior.labels, needs_work_score=prior.needs_work_score, summary="", analysis="", writer=RULES
    )
    state = {"state": AnalysisState.DONE, "reason": ""}
    return analysis.model_copy(update={**state, "draft": draft, "proposed": None})


def answer_of(analysis: Analysis, seconds: float) -> Answer:
    """``seconds`` is what the whole record took."""
    printed = render.record(analysis)
    items = citable(analysis.ledger)
    misses = {miss.id for miss in analysis.ledger.misses}
    proposed = analysis.proposed
    written = cited_ids(f"{proposed.summary}\n{proposed.analysis}") if proposed else ()
    return Answer(
        state=analysis.state,
        labels=analysis.draft.labels,
        needs_work_score=analysis.draft.needs_work_score,
        proposed=proposed.labels if proposed else analysis.prior.labels,
        prior=analysis.prior.labels,
        prior_score=analysis.prior.needs_work_score,
        decision=analysis.prior.decision,
        rules=analysis.prior.rule_ids,
        summary=printed.summary,
        analysis=printed.analysis,
        draft=analysis.draft.analysis,
        cited=_places(items[one] for one in analysis.draft.cited if one in items),
        shown=_places(analysis.ledger.items),
        citations=len(written),
        resolved=sum(one in items or one in misses for one in written),
        removed=analysis.draft.removed,
        findings=Counter(finding.kind for finding in analysis.draft.findings),
        usage=analysis.usage,
        seconds=round(seconds, 3),
    )


def _places(items: Iterable[EvidenceItem]) -> tuple[CitedPlace, ...]:
    """Distinct, in order of first appearance."""
    return tuple(dict.fromkeys(CitedPlace(path=item.path, scope=item.scope) for item in items))
