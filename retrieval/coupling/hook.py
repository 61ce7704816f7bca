"""`hook` 同子系统挂钩点: a patch, subclass or import on the changed module or class, though not on the changed symbol.

Analysts always name these places and say why they are unaffected; they rank below every direct hit.
"""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.question import Question
from retrieval.models import EvidenceKind, Relation

KIND = EvidenceKind.HOOK

_STRUCTURAL = (EvidenceKind.PATCH, EvidenceKind.SUBCLASS, EvidenceKind.IMPORT)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    holders = {holder: target.weight for target in question.targets for holder in target.holders}
    direct = {name for target in question.targets for name in (target.symbol, target.old_symbol)}
    for module in question.modules:
        for located in lookup.under(module, *_STRUCTURAL):
            target = located.target
            if target == module or target in direct or target in holders:
                continue
            holder = target.rpartition(".")[0]
            relation = Relation.ENCLOSING if holder in holders else Relation.SAME_MODULE
            yield couple_fact(located, relation, target, holders.get(holder, 0.5), kind=KIND)
    for package in dict.fromkeys(module.rpartition(".")[0] for module in question.modules):
        if package.count(".") < 1:
            continue
        for located in lookup.under(package, *_STRUCTURAL):
            if not located.target.startswith(tuple(f"{module}." for module in question.modules)):
                yield couple_fact(located, Relation.SAME_PACKAGE, located.target, 0.5, kind=KIND)
