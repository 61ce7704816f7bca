"""`override` 覆写: a downstream class redefines a method of the changed upstream class that it derives from.

A mixin's method counts too when a class that mixes it in before the changed class derives from that. Only the innermost
class around the changed member counts: a method of ``Outer.Inner`` overrides nothing of ``Outer``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.heritage import heirs, providers
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import compared
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.OVERRIDE

_SUPER = re.compile(rb"\bsuper\s*\([^()]*\)\s*\.\s*\Z")


def extract(file: PythonFile) -> Iterator[Fact]:
    """Every method of every class, and every name a class body assigns; the tree tells which of them override."""
    source, originals = file.source, _calls_of_originals(file)
    for index, scope in enumerate(source.scopes):
        if scope.is_class or scope.parent < 0 or not source.scopes[scope.parent].is_class:
            continue
        name = scope.qualname.rpartition(".")[2]
        named = scope.node.child_by_field_name("name")
        yield Fact(
            KIND,
            name,
            f"{OWN}.{scope.qualname}",
            scope.qualname,
            (source.line_at(named.start_byte if named is not None else scope.node.start_byte),),
            name,
            owner=f"{OWN}.{source.scopes[scope.parent].qualname}",
            shape=file.shape(index),
            detail=CouplingDetail(calls_original=_holds(originals.get(name, ()), scope.node)),
        )
    yield from _assigned(file)


def _assigned(file: PythonFile) -> Iterator[Fact]:
    """``codegen = npu_codegen`` in a class body."""
    source = file.source
    for node, left, right in source.assignments:
        scope = source.scope_at(node.start_byte)
        if right is None or left.type != "identifier" or scope < 0 or not source.scopes[scope].is_class:
            continue
        name, owner = source.text(left), source.scopes[scope].qualname
        targets = file.resolve(right)
        yield Fact(
            KIND,
            name,
            f"{OWN}.{owner}.{name}",
            owner,
            (source.line_at(left.start_byte),),
            name,
            owner=f"{OWN}.{owner}",
            shape=file.shape_of(targets[0]) if targets else None,
        )


def _calls_of_originals(file: PythonFile) -> Mapping[str, Sequence[int]]:
    """Where the file calls a method of a base, by method: ``super().codegen(…)`` or ``Base.codegen(self, …)``."""
    found: dict[str, list[int]] = {}
    bases = {base for scope in file.source.scopes for base in file.bases(scope)}
    data = file.source.data
    says_super = b"super" in data
    for use in file.uses:
        if use.rooted:
            for target in use.targets or ():
                if target.rpartition(".")[0] in bases:
                    found.setdefault(use.names[-1], []).extend(use.starts)
                    break
        elif says_super:
            behind_super = (start for start in use.starts if _SUPER.search(data, max(0, start - 99), start))
            found.setdefault(use.names[0], []).extend(behind_super)
    return found


def _holds(positions: Sequence[int], node: Node) -> bool:
    return any(node.start_byte <= position < node.end_byte for position in positions)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        if not target.is_member:
            continue
        base = target.holders[0]
        found = heirs(base, lookup, target.through)
        family = {base, *target.through, *(heir.name for heir in found)}
        places = {name for heir in found for name in providers(heir, family, lookup)}
        for located in lookup.named(target.own_names, KIND) if places else ():
            if located.owner in places:
                detail = _detail(located, target, target.of_upstream(base))
                yield couple_fact(located, Relation.SAME_SYMBOL, target.symbol, target.weight, detail=detail)


def _detail(located: Located, target: Target, base: str) -> CouplingDetail:
    known = located.fact.detail
    detail = CouplingDetail(base=base, calls_original=known.calls_original if known is not None else None)
    return compared(detail, located.fact.shape, target.change.parameters)
