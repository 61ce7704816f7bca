"""Turns an analysis into rows and rows back into the same analysis. No database access here.

Columns bear the names of the model's fields, so both directions are one rule: dump, pick, validate. Values pass through
pydantic on the way back: a row that no longer fits its model is an error of the file, never a half-filled value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from retrieval.models import EvidenceItem, Ledger, Miss, SymbolCount, Totals, UpstreamChange
from reviewbot.models import Analysis, CheckedDraft, Draft, Finding, FiredRule, Labels, Prior
from reviewbot.store.tables import (
    AnalysisRow,
    Base,
    ChangeRow,
    DraftRow,
    DraftStage,
    FindingRow,
    FiredRuleRow,
    LedgerCountRow,
    LedgerItemRow,
    LedgerMissRow,
    LedgerRow,
    PriorRow,
)

ModelT = TypeVar("ModelT", bound=BaseModel)


def change_key(change: UpstreamChange) -> str:
    """SHA-256 (hex) over what the change is, leaving out how it was obtained.

    Fields at their default are left out as well, so that a field added later does not give old changes new keys.
    """
    content = change.model_dump(mode="json", exclude={"source"}, exclude_defaults=True)
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def change_row(change: UpstreamChange, key: str) -> ChangeRow:
    """The row of a change whose key is known."""
    return ChangeRow(
        key=key,
        number=change.number,
        title=change.title,
        date=change.date,
        merged=change.merged,
        reverted=change.reverted,
        content=change.model_dump(mode="json", exclude={"source"}),
    )


def analysis_row(analysis: Analysis, key: str, created_at: datetime) -> AnalysisRow:
    """The row of an analysis with all that hangs on it, except its change, which ``key`` names."""
    drafts = [_checked_row(analysis.draft)]
    proposed = analysis.proposed
    if proposed is not None:
        fields = _fields(proposed, without={"labels"})
        drafts.append(DraftRow(stage=DraftStage.PROPOSED, **fields, **_fields(proposed.labels), removed=[], cited=[]))
    return AnalysisRow(
        created_at=created_at,
        state=analysis.state,
        reason=analysis.reason,
        change_key=key,
        change_source=analysis.change.source,
        delta=analysis.delta.model_dump(mode="json"),
        versions=dict(analysis.versions),
        timing=analysis.timing.model_dump(mode="json"),
        usage=analysis.usage.model_dump(mode="json"),
        ledger=_ledger_row(analysis.ledger),
        prior=_prior_row(analysis.prior),
        drafts=drafts,
    )


def analysis_of(row: AnalysisRow) -> Analysis:
    """The analysis as it was saved. Raises ``ValueError`` or ``LookupError`` when rows are missing or do not fit."""
    if row.ledger is None or row.prior is None:
        raise LookupError(row.id)
    change = UpstreamChange.model_validate({**row.change.content, "source": row.change_source})
    ledger = _model(
        Ledger,
        row.ledger,
        items=tuple(_model(EvidenceItem, item) for item in row.ledger.items),
        misses=tuple(_model(Miss, miss) for miss in row.ledger.misses),
        counts=tuple(_model(SymbolCount, count) for count in row.ledger.counts),
        totals=_model(Totals, row.ledger),
    )
    prior = _model(
        Prior,
        row.prior,
        labels=_model(Labels, row.prior),
        rules=tuple(_model(FiredRule, rule) for rule in row.prior.rules),
    )
    checked = {draft.stage: draft for draft in row.drafts}[DraftStage.CHECKED]
    findings = tuple(_model(Finding, finding) for finding in checked.findings)
    draft = _model(CheckedDraft, checked, labels=_model(Labels, checked), findings=findings)
    return _model(Analysis, row, change=change, ledger=ledger, prior=prior, proposed=_proposed_of(row), draft=draft)


def labels_of(row: DraftRow | PriorRow) -> Labels:
    """The labels of a prior or a draft."""
    return _model(Labels, row)


def _proposed_of(row: AnalysisRow) -> Draft | None:
    """The draft as its writer proposed it, when it was saved."""
    draft = {draft.stage: draft for draft in row.drafts}.get(DraftStage.PROPOSED)
    return None if draft is None else _model(Draft, draft, labels=_model(Labels, draft))


def _ledger_row(ledger: Ledger) -> LedgerRow:
    return LedgerRow(
        downstream=ledger.downstream,
        revision=ledger.revision,
        **_fields(ledger.totals),
        items=[LedgerItemRow(position=at, **_fields(item)) for at, item in enumerate(ledger.items)],
        misses=[LedgerMissRow(position=at, **_fields(miss)) for at, miss in enumerate(ledger.misses)],
        counts=[LedgerCountRow(position=at, **_fields(count)) for at, count in enumerate(ledger.counts)],
    )


def _prior_row(prior: Prior) -> PriorRow:
    return PriorRow(
        **_fields(prior.labels),
        track=prior.track,
        decision=prior.decision,
        rubric_version=prior.rubric_version,
        needs_work_score=prior.needs_work_score,
        rules=[FiredRuleRow(position=at, **_fields(rule)) for at, rule in enumerate(prior.rules)],
    )


def _checked_row(draft: CheckedDraft) -> DraftRow:
    findings = [
        FindingRow(position=at, stage=DraftStage.CHECKED, **_fields(finding))
        for at, finding in enumerate(draft.findings)
    ]
    fields = _fields(draft, without={"labels", "findings"})
    return DraftRow(stage=DraftStage.CHECKED, **fields, **_fields(draft.labels), findings=findings)


def _fields(value: BaseModel, without: set[str] | None = None) -> dict[str, Any]:
    return value.model_dump(mode="json", exclude=without)


def _model(model: type[ModelT], row: Base, **parts: object) -> ModelT:
    """``model`` from the columns that bear its field names; ``parts`` are the fields kept in rows of their own."""
    values: Mapping[str, object] = {
        name: parts[name] if name in parts else getattr(row, name) for name in model.model_fields
    }
    return model.model_validate(values)
