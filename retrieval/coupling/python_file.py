"""What every Python kind reads: one file, its bindings, and each dotted chain with what it resolves to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.bindings import Bindings
from retrieval.coupling.chains import Chain, chains, dotted
from retrieval.coupling.facts import OWN, Shape
from retrieval.coupling.operators import ALIASED_NAMESPACES, operator_of
from retrieval.coupling.python_source import PythonSource
from retrieval.models import ParameterKind
from retrieval.word_search import matcher


class Use(NamedTuple):
    """A chain in its scope. ``targets`` is null for an unbound name, empty for a local of unknown value."""

    chain: Chain
    scope: int
    line: int
    targets: tuple[str, ...] | None


class PythonFile:
    def __init__(self, data: bytes) -> None:
        self.source = PythonSource(data)
        self.bindings = Bindings(self.source)

    @cached_property
    def uses(self) -> Sequence[Use]:
        source, bindings = self.source, self.bindings
        found: list[Use] = []
        for chain in chains(source):
            scope = source.scope_at(chain.start)
            targets = bindings.resolve(chain.names, scope) if chain.rooted else ()
            found.append(Use(chain, scope, source.line_at(chain.start), targets))
        return found

    @cached_property
    def _use_starts(self) -> Sequence[int]:
        return [use.chain.start for use in self.uses]

    def uses_in(self, node: Node) -> Sequence[Use]:
        """Chains that start inside ``node``."""
        return self.uses[bisect_left(self._use_starts, node.start_byte) : bisect_left(self._use_starts, node.end_byte)]

    def qualname(self, scope: int) -> str:
        return self.source.qualname(scope)

    def resolve(self, node: Node | None) -> tuple[str, ...]:
        """Targets of a node that is nothing but a dotted chain; empty when it is more, or unknown."""
        if node is None or node.type not in ("identifier", "attribute"):
            return ()
        names = dotted(self.source.text(node))
        return (self.bindings.resolve(names, self.source.scope_at(node.start_byte)) or ()) if names else ()

    def line_of(self, use: Use, token: str) -> int:
        """The line on which ``token`` stands: a chain in parentheses may run over several."""
        source, chain = self.source, use.chain
        if source.line_at(chain.end - 1) == use.line:
            return use.line
        found = matcher(token).search(source.data, chain.start, chain.end)
        return source.line_at(found.start()) if found else use.line

    def operators_in(self, node: Node) -> Iterator[tuple[str, Use]]:
        """Operators that chains inside ``node`` name."""
        for use in self.uses_in(node):
            operator = operator_in(use)
            if operator is not None:
                yield operator, use

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
        node = self.source.scopes[scope].node.child_by_field_name("parameters")
        return None if node is None else tuple(_shapes(self.source, node))


def operator_in(use: Use) -> str | None:
    """The operator a chain names: by what it resolves to, or by its customary alias when nothing binds the name."""
    for target in use.targets or ():
        operator = operator_of(target)
        if operator is not None:
            return operator
    if use.targets is None and use.chain.names[0] in ALIASED_NAMESPACES:
        return operator_of(".".join(use.chain.names))
    return None


def spelling(operator: str, use: Use) -> str:
    """The word of a chain that stands for ``operator``: its name, or the alias it goes by."""
    name = operator.rpartition(".")[2]
    return name if name in use.chain.names else use.chain.names[0]


_STARRED = {"list_splat_pattern": ParameterKind.VAR_POSITIONAL, "dictionary_splat_pattern": ParameterKind.VAR_KEYWORD}


def _shapes(source: PythonSource, parameters: Node) -> Iterator[Shape]:
    kind = ParameterKind.POSITIONAL_OR_KEYWORD
    children = parameters.named_children
    slash = next((at for at, child in enumerate(children) if child.type == "positional_separator"), -1)
    for at, child in enumerate(children):
        if child.type == "keyword_separator":
            kind = ParameterKind.KEYWORD_ONLY
            continue
        if child.type in ("positional_separator", "comment"):
            continue
        named = child.child_by_field_name("name")
        inner = named if named is not None else child.named_children[0] if child.type == "typed_parameter" else child
        starred = _STARRED.get(inner.type)
        if starred is not None:
            name = source.text(inner).lstrip("*").strip()
            yield Shape(name, starred, False)
            if starred is ParameterKind.VAR_POSITIONAL:
                kind = ParameterKind.KEYWORD_ONLY
            continue
        positional = ParameterKind.POSITIONAL_ONLY if at < slash else kind
        yield Shape(source.text(inner), positional, child.child_by_field_name("value") is not None)
