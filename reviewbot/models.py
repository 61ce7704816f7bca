"""Values of judgement: rule, prior, draft, verification, record, analysis.

Enumerations and models of change, delta and evidence live in ``retrieval/models/``; these build on them. The values
of the label enumerations are the words of the team's records and never change.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from retrieval.models import Delta, EvidenceKind, Frozen, Ledger, UpstreamChange

# --- labels: what one record holds ------------------------------------------------------------------------------------


class Verdict(StrEnum):
    CHECK = "Check"  # a person confirms and closes
    TEST = "Test"  # run named cases on an NPU
    SHIM = "Shim"  # torch_npu code has to change


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class NeedsAdaptation(StrEnum):
    YES = "是"
    NO = "否"
    UNCLEAR = "待确认"


class YesNo(StrEnum):
    YES = "是"
    NO = "否"


class CompileStage(StrEnum):
    DYNAMO = "Dynamo"
    AOTAUTOGRAD = "AOTAutograd"
    INDUCTOR = "Inductor"


class Labels(Frozen):
    """Field names and values are those of the labelled records."""

    verdict: Verdict
    risk: Risk
    needs_adaptation: NeedsAdaptation
    needs_cann: YesNo | None = None
    npu_affected: YesNo
    compile_stage: CompileStage | None = None


def needs_work(labels: Labels) -> bool:
    """True for a record somebody has to act on: Shim, code to change or unclear, or risk above low."""
    return (
        labels.verdict is Verdict.SHIM
        or labels.needs_adaptation is not NeedsAdaptation.NO
        or labels.risk is not Risk.LOW
    )


# --- rule, prior ------------------------------------------------------------------------------------------------------


class Track(StrEnum):
    A = "A"  # changes a mechanism that exists
    B = "B"  # adds a capability


class Decision(StrEnum):
    """Does the evidence settle the verdict, or does it take a reader?"""

    DECIDED = "decided"
    OPEN = "open"


class RuleGroup(StrEnum):
    """Which part of the prior a rule speaks to; within a group the first rule that applies wins, in table order."""

    VERDICT = "verdict"  # verdict, risk, needs_adaptation, npu_affected, decision in one
    ADJUST = "adjust"  # raises or lowers what the verdict rule said (revert, silent failure)
    STAGE = "stage"
    TRACK = "track"
    CANN = "cann"


class FiredRule(Frozen):
    """A rule that applied. ``reason`` is its one-line Chinese reason; ``because`` names the facts, with ledger ids."""

    id: str
    group: RuleGroup
    reason: str
    because: tuple[str, ...] = ()


#: How likely a record asks somebody to act, 0 to 1: what lists sort by, and what thresholds are drawn through.
Score = Annotated[float, Field(ge=0.0, le=1.0)]


class Prior(Frozen):
    labels: Labels
    needs_work_score: Score
    track: Track
    decision: Decision
    rules: tuple[FiredRule, ...]
    rubric_version: str

    @property
    def rule_ids(self) -> tuple[str, ...]:
        return tuple(rule.id for rule in self.rules)


# --- draft, verification ----------------------------------------------------------------------------------------------


class Draft(Frozen):
    """What a writer proposes. Texts cite ledger ids in brackets, never line numbers: ``[E3]``, ``[E3.2]``, ``[Z1]``."""

    labels: Labels
    needs_work_score: Score
    summary: str
    analysis: str
    writer: str  # "template" or the model's name


class Usage(Frozen):
    """What writing a draft cost, over all calls. ``cost`` is in the currency of the price settings, None without them;
    ``currency`` says which, "" where nobody kept it.

    ``seconds`` is wall clock; ``cached_tokens`` are those of ``prompt_tokens`` that the provider had cached.
    """

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    currency: str = ""
    seconds: float = 0.0


class FindingKind(StrEnum):
    """What the verifier can object to."""

    UNKNOWN_ID = "unknown_id"  # [E9] that the ledger does not have
    UNCITED_CLAIM = "uncited_claim"  # a sentence about torch_npu without an id
    WRONG_PATH = "wrong_path"  # a path that belongs to no cited item
    WRONG_LINE = "wrong_line"  # a raw line number that belongs to no cited item
    WRONG_SCOPE = "wrong_scope"
    WRONG_COUNT = "wrong_count"
    WRONG_RELATION = "wrong_relation"  # says 继承, the item is a reference
    WRONG_POLARITY = "wrong_polarity"  # says 未引用 and cites a hit, or the reverse
    UNKNOWN_NAME = "unknown_name"  # path, symbol or test name found in no tree and not in the change
    INCONSISTENT_FLAGS = "inconsistent_flags"
    NOT_CHINESE = "not_chinese"
    LENGTH = "length"


class Finding(Frozen):
    """One objection. ``sentence`` is the offending text as drafted, ``message`` says in Chinese what is wrong."""

    kind: FindingKind
    sentence: str
    message: str


class CheckedDraft(Frozen):
    """A draft after verification: ``analysis`` keeps its ids, unproved sentences went into ``removed``."""

    labels: Labels
    needs_work_score: Score
    summary: str
    analysis: str
    writer: str
    findings: tuple[Finding, ...] = ()
    removed: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()  # ledger ids in order of first use


# --- analysis, record -------------------------------------------------------------------------------------------------


class AnalysisState(StrEnum):
    DONE = "done"
    EVIDENCE_INSUFFICIENT = "evidence_insufficient"
    SCOPE_TOO_LARGE = "scope_too_large"
    SUPERSEDED = "superseded"
    FAILED = "failed"


class Timing(Frozen):
    """Milliseconds, wall clock, per step of the path."""

    change: float = 0.0
    delta: float = 0.0
    index: float = 0.0
    ledger: float = 0.0
    prior: float = 0.0
    draft: float = 0.0
    verify: float = 0.0

    @property
    def total(self) -> float:
        return self.change + self.delta + self.index + self.ledger + self.prior + self.draft + self.verify


class Analysis(Frozen):
    """Everything one run produced and everything needed to reproduce it."""

    state: AnalysisState
    reason: str = ""  # Chinese; why it did not end as ``done``, or that the draft is not the model's that was asked
    change: UpstreamChange
    delta: Delta
    ledger: Ledger
    prior: Prior
    proposed: Draft | None = None  # before verification; None in analyses that were saved without it
    draft: CheckedDraft
    usage: Usage = Usage()
    versions: dict[str, str] = Field(default_factory=dict)  # rubric, extractor, package, template or prompts and model
    timing: Timing = Timing()


class Record(Frozen):
    """The team's row: labels, summary and the analysis paragraph with ids rendered as ``path:line``."""

    upstream_pr: int | None
    title: str
    date: str | None
    labels: Labels
    summary: str
    analysis: str


#: Relation words of an analysis sentence and the evidence kinds each may be said of (DESIGN.md, "Words").
RELATION_WORDS: dict[str, frozenset[EvidenceKind]] = {
    "引用": frozenset({EvidenceKind.REFERENCE, EvidenceKind.IMPORT, EvidenceKind.CONFIG}),
    "导入": frozenset({EvidenceKind.IMPORT}),
    "继承": frozenset({EvidenceKind.SUBCLASS, EvidenceKind.OVERRIDE}),
    "覆写": frozenset({EvidenceKind.OVERRIDE}),
    "patch": frozenset({EvidenceKind.PATCH}),
    "注册": frozenset({EvidenceKind.REGISTRATION}),
    "fork": frozenset({EvidenceKind.FORK}),
}
