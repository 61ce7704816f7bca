"""`import` 导入: a changed symbol, or its class, is imported by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.cpp.naming import include_path
from retrieval.coupling.facts import Fact, last_part
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question
from retrieval.models import EvidenceKind, Relation

KIND = EvidenceKind.IMPORT


def extract(file: PythonFile) -> Iterator[Fact]:
    """``owner`` is the name the import binds; ``*`` for a star import, whose target is the module."""
    for item in file.bindings.imports:
        name = item.target.rpartition(".")[2]
        if name:
            yield Fact(KIND, name, item.target, file.qualname(item.scope), (item.line,), item.token, owner=item.bound)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        for located in lookup.named(target.names, KIND):
            relation = target.relation_to(lookup.canonical(located))
            if relation is not None:
                yield couple_fact(located, relation, target.symbol, target.weight)
    for module in question.modules:
        for located in lookup.named((last_part(module),), KIND):
            if lookup.canonical(located) == include_path(module):
                yield couple_fact(located, Relation.SAME_MODULE, module, 0.5)
