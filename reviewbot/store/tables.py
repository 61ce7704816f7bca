"""Tables of the program's own database: one analysis is a row of ``analyses`` and the rows that hang on it.

::

    changes ─┬─ analyses ─┬─ ledgers ─┬─ ledger_items
             │            │           ├─ ledger_misses
             │            │           └─ ledger_counts
             │            ├─ priors ──── fired_rules
             │            └─ drafts (as proposed, as checked) ── findings

What people ask for (which pull request, which verdict, which place) is a column; what is only ever read back whole
(hunks, delta) is JSON. A column bears the name of the model's field, and a test proves that no field is without one.
The key of a change is a hash of its content, so that analysing it again stores no second copy of the diff.

A change here needs a migration in ``migrations/versions`` and a new ``HEAD`` in ``reviewbot.store.schema``; tests
compare the two.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, ForeignKeyConstraint, Index, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from retrieval.models import EvidenceKind, Relation
from reviewbot.models import (
    AnalysisState,
    CompileStage,
    Decision,
    FindingKind,
    NeedsAdaptation,
    Risk,
    RuleGroup,
    Track,
    Verdict,
    YesNo,
)
from reviewbot.store.column_types import AnyText, UtcDateTime, closed


class DraftStage(StrEnum):
    PROPOSED = "proposed"  # as the writer gave it
    CHECKED = "checked"  # after verification


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {str: AnyText, datetime: UtcDateTime, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


class LabelColumns:
    """The labels of a prior or a draft, limited to their enumerations."""

    verdict: Mapped[Verdict] = mapped_column(closed(Verdict, "verdict"))
    risk: Mapped[Risk] = mapped_column(closed(Risk, "risk"))
    needs_adaptation: Mapped[NeedsAdaptation] = mapped_column(closed(NeedsAdaptation, "needs_adaptation"))
    needs_cann: Mapped[YesNo | None] = mapped_column(closed(YesNo, "needs_cann"))
    npu_affected: Mapped[YesNo] = mapped_column(closed(YesNo, "npu_affected"))
    compile_stage: Mapped[CompileStage | None] = mapped_column(closed(CompileStage, "compile_stage"))


def _parent(target: str) -> Any:
    return mapped_column(ForeignKey(target, ondelete="CASCADE"), primary_key=True)


class ChangeRow(Base):
    __tablename__ = "changes"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int | None] = mapped_column(index=True)
    title: Mapped[str]
    date: Mapped[str | None]
    merged: Mapped[bool]
    reverted: Mapped[bool]
    content: Mapped[dict[str, Any]]  # the whole change but its source


class AnalysisRow(Base):
    __tablename__ = "analyses"
    __table_args__ = (
        Index(None, "change_key", "id"),
        {"sqlite_autoincrement": True},  # a number once given never names another analysis
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime]
    state: Mapped[AnalysisState] = mapped_column(closed(AnalysisState, "state"))
    reason: Mapped[str]
    change_key: Mapped[str] = mapped_column(ForeignKey("changes.key"))
    change_source: Mapped[str]
    delta: Mapped[dict[str, Any]]
    versions: Mapped[dict[str, Any]]
    timing: Mapped[dict[str, Any]]
    usage: Mapped[dict[str, Any]] = mapped_column(server_default="{}")

    change: Mapped[ChangeRow] = relationship()
    ledger: Mapped[LedgerRow | None] = relationship(cascade="all, delete-orphan")
    prior: Mapped[PriorRow | None] = relationship(cascade="all, delete-orphan")
    drafts: Mapped[list[DraftRow]] = relationship(cascade="all, delete-orphan")


class LedgerRow(Base):
    __tablename__ = "ledgers"

    analysis_id: Mapped[int] = _parent("analyses.id")
    downstream: Mapped[str]
    revision: Mapped[str]
    found: Mapped[int]
    shown: Mapped[int]
    cut: Mapped[int]
    by_kind: Mapped[dict[str, Any]]
    tokens: Mapped[int]
    files_searched: Mapped[int]

    items: Mapped[list[LedgerItemRow]] = relationship(order_by="LedgerItemRow.position", cascade="all, delete-orphan")
    misses: Mapped[list[LedgerMissRow]] = relationship(order_by="LedgerMissRow.position", cascade="all, delete-orphan")
    counts: Mapped[list[LedgerCountRow]] = relationship(
        order_by="LedgerCountRow.position", cascade="all, delete-orphan"
    )


class LedgerItemRow(Base):
    __tablename__ = "ledger_items"
    __table_args__ = (Index(None, "path", "scope"), Index(None, "symbol"))

    analysis_id: Mapped[int] = _parent("ledgers.analysis_id")
    position: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    kind: Mapped[EvidenceKind] = mapped_column(closed(EvidenceKind, "kind"))
    kinds: Mapped[list[Any]]
    relation: Mapped[Relation] = mapped_column(closed(Relation, "relation"))
    path: Mapped[str]
    scope: Mapped[str]
    lines: Mapped[list[Any]]
    token: Mapped[str]
    symbol: Mapped[str]
    symbols: Mapped[list[Any]]
    snippet: Mapped[str]
    detail: Mapped[dict[str, Any]]
    further: Mapped[list[Any]]
    also_at: Mapped[list[Any]]
    score: Mapped[float]


class LedgerMissRow(Base):
    __tablename__ = "ledger_misses"

    analysis_id: Mapped[int] = _parent("ledgers.analysis_id")
    position: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    symbol: Mapped[str]
    pattern: Mapped[str]
    files: Mapped[int]
    count: Mapped[int]


class LedgerCountRow(Base):
    __tablename__ = "ledger_counts"

    analysis_id: Mapped[int] = _parent("ledgers.analysis_id")
    position: Mapped[int] = mapped_column(primary_key=True)
    symbol: Mapped[str]
    pattern: Mapped[str]
    lines: Mapped[int]
    files: Mapped[int]


class PriorRow(LabelColumns, Base):
    __tablename__ = "priors"

    analysis_id: Mapped[int] = _parent("analyses.id")
    track: Mapped[Track] = mapped_column(closed(Track, "track"))
    decision: Mapped[Decision] = mapped_column(closed(Decision, "decision"))
    rubric_version: Mapped[str]
    needs_work_score: Mapped[float] = mapped_column(server_default="0")

    rules: Mapped[list[FiredRuleRow]] = relationship(order_by="FiredRuleRow.position", cascade="all, delete-orphan")


class FiredRuleRow(Base):
    __tablename__ = "fired_rules"
    __table_args__ = (Index(None, "id"),)

    analysis_id: Mapped[int] = _parent("priors.analysis_id")
    position: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    group: Mapped[RuleGroup] = mapped_column(closed(RuleGroup, "group"))
    reason: Mapped[str]
    because: Mapped[list[Any]]


class DraftRow(LabelColumns, Base):
    """``removed`` and ``cited`` are empty for a draft as proposed: they are results of verification."""

    __tablename__ = "drafts"

    analysis_id: Mapped[int] = _parent("analyses.id")
    stage: Mapped[DraftStage] = mapped_column(closed(DraftStage, "stage"), primary_key=True)
    summary: Mapped[str]
    analysis: Mapped[str]
    writer: Mapped[str]
    needs_work_score: Mapped[float] = mapped_column(server_default="0", index=True)
    removed: Mapped[list[Any]]
    cited: Mapped[list[Any]]

    findings: Mapped[list[FindingRow]] = relationship(order_by="FindingRow.position", cascade="all, delete-orphan")


class FindingRow(Base):
    __tablename__ = "findings"
    __table_args__ = (
        ForeignKeyConstraint(["analysis_id", "stage"], ["drafts.analysis_id", "drafts.stage"], ondelete="CASCADE"),
    )

    analysis_id: Mapped[int] = mapped_column(primary_key=True)
    stage: Mapped[DraftStage] = mapped_column(closed(DraftStage, "stage"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[FindingKind] = mapped_column(closed(FindingKind, "kind"))
    sentence: Mapped[str]
    message: Mapped[str]
