"""`subclass` 继承: a downstream class derives from a changed class, directly or through classes of either tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.heritage import heirs
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question
from retrieval.models import CouplingDetail, DefinitionKind, EvidenceKind, Relation

KIND = EvidenceKind.SUBCLASS


def extract(file: PythonFile) -> Iterator[Fact]:
    """One fact per class and base that resolves to a name; ``owner`` is the class, ``lines`` where the base stands."""
    source = file.source
    for scope in source.scopes:
        bases = scope.node.child_by_field_name("superclasses") if scope.is_class else None
        for base in bases.named_children if bases is not None else ():
            named = base.child_by_field_name("value") if base.type == "subscript" else base
            for target in file.resolve(named):
                name = target.rpartition(".")[2]
                token = source.text(named).rpartition(".")[2] if named is not None else name
                line = source.line_at((named or base).end_byte - 1)
                yield Fact(KIND, name, target, scope.qualname, (line,), token, owner=f"{OWN}.{scope.qualname}")


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        classes = (
            ((name, Relation.SAME_SYMBOL) for name in target.known_as)
            if target.change.definition is DefinitionKind.CLASS or not target.is_member
            else ()
        )
        for base, relation in dict((*classes, *((holder, Relation.ENCLOSING) for holder in target.holders))).items():
            inheriting = target.through if base in (*target.known_as, *target.holders[:1]) else ()
            for heir in heirs(base, lookup, inheriting):
                detail = CouplingDetail(base=target.of_upstream(base))
                yield couple_fact(heir.located, relation, target.symbol, target.weight, detail=detail)
