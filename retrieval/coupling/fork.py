"""`fork` fork 副本: a downstream function that is a copy of the changed upstream one.

Candidates are found without a list: functions of the same name, and functions that downstream registers for the
operator whose upstream function changed. A candidate counts when its tokens are alike (`retrieval.likeness`). The copy
then still carries the old code, has the new one already, or has diverged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from retrieval.coupling.coupling import Coupling, couple_fact, known_detail
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import accepts, lacking, written
from retrieval.delta.texts import ChangedText
from retrieval.likeness import COPY_LIKENESS, Print, copy_state, likeness, print_of
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.FORK


def extract(file: PythonFile) -> Iterator[Fact]:
    """Every function; ``span`` are its first and last line, decorators included."""
    source = file.source
    for index, scope in enumerate(source.scopes):
        named = scope.node.child_by_field_name("name")
        if scope.is_class or named is None:
            continue
        name = scope.qualname.rpartition(".")[2]
        yield Fact(
            KIND,
            name,
            f"{OWN}.{scope.qualname}",
            scope.qualname,
            (source.line_at(named.start_byte),),
            name,
            shape=file.shape(index),
            span=(source.line_at(scope.start), source.line_at(max(scope.start, scope.end - 1))),
        )


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        text = question.texts.get(target.change.symbol)
        if text is None or text.old is None:
            continue
        old = print_of(text.old)
        registered = _registered(target, lookup)
        for located in _candidates(target, registered, lookup):
            detail = _detail(located, target, text, old, lookup)
            if detail is not None:
                by = known_detail(registered[located.target]) if located.target in registered else detail
                detail = detail.model_copy(update={"registrar": by.registrar, "operators": by.operators})
                yield couple_fact(located, Relation.SAME_SYMBOL, target.symbol, target.weight, detail=detail)


def _registered(target: Target, lookup: FactLookup) -> Mapping[str, Located]:
    """Downstream functions that are registered for an operator of the changed function, and how."""
    found = lookup.named(target.change.operators, EvidenceKind.REGISTRATION)
    return {located.owner: located for located in found if located.owner}


def _candidates(target: Target, registered: Mapping[str, Located], lookup: FactLookup) -> Sequence[Located]:
    names = (*target.own_names, *(owner.rpartition(".")[2] for owner in registered))
    found = lookup.named(names, KIND)
    return [
        located
        for located in found
        if located.target in registered or (located.fact.name in target.own_names and _is_namesake(located, target))
    ]


def _is_namesake(located: Located, target: Target) -> bool:
    """Every class has an ``__init__``: such a method is a candidate in a class of the same name only."""
    if not located.fact.name.startswith("__"):
        return True
    holders = {holder.rpartition(".")[2] for holder in target.holders[:1]}
    return bool(holders.intersection(located.fact.scope.split(".")[-2:-1]))


def _detail(
    located: Located, target: Target, text: ChangedText, old: Print, lookup: FactLookup
) -> CouplingDetail | None:
    span, shape, parameters = located.fact.span, located.fact.shape, target.change.parameters
    if span is None or text.old is None:
        return None
    copy = lookup.text(located.path, *span)
    alike = likeness(old, print_of(copy))
    if alike < COPY_LIKENESS:
        return None
    return CouplingDetail(
        similarity=round(alike, 2),
        copy_state=copy_state(text.old, text.new or "", copy),
        downstream_signature=written(shape) if shape is not None else None,
        lacks=lacking(parameters, shape) if shape is not None and parameters else (),
        signature_matches=accepts(parameters, shape) if shape is not None and parameters else None,
    )
