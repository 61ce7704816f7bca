"""`hook` 同子系统挂钩点: a patch, subclass or import near the changed code, though not on the changed symbol.

Nearest first: the class around a changed member, the changed module, then the packages around it up to the subsystem
(``torch._inductor``). A patch says more than a subclass, a subclass more than an import. Analysts always name these
places and say why they are unaffected; they rank below what names the changed symbol itself. A patch points to the
function it puts in place: that is the code which runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.question import Question
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.HOOK

_STRENGTH = {EvidenceKind.PATCH: 1.0, EvidenceKind.SUBCLASS: 0.8, EvidenceKind.IMPORT: 0.5}
_BESIDE = 0.5  # of a module that the change touches, though nobody can see how
_NONE = CouplingDetail()
_SUBSYSTEM_DEPTH = 2  # `torch._inductor`: below it names share a subsystem, above it they only share torch


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    holders = {holder for target in question.targets for holder in target.holders}
    direct = {name for target in question.targets for name in (target.symbol, target.old_symbol)}
    direct |= {*holders, *question.modules}
    seen: set[tuple[str, str, tuple[int, ...], str]] = set()
    functions = _Functions(lookup)
    for area, closeness, relation in _areas(question):
        for located in lookup.under(area, *_STRENGTH):
            name = located.target
            where = (located.path, located.fact.scope, located.fact.lines, name)
            if where in seen or name == area or name in direct:
                continue
            seen.add(where)
            near = Relation.ENCLOSING if name.rpartition(".")[0] in holders else relation
            weight = closeness * _strength(located)
            yield couple_fact(located, near, name, weight, kind=KIND, word=area)
            if located.fact.kind is EvidenceKind.PATCH and located.owner:
                yield from _replacement(located, name, weight, area, functions)
    for target in question.targets:
        for located in lookup.named(target.names, EvidenceKind.PATCH):
            if located.owner and target.relation_to(lookup.canonical(located)) is not None:
                yield from _replacement(located, target.symbol, target.weight, located.fact.name, functions)


class _Functions:
    """The functions and classes of the files that patches take their replacements from, by absolute name."""

    def __init__(self, lookup: FactLookup) -> None:
        self._lookup = lookup
        self._by_path: dict[str, dict[str, Located]] = {}

    def named(self, name: str, path: str, module: str) -> Located | None:
        """``path`` and ``module`` are those of the file that uses the name."""
        if not name.startswith(f"{module}."):
            path = next(iter(self._lookup.paths_of(self._lookup.home_of(name) or "")), "")
        if path not in self._by_path:
            found = self._lookup.inside([path], EvidenceKind.FORK) if path else ()
            self._by_path[path] = {located.target: located for located in found}
        return self._by_path[path].get(name)


def _replacement(patch: Located, symbol: str, weight: float, word: str, functions: _Functions) -> Iterator[Coupling]:
    """What a patch puts in place, and the function that makes it: what runs instead of upstream's."""
    for name in (patch.owner, patch.owner.rpartition(".")[0]):
        located = functions.named(name, patch.path, patch.module)
        if located is None or located.fact.scope == patch.fact.scope:
            continue
        if name == patch.owner or not located.fact.owner:  # a class makes none of its methods
            yield couple_fact(located, Relation.REPLACEMENT, symbol, weight, kind=KIND, word=word, detail=_NONE)


def _areas(question: Question) -> Iterator[tuple[str, float, Relation]]:
    """(dotted prefix, closeness, relation), modules before packages, near packages before far ones."""
    for module in question.modules:
        yield module, 1.0, Relation.SAME_MODULE
    for module in question.beside:
        yield module, _BESIDE, Relation.SAME_MODULE
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
