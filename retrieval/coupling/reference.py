"""`reference` 引用: code that uses a name.

One fact per scope, target and spelling (an alias is another spelling), with all its lines. Each step of a resolved
chain counts: ``ir.View.create`` refers to ``torch._inductor.ir.View`` and to its ``create``; with an instance ``k``,
``k.create`` refers to the latter alone. An attribute of an object nobody could name is kept with an empty target, so
that a rare attribute can still be found by its name alone. Locals, comments and strings are no references, but for
statements that a string writes into generated code (`written_code`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.cpp.naming import cpp_name
from retrieval.coupling.facts import UPSTREAM, Fact, is_held
from retrieval.coupling.heritage import Heir, heirs
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.near_names import couple_near_names
from retrieval.coupling.python_file import PythonFile, Use, operator_in, spelling
from retrieval.coupling.question import Question, Target
from retrieval.coupling.rarity import is_rare
from retrieval.coupling.written_code import written_code
from retrieval.models import EvidenceKind, Relation

KIND = EvidenceKind.REFERENCE


def extract(file: PythonFile) -> Iterator[Fact]:
    found: dict[tuple[int, str, str, str], list[int]] = {}
    for use in file.uses:
        steps = list(_steps(use))
        if b"\n" in use.text:
            for name, target, token in steps:
                found.setdefault((use.scope, name, target, token), []).extend(file.lines_of(use, token))
        elif steps:
            lines = file.source.lines_at(use.starts)
            for step in steps:
                found.setdefault((use.scope, *step), []).extend(lines)
    for written in written_code(file.source):
        name = written.target.rpartition(".")[2]
        scope = file.source.scope_at(written.position)
        found.setdefault((scope, name, written.target, name), []).append(written.line)
    for (scope, name, target, token), lines in found.items():
        yield Fact(KIND, name, target, file.qualname(scope), tuple(sorted(set(lines))), token)


def _heirs(target: Target, lookup: FactLookup) -> Sequence[Heir]:
    """Downstream classes that inherit the changed member: their ``self.m()`` is a reference to it."""
    return heirs(target.holders[0], lookup, target.through) if target.is_member and target.holders else ()


def _steps(use: Use) -> Iterator[tuple[str, str, str]]:
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
        if at < 2 or not parts[at - 1]:
            continue
        yield parts[at - 1], dots, names[at - 1 - len(parts) + len(names)]


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        found = _heirs(target, lookup)
        inherited = {f"{heir.name}.{name}" for heir in found for name in target.own_names}
        for located in lookup.named(target.names, KIND):
            if located.target in inherited:
                relation: Relation | None = Relation.MEMBER
            elif located.fact.target:
                relation = target.relation_to(lookup.canonical(located))
                if relation is Relation.SAME_NAME and not _by_name(located, inherited, lookup):
                    relation = None
                if relation is None and is_held(located.target) and located.fact.name in target.own_names:
                    relation = _loosely(located, target, lookup)
            else:
                relation = _loosely(located, target, lookup)
            if relation is not None:
                yield couple_fact(located, relation, target.symbol, target.weight)
    for operator, weight in question.operators.items():
        for located in lookup.named((operator,), KIND):
            yield couple_fact(located, Relation.SAME_OPERATOR, operator, weight)
    yield from _heirs_used(question, lookup)
    yield from couple_near_names(question, lookup)
    yield from _touched(question, lookup)


def _loosely(located: Located, target: Target, lookup: FactLookup) -> Relation | None:
    """An attribute of an object nobody could name: a rare one may be the changed member."""
    return Relation.SAME_NAME if target.is_member and is_rare(located.fact.name, lookup) else None


def _heirs_used(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """Where downstream puts its heirs of a changed class to work: uses of them outside their own file."""
    weights: dict[tuple[str, str], float] = {}
    for target in question.targets:
        for base in target.holders[-1:] or target.known_as:
            known = base, target.of_upstream(base)
            weights[known] = max(weights.get(known, 0.0), target.weight)
    for (base, symbol), weight in weights.items():
        for heir in heirs(base, lookup):
            for located in lookup.named((heir.name.rpartition(".")[2],), KIND):
                if located.path != heir.located.path and lookup.canonical(located) == heir.name:
                    yield couple_fact(located, Relation.HEIR, symbol, weight, word=heir.name)


def _by_name(located: Located, inherited: Collection[str], lookup: FactLookup) -> bool:
    """May a C++ name without its class stand for a changed one? A rare one may, unless it is known as an override."""
    return cpp_name((located.fact.scope,)) not in inherited and is_rare(located.fact.name, lookup)


def _touched(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """Uses of the rare names that changed lines use; the very same name where the delta could resolve it."""
    for name, weight in question.touched.items():
        last = name.rpartition(".")[2]
        if not is_rare(last, lookup):
            continue
        for located in lookup.named((last,), KIND):
            symbol = lookup.canonical(located) if located.fact.target else ""
            if _internal(symbol) and (symbol == name or not _internal(name)):
                yield couple_fact(located, Relation.TOUCHED, symbol, weight)


def _internal(symbol: str) -> bool:
    """A name inside an upstream module: public ones (``torch.is_tensor``) are used everywhere and couple nothing."""
    return symbol.startswith(UPSTREAM) and symbol.count(".") >= 2
