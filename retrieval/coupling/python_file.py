"""What every Python kind reads: one file, its bindings, and each dotted chain with what it resolves to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.bindings import Bindings, Reached
from retrieval.coupling.chains import Chain, chains, dotted, names_of
from retrieval.coupling.facts import OWN, Shape
from retrieval.coupling.operators import ALIASED_NAMESPACES, operator_of
from retrieval.coupling.python_source import Call, PythonSource, Run, Scope
from retrieval.models import ParameterKind
from retrieval.word_search import matcher

_MEMBER = re.compile(rb"[\s\\]*\.[\s\\]*(?=[A-Za-z_])")


class Use(NamedTuple):
    """A chain in one scope, with every byte at which it stands there meaning the same.

    ``targets`` is null for an unbound name, empty for a local of unknown value. ``rooted`` is false when the first
    name is an attribute of an unnamed expression; it has targets behind ``ir.View(…)`` and ``super()`` alone. The first
    ``head`` names stand for a bound object, which may be an ``instance`` of a class. ``text`` is the chain as written.
    """

    names: tuple[str, ...]
    rooted: bool
    scope: int
    targets: tuple[str, ...] | None
    head: int
    instance: bool
    text: bytes
    starts: list[int]


class PythonFile:
    def __init__(self, data: bytes) -> None:
        self.source = PythonSource(data)
        self.bindings = Bindings(self.source)
        self._shapes: dict[int, tuple[Shape, ...] | None] = {}
        self._places: list[tuple[int, int]] = []  # (start, index into uses) of every chain, in source order

    @cached_property
    def uses(self) -> Sequence[Use]:
        """Every chain of the file, in the order of first appearance."""
        members, places = self._members_of_calls(), self._places
        found: list[Use] = []
        known: dict[tuple[int, int], dict[bytes, int]] = {}
        everywhere: dict[bytes, tuple[tuple[str, ...], Reached]] = {}
        for run, inside in self._chains_by_run():
            here = known.setdefault((run.scope, run.naming), {})
            for start, text in inside:
                at = here.get(text)
                if at is None or start in members:
                    at = len(found)
                    use, depends = self._use(start, text, run, members.get(start, ()), everywhere)
                    found.append(use)
                    if not depends:
                        here[text] = at
                else:
                    found[at].starts.append(start)
                places.append((start, at))
        return found

    def _chains_by_run(self) -> Iterator[tuple[Run, Sequence[Chain]]]:
        runs, found = self.source.runs(), chains(self.source, self.bindings.bound_at)
        edges = [bisect_left(found, (run.start,)) for run in runs]
        for run, (first, end) in zip(runs, pairwise([*edges, len(found)]), strict=True):
            yield run, found[first:end]

    def _use(
        self,
        start: int,
        text: bytes,
        run: Run,
        owners: tuple[str, ...],
        everywhere: dict[bytes, tuple[tuple[str, ...], Reached]],
    ) -> tuple[Use, bool]:
        """The use that begins at ``start``, and whether the same chain elsewhere in its scope may mean another thing.

        ``owners`` are the classes that an attribute of an expression is looked up in, ``everywhere`` remembers chains
        that mean the same in the whole file.
        """
        if text.startswith(b"."):
            names = names_of(text[1:])
            targets = tuple(".".join((owner, *names)) for owner in owners)
            return Use(names, False, run.scope, targets, 0, True, text[1:], [start]), bool(owners)
        if text in everywhere:
            names, reached = everywhere[text]
            return Use(names, True, run.scope, *reached, text, [start]), False
        names = names_of(text)
        reached = self.bindings.reach(names, run.naming, start)
        if self.bindings.is_same_everywhere(names[0]):
            everywhere[text] = names, reached
        return Use(names, True, run.scope, *reached, text, [start]), self.bindings.depends_on_place(names[0])

    def _members_of_calls(self) -> dict[int, tuple[str, ...]]:
        """Bytes at which a chain starts behind ``ir.View(…).`` or ``super().``, and the classes it starts from."""
        found: dict[int, tuple[str, ...]] = {}
        for call in self.source.calls:
            if call.callee == "super" or call.callee.lstrip("_")[:1].isupper():
                dot = _MEMBER.match(self.source.data, call.node.end_byte)
                owners = self._constructed(call) if dot is not None else ()
                if dot is not None and owners:
                    found[dot.end()] = owners
        return found

    def _constructed(self, call: Call) -> tuple[str, ...]:
        if call.callee != "super":
            return self.resolve(call.function)
        owner = self.bindings.enclosing_class(self.source.scope_at(call.node.start_byte))
        return self.bases(self.source.scopes[owner]) if owner >= 0 else ()

    def bases(self, scope: Scope) -> tuple[str, ...]:
        """What the bases of a class stand for, as far as they are plain names."""
        listed = scope.node.child_by_field_name("superclasses") if scope.is_class else None
        nodes = listed.named_children if listed is not None else []
        plain = (node.child_by_field_name("value") if node.type == "subscript" else node for node in nodes)
        return tuple(target for node in plain for target in self.resolve(node))

    def uses_in(self, node: Node) -> Iterator[tuple[Use, int]]:
        """(use, byte) of each chain that starts inside ``node``."""
        uses = self.uses
        first = bisect_left(self._places, (node.start_byte, -1))
        for start, at in self._places[first : bisect_left(self._places, (node.end_byte, -1))]:
            yield uses[at], start

    def qualname(self, scope: int) -> str:
        return self.source.qualname(scope)

    def resolve(self, node: Node | None) -> tuple[str, ...]:
        """Targets of a node that is nothing but a dotted chain; empty when it is more, or unknown."""
        names = self.names(node)
        if node is None or names is None:
            return ()
        return self.bindings.resolve(names, self.source.naming_scope_at(node.start_byte), node.start_byte) or ()

    def names(self, node: Node | None) -> tuple[str, ...] | None:
        """The names of a node that is nothing but a dotted chain."""
        return dotted(self.source.text(node)) if node is not None and node.type in ("identifier", "attribute") else None

    def lines_of(self, use: Use, token: str) -> Iterator[int]:
        """The line of ``token`` in each place of ``use``."""
        return (self.line_of(use, start, token) for start in use.starts)

    def line_of(self, use: Use, start: int, token: str) -> int:
        """The line on which ``token`` stands: a chain in parentheses may run over several."""
        found = matcher(token).search(use.text) if b"\n" in use.text else None
        return self.source.line_at(start + found.start() if found else start)

    def operators_in(self, node: Node) -> Iterator[tuple[str, Use, int]]:
        """(operator, chain, byte) of each operator that a chain inside ``node`` names."""
        for use, start in self.uses_in(node):
            operator = operator_in(use)
            if operator is not None:
                yield operator, use, start

    def shape_of(self, target: str) -> tuple[Shape, ...] | None:
        """Parameters of the function ``target`` (``@.f``) when this file defines it."""
        scope = self.scope_of(target)
        return None if scope is None else self.shape(scope)

    def scope_of(self, target: str) -> int | None:
        """Index of the definition that ``target`` (``@.f``) names, null when it is not in this file."""
        return self._own.get(target)

    @cached_property
    def _own(self) -> dict[str, int]:
        return {f"{OWN}.{scope.qualname}": index for index, scope in enumerate(self.source.scopes)}

    def shape(self, scope: int) -> tuple[Shape, ...] | None:
        if scope not in self._shapes:
            node = self.source.scopes[scope].node.child_by_field_name("parameters")
            self._shapes[scope] = None if node is None else tuple(_shapes(self.source, node))
        return self._shapes[scope]


def operator_in(use: Use) -> str | None:
    """The operator a chain names: by what it resolves to, or by its customary alias when nothing binds the name."""
    for target in use.targets or ():
        operator = operator_of(target)
        if operator is not None:
            return operator
    if use.targets is None and use.names[0] in ALIASED_NAMESPACES:
        return operator_of(".".join(use.names))
    return None


def spelling(operator: str, use: Use) -> str:
    """The word of a chain that stands for ``operator``: its name, or the alias it goes by."""
    name = operator.rpartition(".")[2]
    return name if name in use.names else use.names[0]


_STARRED = {"list_splat_pattern": ParameterKind.VAR_POSITIONAL, "dictionary_splat_pattern": ParameterKind.VAR_KEYWORD}


def _shapes(source: PythonSource, parameters: Node) -> Iterator[Shape]:
    kind = ParameterKind.POSITIONAL_OR_KEYWORD
    children = parameters.named_children
    slash = next((at for at, child in enumerate(children) if child.type == "positional_separator"), -1)
    for at, child in enumerate(children):
        positional, sort = ParameterKind.POSITIONAL_ONLY if at < slash else kind, child.type
        if sort == "identifier":
            yield Shape(source.text(child), positional, False)
            continue
        if sort == "keyword_separator":
            kind = ParameterKind.KEYWORD_ONLY
            continue
        if sort in ("positional_separator", "comment"):
            continue
        named = child.child_by_field_name("name")
        inner = named if named is not None else child.named_children[0] if sort == "typed_parameter" else child
        starred = _STARRED.get(inner.type)
        if starred is not None:
            name = source.text(inner).lstrip("*").strip()
            yield Shape(name, starred, False)
            if starred is ParameterKind.VAR_POSITIONAL:
                kind = ParameterKind.KEYWORD_ONLY
            continue
        yield Shape(source.text(inner), positional, child.child_by_field_name("value") is not None)
