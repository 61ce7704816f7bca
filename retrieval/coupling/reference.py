"""`reference` 引用: code that uses a name.

One fact per scope, target and spelling (an alias is another spelling), with all its lines. Each step of a resolved
chain counts: ``ir.View.create`` refers to ``torch._inductor.ir.View`` and to its ``create``; with an instance ``k``,
``k.create`` refers to the latter alone. An attribute of an object nobody could name is kept with an empty target, so
that a rare attribute can still be found by its name alone. Locals, comments and strings are no references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, UPSTREAM, Fact
from retrieval.coupling.heritage import Heir, heirs
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile, Use, operator_in, spelling
from retrieval.coupling.question import Question, Target
from retrieval.models import EvidenceKind, Relation

KIND = EvidenceKind.REFERENCE

# An attribute of an unknown object counts only when few files use the word: common ones (`size`, `name`) say nothing.
RARE_FILES = 12


def extract(file: PythonFile) -> Iterator[Fact]:
    found: dict[tuple[int, str, str, str], set[int]] = {}
    for use in file.uses:
        for name, target, token in _steps(use, file):
            found.setdefault((use.scope, name, target, token), set()).update(file.lines_of(use, token))
    for (scope, name, target, token), lines in found.items():
        yield Fact(KIND, name, target, file.qualname(scope), tuple(sorted(lines)), token)


def _heirs(target: Target, lookup: FactLookup) -> Sequence[Heir]:
    """Downstream classes that inherit the changed member: their ``self.m()`` is a reference to it."""
    return heirs(target.holders[0], lookup) if target.is_member and target.holders else ()


def _steps(use: Use, file: PythonFile) -> Iterator[tuple[str, str, str]]:
    """(key, target, word on the line) of each name the chain refers to."""
    operator = operator_in(use)
    if operator is not None:
        yield operator, f"torch.ops.{operator}", spelling(operator, use)
        return
    for target in use.targets or ():
        yield from _resolved(use, target)
    if not use.targets:
        for name in use.names[use.head :]:
            yield name, "", name


def _resolved(use: Use, target: str) -> Iterator[tuple[str, str, str]]:
    """Each step of the chain; to name an instance is no reference to its class."""
    names, parts = use.names, target.split(".")
    tail = len(names) - use.head  # names behind the head stand for as many parts of the target
    for at in range(len(parts) - tail + use.instance, len(parts) + 1):
        dots = ".".join(parts[:at])
        if at < 2 or (dots.startswith(OWN) and at < 3) or not parts[at - 1]:
            continue
        yield parts[at - 1], dots, names[at - 1 - len(parts) + len(names)]


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        inherited = {f"{heir.name}.{name}" for heir in _heirs(target, lookup) for name in target.own_names}
        for located in lookup.named(target.names, KIND):
            if located.target in inherited:
                relation: Relation | None = Relation.MEMBER
            elif located.fact.target:
                relation = target.relation_to(lookup.canonical(located))
            else:
                rare = lookup.files_with(located.fact.name) <= RARE_FILES
                relation = Relation.SAME_NAME if rare and target.is_member else None
            if relation is not None:
                yield couple_fact(located, relation, target.symbol, target.weight)
    for operator, weight in question.operators.items():
        for located in lookup.named((operator,), KIND):
            yield couple_fact(located, Relation.SAME_OPERATOR, operator, weight)
    yield from _touched(question, lookup)


def _touched(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """Uses of the rare names that changed lines use; the very same name where the delta could resolve it."""
    for name, weight in question.touched.items():
        last = name.rpartition(".")[2]
        if lookup.files_with(last) > RARE_FILES:
            continue
        for located in lookup.named((last,), KIND):
            symbol = lookup.canonical(located) if located.fact.target else ""
            if _internal(symbol) and (symbol == name or not _internal(name)):
                yield couple_fact(located, Relation.TOUCHED, symbol, weight)


def _internal(symbol: str) -> bool:
    """A name inside an upstream module: public ones (``torch.is_tensor``) are used everywhere and couple nothing."""
    return symbol.startswith(UPSTREAM) and symbol.count(".") >= 2
