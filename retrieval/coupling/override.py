"""`override` 覆写: a downstream class redefines a method of the changed upstream class that it derives from.

A mixin's method counts too when a class that mixes it in derives from the changed class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.heritage import heirs, providers
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import accepts, lacking, written
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.OVERRIDE


def extract(file: PythonFile) -> Iterator[Fact]:
    """Every method of every class: which of them override something, only the tree can tell."""
    source = file.source
    for index, scope in enumerate(source.scopes):
        if scope.is_class or scope.parent < 0 or not source.scopes[scope.parent].is_class:
            continue
        name = scope.qualname.rpartition(".")[2]
        named = scope.node.child_by_field_name("name")
        line = source.line_at(named.start_byte if named is not None else scope.node.start_byte)
        body = source.data[scope.node.start_byte : scope.end]
        calls = re.search(rb"super\s*\([^()]*\)\s*\.\s*" + name.encode() + rb"\b", body) is not None
        yield Fact(
            KIND,
            name,
            f"{OWN}.{scope.qualname}",
            scope.qualname,
            (line,),
            name,
            owner=f"{OWN}.{source.scopes[scope.parent].qualname}",
            shape=file.shape(index),
            detail=CouplingDetail(calls_original=calls),
        )


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        if not target.is_member:
            continue
        places = {
            name: base for base in target.holders for heir in heirs(base, lookup) for name in providers(heir, lookup)
        }
        if not places:
            continue
        for located in lookup.named(target.own_names, KIND):
            base = places.get(located.owner)
            if base is not None:
                detail = _detail(located, target, base)
                yield couple_fact(located, Relation.SAME_SYMBOL, target.symbol, target.weight, detail=detail)


def _detail(located: Located, target: Target, base: str) -> CouplingDetail:
    shape, known = located.fact.shape, located.fact.detail
    parameters = target.change.parameters
    comparable = shape is not None and bool(parameters)
    return CouplingDetail(
        base=base,
        calls_original=known.calls_original if known is not None else None,
        downstream_signature=written(shape) if shape is not None else None,
        lacks=lacking(parameters, shape) if comparable and shape is not None else (),
        signature_matches=accepts(parameters, shape) if comparable and shape is not None else None,
    )
