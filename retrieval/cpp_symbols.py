"""Definitions of a C++ file (CUDA and Objective-C++ included): functions, methods, classes, members, variables, macros.

Namespaces are part of the qualname (``at.native.add``; anonymous ones are not) but are no definitions. Out-of-line
members carry their class (``Tensor Foo::bar()`` is ``Foo.bar``). Prototypes count as definitions of their own, so a
header says what it declares. Local variables are no definitions.

Macros that open a body are read for what they define: ``TORCH_IMPL_FUNC(add_out)(…)`` is ``add_out``, the gtest
``TEST(Suite, case)`` is ``Suite.case``; any other keeps the macro's name. The C++ grammar knows nothing of macros, so
trees have errors; what parses is still reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from typing import NamedTuple

from tree_sitter import Node

from retrieval.cpp_headers import header_of
from retrieval.cpp_names import declared, function_declarator, name_parts
from retrieval.cpp_tokens import tokens_of
from retrieval.definitions import Definition, Header, Token
from retrieval.models import DefinitionKind
from retrieval.syntax import Source, captures, line_span

_CANDIDATES = """
(namespace_definition) @namespace
(class_specifier body: (_)) @class
(struct_specifier body: (_)) @class
(union_specifier body: (_)) @class
(enum_specifier body: (_)) @class
(function_definition) @function
(declaration) @declaration
(field_declaration) @declaration
(alias_declaration) @named
(type_definition) @declaration
(preproc_def) @named
(preproc_function_def) @macro
(template_declaration) @template
"""
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+")
_GTEST = re.compile(r"(?:TYPED_)?TEST(?:_[FP])?")


class CppRules:
    """``LanguageRules`` of C++."""

    def header(self, definition: Definition) -> Header:
        return header_of(definition.source, definition.node, definition.kind, definition.name_line)

    def tokens(self, source: Source, node: Node, skip: Set[int]) -> list[Token]:
        return tokens_of(source, node, skip)


RULES = CppRules()


class _Candidate(NamedTuple):
    start: int
    minus_end: int
    capture: str
    node: Node
    whole: Node


class _Scope(NamedTuple):
    end: int
    prefix: tuple[str, ...]
    definition: Definition | None  # None for a namespace at file level


_FILE = _Scope(0, (), None)


def cpp_definitions(source: Source) -> tuple[Definition, ...]:
    """All definitions in source order; an outer one comes before what it holds."""
    found: list[Definition] = []
    open_: list[_Scope] = []
    for candidate in _candidates(source):
        while open_ and open_[-1].end <= candidate.start:
            open_.pop()
        scope = open_[-1] if open_ else _FILE
        end = -candidate.minus_end
        if candidate.capture == "namespace":
            parts = name_parts(source, candidate.node.child_by_field_name("name"))
            open_.append(_Scope(end, scope.prefix + parts, scope.definition))
            continue
        for kind, parts, name in _definitions(source, candidate, scope):
            definition = _definition(source, kind, scope.prefix + parts, name, candidate, scope.definition)
            found.append(definition)
            if candidate.capture in ("class", "function"):
                open_.append(_Scope(end, scope.prefix + parts, definition))
    return tuple(found)


def _candidates(source: Source) -> list[_Candidate]:
    nodes = captures(source, _CANDIDATES)
    templates: dict[int, Node] = {}
    for template in nodes.pop("template", ()):
        if template.named_child_count:
            inner = template.named_children[-1]
            templates[inner.id] = templates.get(template.id, template)
    candidates = [
        _Candidate(whole.start_byte, -whole.end_byte, capture, node, whole)
        for capture, listed in sorted(nodes.items())
        for node in listed
        for whole in (templates.get(node.id, node),)
    ]
    candidates.sort(key=lambda candidate: candidate[:2])
    return candidates


_Named = tuple[DefinitionKind, tuple[str, ...], Node]


def _definitions(source: Source, candidate: _Candidate, scope: _Scope) -> Iterable[_Named]:
    """What one candidate defines: kind, name parts below the scope, the node of the name."""
    in_function = scope.definition is not None and scope.definition.kind in (
        DefinitionKind.FUNCTION,
        DefinitionKind.METHOD,
    )
    if candidate.capture == "class":
        name = candidate.node.child_by_field_name("name")
        if name is not None:
            yield DefinitionKind.CLASS, name_parts(source, name), name
    elif candidate.capture == "function":
        yield from _function(source, candidate.node, scope)
    elif candidate.capture == "declaration":
        if not in_function:
            yield from _declarations(source, candidate.node, scope)
    elif not in_function:
        name = candidate.node.child_by_field_name("name")
        if name is not None and not name.is_missing:
            kind = DefinitionKind.FUNCTION if candidate.capture == "macro" else DefinitionKind.VARIABLE
            yield kind, (source.cut(name),), name


def _function(source: Source, node: Node, scope: _Scope) -> Iterable[_Named]:
    declarator = function_declarator(node)
    if declarator is None:
        return
    name = declarator.child_by_field_name("declarator") if declarator.type == "function_declarator" else declarator
    if name is None:
        return
    if name.type == "function_declarator":  # MACRO(name)(parameters)
        arguments = name.child_by_field_name("parameters")
        if arguments is not None and arguments.named_child_count:
            text = "_".join(source.folded(child) for child in arguments.named_children)
            yield DefinitionKind.FUNCTION, (text.replace(".", "_"),), arguments
        return
    parts = name_parts(source, name)
    if not parts:
        return
    if node.child_by_field_name("type") is None and _GTEST.fullmatch(parts[-1]):
        arguments = declarator.child_by_field_name("parameters")
        cases = [] if arguments is None else [source.folded(child) for child in arguments.named_children]
        if len(cases) == 2:
            yield DefinitionKind.METHOD, tuple(cases), name
            return
    yield _kind_of_function(parts, scope), parts, name


def _kind_of_function(parts: tuple[str, ...], scope: _Scope) -> DefinitionKind:
    in_class = scope.definition is not None and scope.definition.kind is DefinitionKind.CLASS
    # ``A::b`` outside a class: by the naming habit of the field, classes are capitalised and namespaces are not.
    out_of_line = len(parts) > 1 and parts[-2][:1].isupper()
    return DefinitionKind.METHOD if in_class or out_of_line else DefinitionKind.FUNCTION


def _declarations(source: Source, node: Node, scope: _Scope) -> Iterable[_Named]:
    for declarator in node.children_by_field_name("declarator"):
        name, is_function = declared(declarator)
        if name is None or name.is_missing:
            continue
        parts = name_parts(source, name)
        if not parts or not parts[-1]:
            continue
        if is_function and len(parts) == 1 and _MACRO.fullmatch(parts[0]) and node.child_by_field_name("type") is None:
            continue  # a macro call that reads like a declaration
        yield (_kind_of_function(parts, scope) if is_function else DefinitionKind.VARIABLE), parts, name


def _definition(
    source: Source,
    kind: DefinitionKind,
    parts: tuple[str, ...],
    name: Node,
    candidate: _Candidate,
    outer: Definition | None,
) -> Definition:
    start, end = line_span(candidate.whole)
    return Definition(
        qualname=".".join(parts),
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
