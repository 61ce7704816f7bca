"""`patch` 赋值式 patch: downstream puts something of its own into an upstream module, class or registry.

`patch_sites` finds the places; here it is told what is put there, whether that still takes the arguments of the changed
signature, and whether it calls what it replaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact, known_detail
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.patch_sites import Site, patch_sites
from retrieval.coupling.python_file import PythonFile, Use
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import compared
from retrieval.models import CouplingDetail, EvidenceKind

KIND = EvidenceKind.PATCH


class _Replacement(NamedTuple):
    """What a patch puts in place: its dotted name (empty when it has none) and the code that will run, if at hand.

    ``handed`` are the parameters of the function that made it: names of what its maker was given.
    """

    name: str
    code: Node | None
    handed: frozenset[str] = frozenset()


def extract(file: PythonFile) -> Iterator[Fact]:
    saved: Mapping[str, frozenset[str]] | None = None
    for site in patch_sites(file):
        if saved is None:
            saved = _saved(file)
        replacement = _replacement(file, site)
        yield Fact(
            KIND,
            site.target.rpartition(".")[2],
            site.target,
            file.qualname(file.source.scope_at(site.at.start_byte)),
            (file.source.line_at(site.at.end_byte - 1),),
            site.token,
            owner=replacement.name,
            shape=file.shape_of(replacement.name) if replacement.code is not None else None,
            detail=CouplingDetail(calls_original=_calls_original(file, site, replacement, saved)),
        )


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        for located in (*lookup.named(target.names, KIND), *_patched_members(target, lookup)):
            relation = target.relation_to(lookup.canonical(located))
            if relation is not None:
                yield couple_fact(
                    located, relation, target.symbol, target.weight, detail=_detail(located, target, lookup)
                )


def _patched_members(target: Target, lookup: FactLookup) -> Iterator[Located]:
    """Patches of what a changed class or registry holds: they go by the member's name."""
    for symbol in () if target.is_member else dict.fromkeys((target.symbol, target.old_symbol)):
        yield from (located for located in lookup.under(symbol, KIND) if located.target != symbol)


def _detail(located: Located, target: Target, lookup: FactLookup) -> CouplingDetail:
    same = lookup.canonical(located) in (target.symbol, target.old_symbol)
    return compared(known_detail(located), located.fact.shape if same else None, target.change.parameters)


def _replacement(file: PythonFile, site: Site) -> _Replacement:
    """The function or class that is put in place; for ``wraps`` the function that wraps."""
    value = site.value if site.value is not None else _wrapping(file, site.at)
    if value is None:
        return _Replacement("", None)
    if value.type == "call":  # wrapper(f), staticmethod(f), partial(f, …): the function that is wrapped
        function, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
        for node in arguments.named_children if arguments is not None else []:
            for target in file.resolve(node):
                if file.scope_of(target) is not None:
                    return _Replacement(target, _code(file, target))
        targets = file.resolve(function)
        return _made_by(file, targets[0]) if targets else _Replacement("", None)
    targets = file.resolve(value)
    name = targets[0] if targets and targets[0] != site.target else ""
    return _Replacement(name, value if value.type == "lambda" else _code(file, name))


def _made_by(file: PythonFile, factory: str) -> _Replacement:
    """What ``factory(…)`` puts in place: the one function inside it, if it is in this file and has just one."""
    scopes, outer = file.source.scopes, file.scope_of(factory)
    inner = [scope for scope in scopes if scope.parent == outer and not scope.is_class] if outer is not None else []
    if outer is None or len(inner) != 1:
        return _Replacement(factory, None)
    handed = frozenset(shape.name for shape in file.shape(outer) or ())
    return _Replacement(f"{OWN}.{inner[0].qualname}", inner[0].node, handed)


def _wrapping(file: PythonFile, wrapped: Node) -> Node | None:
    """The name of the function behind ``@wraps(f)``, or the argument of ``wraps(f)(g)``."""
    call = wrapped.parent.parent if wrapped.parent is not None else None
    outer = call.parent if call is not None else None
    if call is None or outer is None:
        return None
    if outer.type == "decorator":
        scope = file.source.scope_at(call.start_byte)
        return file.source.scopes[scope].node.child_by_field_name("name") if scope >= 0 else None
    arguments = outer.child_by_field_name("arguments") if outer.type == "call" else None
    return arguments.named_children[0] if arguments is not None and arguments.named_children else None


def _code(file: PythonFile, target: str) -> Node | None:
    scope = file.scope_of(target)
    return None if scope is None else file.source.scopes[scope].node


def _saved(file: PythonFile) -> Mapping[str, frozenset[str]]:
    """Upstream names that the file saves in an attribute (``View._raw = View.create``), and those attributes."""
    found: dict[str, set[str]] = {}
    for _, left, right in file.source.assignments:
        if left.type == "attribute" and right is not None:
            names = file.names(left)
            for target in file.resolve(right):
                if names is not None and not target.startswith(OWN):
                    found.setdefault(target, set()).add(names[-1])
    return {target: frozenset(names) for target, names in found.items()}


def _calls_original(
    file: PythonFile, site: Site, replacement: _Replacement, saved: Mapping[str, frozenset[str]]
) -> bool | None:
    """Does the replacing code use what it replaces, under its name or a saved one? Null when it is not in this file.

    An entry of a registry replaces nothing that could be named, so nothing can be told.
    One that gets the original handed in (``wrap(View.create)``) calls it when it uses a parameter of ``wrap``; with
    ``wrap`` in another file nothing can be told.
    """
    if replacement.code is None or site.is_entry:
        return None
    names = saved.get(site.target, frozenset())
    value = site.value
    handed = (
        value is not None
        and value.type == "call"
        and any(_names_original(use, site.target) for use, _ in file.uses_in(value))
    )
    for use, _ in file.uses_in(replacement.code):
        if not names.isdisjoint(use.names) or (handed and use.names[0] in replacement.handed):
            return True
        if _names_original(use, site.target):
            return True
    return None if handed and not replacement.handed else False


def _names_original(use: Use, original: str) -> bool:
    """Does the chain lead to the original, or to a function of its name in another module that has it from there?"""
    module, _, name = original.rpartition(".")
    in_module = not module.rpartition(".")[2].lstrip("_")[:1].isupper()
    for target in use.targets or ():
        if target == original or target.startswith(f"{original}."):
            return True
        holder, _, last = target.rpartition(".")
        elsewhere = in_module and last == name and not target.startswith((OWN, "."))
        if elsewhere and not holder.rpartition(".")[2].lstrip("_")[:1].isupper():
            return True
    return False
