"""Definitions of a Python file or stub: functions, classes, module- and class-level variables, nested ones included.

One query collects every candidate in C; a single sweep over them in source order finds what encloses what, so neither
deep nesting nor a huge file costs a recursion. Definitions inside ``if``, ``try`` or ``with`` belong to the scope
around those statements; variables of functions are no definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from tree_sitter import Node

from retrieval.definitions import Definition, Header, Token
from retrieval.models import DefinitionKind
from retrieval.python_headers import header_of
from retrieval.python_tokens import tokens_of
from retrieval.syntax import Source, captures, line_span

_CANDIDATES = """
(function_definition) @function
(class_definition) @class
(decorated_definition) @decorated
(expression_statement (assignment) @variable)
(type_alias_statement) @alias
"""


class PythonRules:
    """``LanguageRules`` of Python."""

    def header(self, definition: Definition) -> Header:
        return header_of(definition.source, definition.node, definition.whole, definition.kind)

    def tokens(self, source: Source, node: Node, skip: Set[int]) -> list[Token]:
        return tokens_of(source, node, skip)


RULES = PythonRules()


class _Candidate(NamedTuple):
    start: int
    minus_end: int
    kind: DefinitionKind
    node: Node
    whole: Node


def python_definitions(source: Source) -> tuple[Definition, ...]:
    """All definitions in source order; an outer one comes before what it holds."""
    found: list[Definition] = []
    open_: list[tuple[int, Definition]] = []  # (end byte, definition) of functions and classes around the sweep
    for candidate in _candidates(source):
        while open_ and open_[-1][0] <= candidate.start:
            open_.pop()
        outer = open_[-1][1] if open_ else None
        if candidate.kind is DefinitionKind.VARIABLE:
            if outer is None or outer.kind is DefinitionKind.CLASS:
                found.extend(_variables(source, candidate, outer))
            continue
        definition = _callable_or_class(source, candidate, outer)
        if definition is not None:
            found.append(definition)
            open_.append((-candidate.minus_end, definition))
    return tuple(found)


def _candidates(source: Source) -> list[_Candidate]:
    nodes = captures(source, _CANDIDATES)
    decorated = {}
    for whole in nodes.get("decorated", ()):
        inner = whole.child_by_field_name("definition")
        if inner is not None:
            decorated[inner.id] = whole
    kinds = (
        ("function", DefinitionKind.FUNCTION),
        ("class", DefinitionKind.CLASS),
        ("variable", DefinitionKind.VARIABLE),
        ("alias", DefinitionKind.VARIABLE),
    )
    candidates = [
        _Candidate(whole.start_byte, -whole.end_byte, kind, node, whole)
        for capture, kind in kinds
        for node in nodes.get(capture, ())
        for whole in (decorated.get(node.id, node),)
    ]
    candidates.sort(key=lambda candidate: candidate[:2])
    return candidates


def _callable_or_class(source: Source, candidate: _Candidate, outer: Definition | None) -> Definition | None:
    name = candidate.node.child_by_field_name("name")
    if name is None or name.is_missing:
        return None
    kind = candidate.kind
    if kind is DefinitionKind.FUNCTION and outer is not None and outer.kind is DefinitionKind.CLASS:
        kind = DefinitionKind.METHOD
    return _definition(source, kind, name, candidate, outer)


def _variables(source: Source, candidate: _Candidate, outer: Definition | None) -> Iterable[Definition]:
    for name in _targets(candidate.node):
        yield _definition(source, DefinitionKind.VARIABLE, name, candidate, outer)


def _targets(assignment: Node) -> list[Node]:
    """Plain names that a statement binds: ``a = b = 1`` and ``a, (b, *c) = …`` included, ``x.y = 1`` not."""
    if assignment.type == "type_alias_statement":
        left = assignment.child_by_field_name("left")
        inner = left.named_child(0) if left is not None and left.named_child_count else None
        if inner is not None and inner.type == "generic_type":
            inner = inner.named_child(0)
        return [inner] if inner is not None and inner.type == "identifier" else []
    names: list[Node] = []
    node: Node | None = assignment
    while node is not None and node.type == "assignment":
        left = node.child_by_field_name("left")
        pending = [left] if left is not None else []
        while pending:
            target = pending.pop()
            if target.type == "identifier":
                names.append(target)
            elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"):
                pending.extend(reversed(target.named_children))
        node = node.child_by_field_name("right")
    return names


def _definition(
    source: Source, kind: DefinitionKind, name: Node, candidate: _Candidate, outer: Definition | None
) -> Definition:
    text = name.text
    plain = text.decode("utf-8", "replace") if text is not None else ""
    start, end = line_span(candidate.whole)
    return Definition(
        qualname=plain if outer is None else f"{outer.qualname}.{plain}",
        kind=kind,
        start_line=start,
        end_line=end,
        name_line=name.start_point[0] + 1,
        outer=outer,
        source=source,
        node=candidate.node,
        whole=candidate.whole,
        rules=RULES,
    )
