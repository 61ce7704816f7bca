"""`hook` 同子系统挂钩点: a patch, subclass or import near the changed code, though not on the changed symbol.

Nearest first: the class around a changed member, the changed module, then the packages around it up to the subsystem
(``torch._inductor``). A patch says more than a subclass, a subclass more than an import. Analysts always name these
places and say why they are unaffected; they rank below what names the changed symbol itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.question import Question
from retrieval.models import EvidenceKind, Relation

KIND = EvidenceKind.HOOK

_STRENGTH = {EvidenceKind.PATCH: 1.0, EvidenceKind.SUBCLASS: 0.8, EvidenceKind.IMPORT: 0.5}
_SUBSYSTEM_DEPTH = 2  # `torch._inductor`: below it names share a subsystem, above it they only share torch


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    holders = {holder for target in question.targets for holder in target.holders}
    direct = {name for target in question.targets for name in (target.symbol, target.old_symbol)}
    direct |= {*holders, *question.modules}
    seen: set[tuple[str, str, tuple[int, ...], str]] = set()
    for area, closeness, relation in _areas(question):
        for located in lookup.under(area, *_STRENGTH):
            name = located.target
            where = (located.path, located.fact.scope, located.fact.lines, name)
            if where in seen or name == area or name in direct:
                continue
            seen.add(where)
            near = Relation.ENCLOSING if name.rpartition(".")[0] in holders else relation
            yield couple_fact(located, near, name, closeness * _strength(located), kind=KIND, word=area)


def _areas(question: Question) -> Iterator[tuple[str, float, Relation]]:
    """(dotted prefix, closeness, relation), modules before packages, near packages before far ones."""
    for module in question.modules:
        yield module, 1.0, Relation.SAME_MODULE
    packages: dict[str, float] = {}
    for module in question.modules:
        names = module.split(".")
        for depth in range(len(names) - 1, _SUBSYSTEM_DEPTH - 1, -1):
            package = ".".join(names[:depth])
            packages[package] = max(packages.get(package, 0.0), depth / len(names))
    for package, closeness in sorted(packages.items(), key=lambda pair: (-pair[0].count("."), pair[0])):
        yield package, closeness, Relation.SAME_PACKAGE


def _strength(located: Located) -> float:
    return _STRENGTH[located.fact.kind]
