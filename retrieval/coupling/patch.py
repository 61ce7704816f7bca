"""`patch` 赋值式 patch: downstream puts something of its own into an upstream module, class or registry.

Forms: ``ir.View.create = f`` · ``setattr(ir.View, "create", f)`` · ``ir.View.__dict__["create"] = f`` ·
``registry[key] = f`` · ``registry.append(f)`` and its like · ``@functools.wraps(ir.View.create)``.
Setting a config flag is `config`, not a patch; so is nothing that only an instance feels (``V.graph.x = y``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.config import is_flag
from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import accepts, lacking, written
from retrieval.models import CouplingDetail, EvidenceKind

KIND = EvidenceKind.PATCH

_FILLING = frozenset({"append", "extend", "insert", "update", "add", "setdefault", "register"})


class _Site(NamedTuple):
    """Where a patch stands: what it replaces, what it puts there, and the node whose last line holds ``token``."""

    target: str
    value: Node | None
    at: Node
    token: str


def extract(file: PythonFile) -> Iterator[Fact]:
    for site in _sites(file):
        name = site.target.rpartition(".")[2]
        if not _replaceable(site.target):
            continue
        scope = file.source.scope_at(site.at.start_byte)
        replacement = _replacement(file, site)
        yield Fact(
            KIND,
            name,
            site.target,
            file.qualname(scope),
            (file.source.line_at(site.at.end_byte - 1),),
            site.token,
            owner=replacement,
            shape=file.shape_of(replacement),
            detail=CouplingDetail(
                replacement=replacement.removeprefix(f"{OWN}.") or None,
                calls_original=_calls_original(file, replacement, site.target),
            ),
        )


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for target in question.targets:
        for located in lookup.named(target.names, KIND):
            relation = target.relation_to(lookup.canonical(located))
            if relation is not None:
                yield couple_fact(
                    located, relation, target.symbol, target.weight, detail=_detail(located, target, lookup)
                )


def _detail(located: Located, target: Target, lookup: FactLookup) -> CouplingDetail:
    known = located.fact.detail or CouplingDetail()
    shape, parameters = located.fact.shape, target.change.parameters
    same = lookup.canonical(located) in (target.symbol, target.old_symbol)
    if shape is None or not same:
        return known
    return known.model_copy(
        update={
            "downstream_signature": written(shape),
            "lacks": lacking(parameters, shape) if parameters else (),
            "signature_matches": accepts(parameters, shape) if parameters else None,
        }
    )


def _sites(file: PythonFile) -> Iterator[_Site]:
    source = file.source
    for node in source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            continue
        if left.type == "attribute":
            for target in file.resolve(left):
                yield _Site(target, right, left, _last_name(file, left))
        elif left.type == "subscript":
            yield from _subscript(file, left, right)
    for node in source.nodes("call"):
        yield from _call(file, node)


def _subscript(file: PythonFile, left: Node, right: Node) -> Iterator[_Site]:
    """``X.__dict__["m"] = f`` patches ``X.m``; ``registry[key] = f`` patches the registry."""
    holder = left.child_by_field_name("value")
    for target in file.resolve(holder):
        if holder is None:
            continue
        if target.endswith(".__dict__"):
            key = left.child_by_field_name("subscript")
            name = file.source.text(key).strip("\"'") if key is not None and key.type == "string" else ""
            if key is not None and name.isidentifier():
                yield _Site(target.removesuffix("__dict__") + name, right, key, name)
        else:
            yield _Site(target, right, holder, _last_name(file, holder))


def _call(file: PythonFile, node: Node) -> Iterator[_Site]:
    source = file.source
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return
    callee = source.text(function)
    last = callee.rpartition(".")[2].strip()
    positional = [child for child in arguments.named_children if child.type not in ("keyword_argument", "comment")]
    if (
        last in ("setattr", "object")
        and len(positional) >= 3
        and callee in ("setattr", "patch.object", "mock.patch.object")
    ):
        name = source.text(positional[1]).strip("\"'")
        if name.isidentifier() and positional[1].type == "string":
            for target in file.resolve(positional[0]):
                yield _Site(f"{target}.{name}", positional[2], positional[1], name)
    elif last in _FILLING and function.type == "attribute":
        holder = function.child_by_field_name("object")
        for target in file.resolve(holder):
            if holder is not None:
                yield _Site(target, positional[-1] if positional else None, holder, _last_name(file, holder))
    elif last == "wraps" and positional:
        for target in file.resolve(positional[0]):
            yield _Site(target, None, positional[0], _last_name(file, positional[0]))


def _last_name(file: PythonFile, node: Node) -> str:
    return file.source.text(node).rpartition(".")[2].strip()


def _replaceable(target: str) -> bool:
    """An imported module or class, or a member of it: not the file's own names, flags, nor members of instances."""
    names = target.lstrip(".").split(".")
    if target.startswith(OWN) or len(names) < 2 or is_flag(target) or not names[0]:
        return False
    classes = [at for at, name in enumerate(names) if name.lstrip("_")[:1].isupper()]
    return not classes or len(names) - 1 - classes[-1] <= 1


def _replacement(file: PythonFile, site: _Site) -> str:
    """Dotted name of what is put in place; for a ``wraps`` decorator, the function it decorates."""
    if site.value is None:
        scope = file.source.scope_at(site.at.start_byte)
        return f"{OWN}.{file.qualname(scope)}" if scope >= 0 else ""
    value = site.value
    if value.type == "call":  # wrapper(f), staticmethod(f), partial(f, …): the function that is wrapped
        arguments = value.child_by_field_name("arguments")
        inner = (
            [child for child in arguments.named_children if child.type in ("identifier", "attribute")]
            if arguments
            else []
        )
        value = inner[0] if inner else value
    targets = file.resolve(value)
    return targets[0] if targets else ""


def _calls_original(file: PythonFile, replacement: str, target: str) -> bool | None:
    """Does the replacing function use the name it replaces, or a saved alias of it? Null when not in this file."""
    scope = file.scope_of(replacement)
    if scope is None:
        return None
    body = file.source.scopes[scope].node.child_by_field_name("body")
    return body is not None and any(
        found == target or found.startswith(f"{target}.") for use, _ in file.uses_in(body) for found in use.targets or ()
    )
