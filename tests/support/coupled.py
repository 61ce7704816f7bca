"""Couplings and measured records made by hand, for tests of the evaluation of retrieval."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evals.measuring import Measured
from evals.ranking import Found
from evals.recall import Place, RankedRecord
from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Language, Relation


def place(scope: str, path: str = "mill_npu/gears.py") -> Place:
    return Place(path, scope)


def coupling(
    scope: str,
    kind: EvidenceKind = EvidenceKind.REFERENCE,
    relation: Relation = Relation.SAME_SYMBOL,
    *,
    path: str = "mill_npu/gears.py",
    word: str = "spin",
    weight: float = 1.0,
) -> Coupling:
    return Coupling(kind, relation, path, scope, (1,), word, f"torch._mill.gears.{word}", word, weight)


def measured(
    *couplings: Coupling, expected: set[Place], found: tuple[Place, ...] = (), ident: str = "r001", **fields: Any
) -> Measured:
    ranked = RankedRecord(ident, frozenset(expected), found)
    return Measured(
        ranked=ranked,
        deep=fields.pop("deep", ranked),
        kinds=fields.pop("kinds", Counter()),
        tokens=fields.pop("tokens", 100),
        delta_ms=fields.pop("delta_ms", 2.0),
        ledger_ms=fields.pop("ledger_ms", 4.0),
        found=Found(couplings, fields.pop("shares", {})),
        languages=fields.pop("languages", frozenset({Language.PYTHON})),
        **fields,
    )
