"""Values that travel from a change to its evidence ledger.

Every enumeration and model of *change*, *delta* and *evidence* lives here, once; prompt schema, rule table, database
and pages are tested equal to these lists. All are frozen: a step takes values and returns new ones.

Paths are POSIX, relative to the root of their tree; lines are 1-based, sorted, without duplicates. A *scope* is a
dotted qualname without ``<locals>``, ``<module>`` at top level: a decorator belongs to what it decorates, a nested hit
to the innermost scope. A *module* is a dotted import path, a *symbol* ``module.qualname``, an *operator*
``namespace.name`` without overload (``aten.expand``).
"""

from __future__ import annotations

from retrieval.frozen import Frozen
from retrieval.models.change import ChangedFile, FileStatus, Hunk, UpstreamChange
from retrieval.models.delta import (
    ChangeKind,
    ConfigChange,
    DefinitionChange,
    DefinitionKind,
    Delta,
    FileDelta,
    Language,
    Nature,
    OperatorChange,
    OperatorRole,
    Parameter,
    ParameterKind,
    SignatureChange,
    SignatureChangeKind,
    TestCaseChange,
)
from retrieval.models.evidence import (
    MODULE_SCOPE,
    AlignedBlock,
    CopyState,
    CouplingDetail,
    EvidenceItem,
    EvidenceKind,
    FurtherCoupling,
    Ledger,
    Miss,
    Relation,
    SymbolCount,
    Totals,
)

__all__ = [
    "MODULE_SCOPE",
    "AlignedBlock",
    "ChangeKind",
    "ChangedFile",
    "ConfigChange",
    "CopyState",
    "CouplingDetail",
    "DefinitionChange",
    "DefinitionKind",
    "Delta",
    "EvidenceItem",
    "EvidenceKind",
    "FileDelta",
    "FileStatus",
    "Frozen",
    "FurtherCoupling",
    "Hunk",
    "Language",
    "Ledger",
    "Miss",
    "Nature",
    "OperatorChange",
    "OperatorRole",
    "Parameter",
    "ParameterKind",
    "Relation",
    "SignatureChange",
    "SignatureChangeKind",
    "SymbolCount",
    "TestCaseChange",
    "Totals",
    "UpstreamChange",
]
