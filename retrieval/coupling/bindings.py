"""What each name in a file stands for, scope by scope, as far as reading the file can tell.

Python's rules: a name bound anywhere in a function is local to all of it; class bodies are invisible to their methods;
a parameter, lambda parameter or comprehension variable shadows an import; ``global`` and ``nonlocal`` bind outside. Of
several bindings in one scope a use sees those that reach it (see `flow`).

Aliases (``raw = ir.View.create``) and instances (``k = ir.View(…)``, ``k: ir.View = …``, ``def f(k: ir.View)``,
``self.k = ir.View(…)``) are followed; an instance stands for its class, and `holds_instance` tells.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.chains import dotted
from retrieval.coupling.facts import OWN
from retrieval.coupling.flow import Binding, reaching
from retrieval.coupling.imported import STAR, Imported, read_imports
from retrieval.coupling.python_source import PythonSource

_BUILTIN = frozenset(dir(builtins))
_UNKNOWN = (Binding(None),)  # bound, but to nothing that could be named
_OPTIONAL = re.compile(r"(?:typing\.)?Optional\[(.*)\]|(.*?)\s*\|\s*None", re.DOTALL)


class Reached(NamedTuple):
    """Where a chain leads. Its first ``head`` names stand for what is bound, an ``instance`` or the thing itself."""

    targets: tuple[str, ...] | None
    head: int = 1
    instance: bool = False


class Bindings:
    """``resolve`` answers null for a name nobody binds, which then is a builtin.

    ``bound_at`` holds the first byte of every name that is being bound there, and so is no use of it.
    """

    def __init__(self, source: PythonSource) -> None:
        self._source = source
        self._names: dict[int, dict[str, list[Binding]]] = {}
        self._members: dict[tuple[int, str], list[Binding]] = {}
        self._outer: dict[tuple[int, str], int] = {}  # (scope, name) declared global or nonlocal there → bound scope
        self._hidden: dict[str, list[tuple[int, int]]] = {}  # lambda parameters and the like: where they hold
        self.bound_at: set[int] = set()
        self.imports: Sequence[Imported] = tuple(read_imports(source))
        self.stars = tuple(dict.fromkeys(item.target for item in self.imports if item.bound == STAR))
        self._read_declarations()
        for item in self.imports:
            if item.bound != STAR:
                self._bind(item.scope, item.bound, Binding(item.node, (item.stands_for,)))
        self._read_definitions()
        self._read_expressions()
        for node in source.each("target"):
            self._bind_all(node)
        for assignment in source.assignments:
            self._read_assignment(*assignment)
        self._positional = self._settle()
        self._local = {"self", "cls"}.union(
            self._positional, *(names for scope, names in self._names.items() if scope >= 0)
        )

    def resolve(self, names: Sequence[str], scope: int, at: int) -> tuple[str, ...] | None:
        """Dotted targets of the chain ``names`` that stands at byte ``at`` and sees the names of ``scope``.

        An empty tuple means a local of unknown value; several targets come from alternative bindings or star imports.
        """
        return self.reach(names, scope, at).targets

    def reach(self, names: Sequence[str], scope: int, at: int) -> Reached:
        """The same, and how the chain gets there."""
        head, rest = names[0], names[1:]
        if rest and head in ("self", "cls"):
            return self._member(rest, scope)
        found = self._lookup(head, scope, at)
        if found is None:
            return Reached(self._starred(names))
        targets = self._targets(found)
        instance = found[0].instance if len(found) == 1 else any(binding.instance for binding in found)
        if rest and targets:
            tail = ".".join(rest)
            targets = tuple(f"{target}.{tail}" for target in targets)
        return Reached(targets, 1, instance)

    def holds_instance(self, names: Sequence[str], scope: int, at: int) -> bool:
        """Is the object whose attribute the chain names at its end an instance, rather than a module or class?"""
        head, rest = names[0], names[1:]
        if rest and head in ("self", "cls"):
            found: Sequence[Binding] = self._members.get((self.enclosing_class(scope), rest[0]), ())
        else:
            found = self._lookup(head, scope, at) or ()
        self._targets(found)  # what an alias stands for decides
        return any(binding.instance for binding in found)

    def depends_on_place(self, name: str) -> bool:
        """False when all uses of ``name`` in one scope mean the same."""
        return name in self._positional

    def is_same_everywhere(self, name: str) -> bool:
        """True when all uses of ``name`` in the file mean the same: nothing but the module binds it, if anything."""
        return name not in self._local

    def enclosing_class(self, scope: int) -> int:
        """Index of the class whose method holds ``scope``, -1 when there is none."""
        while scope >= 0 and not self._source.scopes[scope].is_class:
            scope = self._source.scopes[scope].parent
        return scope

    def _starred(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """What a name that nobody binds stands for: a builtin, or something that a star import brought."""
        if names[0] == "torch":
            return (".".join(names),)  # a module, which star imports bring along too
        if not self.stars or names[0] in _BUILTIN:
            return None
        return tuple(".".join((module, *names)) for module in self.stars)

    def _member(self, rest: Sequence[str], scope: int) -> Reached:
        owner = self.enclosing_class(scope)
        if owner < 0:
            return Reached(())
        bindings = self._members.get((owner, rest[0]), ()) if len(rest) > 1 else ()
        known = self._targets(bindings)
        if known:
            targets = tuple(".".join((target, *rest[1:])) for target in known)
            return Reached(targets, 2, any(binding.instance for binding in bindings))
        return Reached((".".join((OWN, self._source.scopes[owner].qualname, *rest)),))

    def _lookup(self, name: str, scope: int, at: int) -> Sequence[Binding] | None:
        """Bindings of ``name`` that reach the use. Null when there are none anywhere."""
        if name in self._hidden and any(start <= at < end for start, end in self._hidden[name]):
            return _UNKNOWN
        here, inline, innermost = scope, True, True
        while True:
            if here < 0 or innermost or not self._source.scopes[here].is_class:
                found = self._names.get(here, {}).get(name)
                if found is not None:
                    return found if len(found) == 1 else reaching(found, at if inline else None)
            if here < 0:
                return None
            inline = inline and self._source.scopes[here].is_class  # a function body runs later, a class body at once
            here, innermost = self._outer.get((here, name), self._source.scopes[here].parent), False

    def _targets(self, bindings: Sequence[Binding]) -> tuple[str, ...]:
        if len(bindings) == 1:
            return self._followed(bindings[0])
        return tuple(dict.fromkeys(target for binding in bindings for target in self._followed(binding)))

    def _followed(self, binding: Binding) -> tuple[str, ...]:
        if binding.targets is None:
            binding.targets = ()  # `x = x.y` leads back here
            found = self.resolve(binding.names, binding.scope, binding.at)
            binding.targets = found or binding.fallback
            if found and not binding.instance:
                binding.instance = self.holds_instance(binding.names, binding.scope, binding.at)
        return binding.targets

    def _bind(self, scope: int, name: str, binding: Binding) -> None:
        while (scope, name) in self._outer:
            scope, binding.node = self._outer[scope, name], None
        self._names.setdefault(scope, {}).setdefault(name, []).append(binding)

    def _bind_all(self, node: Node) -> None:
        """Bind every name of a target to nothing known."""
        for name in _identifiers(node):
            self.bound_at.add(name.start_byte)
            self._bind(self._source.scope_at(name.start_byte), self._source.text(name), Binding(name))

    def _read_declarations(self) -> None:
        for kind in ("global", "nonlocal"):
            for node in self._source.nodes(kind):
                scope = self._source.scope_at(node.start_byte)
                for name in node.named_children if scope >= 0 else ():
                    self.bound_at.add(name.start_byte)
                    outer = self._source.scopes[scope].parent if kind == "nonlocal" else -1
                    self._outer[scope, self._source.text(name)] = outer

    def _read_definitions(self) -> None:
        source = self._source
        for index, scope in enumerate(source.scopes):
            name = scope.qualname.rpartition(".")[2]
            self._bind(scope.parent, name, Binding(scope.node, (f"{OWN}.{scope.qualname}",)))
            parameters = scope.node.child_by_field_name("parameters") if not scope.is_class else None
            for named, annotation in _parameters(parameters) if parameters is not None else ():
                self.bound_at.add(named.start_byte)
                typed = _annotated(source, annotation)
                binding = Binding(named) if typed is None else self._later(named, typed, scope.parent, instance=True)
                self._bind(index, source.text(named), binding)

    def _read_expressions(self) -> None:
        """Lambdas and comprehensions: their variables hold inside them alone."""
        for node in self._source.each("lambda"):
            parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
            for named, _ in _parameters(parameters) if parameters is not None else ():
                self.bound_at.add(named.start_byte)
                if body is not None:
                    self._hide(named, body.start_byte, body.end_byte)
        for node in self._source.each("comprehension"):
            clauses = [child for child in node.named_children if child.type == "for_in_clause"]
            first = clauses[0].child_by_field_name("right") if clauses else None
            if first is None:
                continue
            for clause in clauses:
                for left in clause.children_by_field_name("left"):
                    for name in _identifiers(left):
                        self.bound_at.add(name.start_byte)
                        self._hide(name, node.start_byte, first.start_byte)  # the first iterable sees what is around
                        self._hide(name, first.end_byte, node.end_byte)

    def _hide(self, name: Node, start: int, end: int) -> None:
        self._hidden.setdefault(self._source.text(name), []).append((start, end))

    def _read_assignment(self, node: Node, left: Node, right: Node | None) -> None:
        source = self._source
        if left.type == "identifier":
            self.bound_at.add(left.start_byte)
            scope, name = source.scope_at(node.start_byte), source.text(left)
            self._bind(scope, name, self._value(node, right, scope, (f"{OWN}.{name}",) if scope < 0 else ()))
        elif left.type == "attribute":
            names = dotted(source.text(left))
            if names is not None and len(names) == 2 and names[0] == "self":
                scope = source.scope_at(node.start_byte)
                value = self._value(node, right, scope, ())
                owner = self.enclosing_class(scope)
                if owner >= 0 and value.names:
                    self._members.setdefault((owner, names[1]), []).append(value)
        else:
            self._bind_all(left)

    def _value(self, node: Node, right: Node | None, scope: int, fallback: tuple[str, ...]) -> Binding:
        """What an assignment binds: an alias, or an instance (a call of a capitalised name, or an annotation)."""
        while right is not None and right.type == "assignment":  # `a = b = value`
            right = right.child_by_field_name("right")
        if right is not None and right.type in ("identifier", "attribute"):
            names = dotted(self._source.text(right))
            if names is not None:
                return self._later(node, names, scope, fallback=fallback)
        elif right is not None and right.type == "call":
            function = right.child_by_field_name("function")
            if function is not None and function.type in ("identifier", "attribute"):
                names = dotted(self._source.text(function))
                if names is not None and names[-1].lstrip("_")[:1].isupper():
                    return self._later(node, names, scope, instance=True, fallback=fallback)
        typed = _annotated(self._source, node.child_by_field_name("type"))
        if typed is not None:
            return self._later(node, typed, scope, instance=True, fallback=fallback)
        return Binding(node, fallback)

    def _later(
        self, node: Node, names: tuple[str, ...], scope: int, *, instance: bool = False, fallback: tuple[str, ...] = ()
    ) -> Binding:
        """A binding whose target is looked up when someone asks, when all names of the file are known."""
        return Binding(node, None, names, scope, node.start_byte, instance, fallback)

    def _settle(self) -> frozenset[str]:
        """Put bindings in source order; returns the names whose meaning depends on where they are used."""
        positional = set(self._hidden)
        for names in self._names.values():
            for name, found in names.items():
                if len(found) == 1:
                    continue
                if all(binding.targets == found[0].targets and not binding.names for binding in found):
                    del found[1:]
                    continue
                found.sort(key=lambda binding: binding.end)
                positional.add(name)
        return frozenset(positional)


def _annotated(source: PythonSource, annotation: Node | None) -> tuple[str, ...] | None:
    """The class an annotation names: ``ir.View``, in quotes or optional; null for anything more."""
    if annotation is None:
        return None
    text = source.text(annotation).strip("\"' ")
    optional = _OPTIONAL.fullmatch(text)
    return dotted((optional[1] or optional[2]).strip("\"' ") if optional else text)


def _parameters(node: Node) -> Iterator[tuple[Node, Node | None]]:
    """(name, annotation) of each parameter below a ``parameters`` or ``lambda_parameters`` node."""
    for child in node.named_children:
        if child.type == "identifier":
            yield child, None
            continue
        annotation, named = child.child_by_field_name("type"), child.child_by_field_name("name")
        for name in [named] if named is not None else _identifiers(child, stop="type"):
            yield name, annotation


def _identifiers(node: Node, stop: str = "") -> Iterator[Node]:
    """Names bound by a target: subscripts and attributes bind none."""
    if node.type == "identifier":
        yield node
    elif node.type not in ("attribute", "subscript", "call", "type"):
        for child in node.named_children:
            if not stop or child.type != stop:
                yield from _identifiers(child, stop)
