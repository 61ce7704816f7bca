"""What a C++ definition says before its body: parameters, return type, bases, value.

Parameters are positional only: C++ callers cannot name them. ``annotation`` is the type as written; an unnamed
parameter has an empty name, ``...`` is a variadic one.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from retrieval.cpp_names import declared
from retrieval.definitions import Header
from retrieval.models import DefinitionKind, Parameter, ParameterKind
from retrieval.syntax import Source

_SPACE = re.compile(r"\s+")


def header_of(source: Source, node: Node, kind: DefinitionKind, name_line: int) -> Header:
    """The header of one definition; ``name_line`` picks the declarator of a declaration with several."""
    if kind is DefinitionKind.CLASS:
        return Header(bases=_bases(source, node))
    if node.type == "preproc_function_def":
        return _macro(source, node)
    if kind is DefinitionKind.VARIABLE:
        return _variable(source, node, name_line)
    declarator = _outermost(node, name_line)
    function = _function(declarator)
    if function is None:
        return Header()
    parameters = function.child_by_field_name("parameters")
    returns = _returns(source, node, declarator, function)
    listed = () if parameters is None else parameters_of(source, parameters)
    tail = _SPACE.sub(" ", _between(source, parameters, function)) if parameters is not None else ""
    text = "()" if parameters is None else source.folded(parameters)
    signature = text + (f" {tail}" if tail else "") + (f" -> {returns}" if returns else "")
    return Header(parameters=listed, returns=returns, signature=signature)


def parameters_of(source: Source, parameters: Node) -> tuple[Parameter, ...]:
    """Parameters in order; ``(void)`` has none."""
    found: list[Parameter] = []
    for child in parameters.children:
        if child.type in ("parameter_declaration", "optional_parameter_declaration"):
            parameter = _parameter(source, child)
            if not (parameter.annotation == "void" and not parameter.name):
                found.append(parameter)
        elif child.type in ("...", "variadic_parameter_declaration", "variadic_parameter"):
            found.append(Parameter(name="...", kind=ParameterKind.VAR_POSITIONAL))
    return tuple(found)


def _parameter(source: Source, node: Node) -> Parameter:
    declarator = node.child_by_field_name("declarator")
    default = node.child_by_field_name("default_value")
    name = None
    if declarator is not None:
        name, _ = declared(declarator)
        if name is not None and name.type != "identifier":
            name = next((child for child in declarator.named_children if child.type == "identifier"), None)
    end = node.end_byte
    if default is not None:
        end = source.data.rfind(b"=", node.start_byte, default.start_byte)
    text = source.text[node.start_byte : end]
    if name is not None:
        low, high = name.start_byte - node.start_byte, name.end_byte - node.start_byte
        text = text[:low] + b" " + text[high:]
    kind = _type_text(text.decode("utf-8", "replace"))
    return Parameter(
        name="" if name is None else source.cut(name),
        kind=ParameterKind.POSITIONAL_ONLY,
        default=None if default is None else source.folded(default),
        annotation=kind or None,
    )


def _type_text(text: str) -> str:
    """A type with blanks between words and after commas only, so that layout makes no difference."""
    return re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", _SPACE.sub(" ", text)).replace(",", ", ").strip()


def _outermost(node: Node, name_line: int) -> Node | None:
    declarators = node.children_by_field_name("declarator")
    for declarator in declarators:
        name, _ = declared(declarator)
        if name is not None and name.start_point[0] + 1 == name_line:
            return declarator
    return declarators[0] if declarators else None


def _function(declarator: Node | None) -> Node | None:
    node = declarator
    while node is not None and node.type not in ("function_declarator", "operator_cast"):
        node = node.child_by_field_name("declarator") or (
            node.named_children[-1] if node.named_child_count and node.type != "init_declarator" else None
        )
    if node is not None and node.type == "operator_cast":
        return node.child_by_field_name("declarator")
    return node


def _returns(source: Source, node: Node, declarator: Node | None, function: Node) -> str | None:
    trailing = next((child for child in function.named_children if child.type == "trailing_return_type"), None)
    if trailing is not None:
        return source.folded(trailing).removeprefix("->").strip()
    kind = node.child_by_field_name("type")
    if kind is None or declarator is None:
        return None
    mark = source.text[declarator.start_byte : function.start_byte].decode("utf-8", "replace")
    qualifiers = [source.folded(child) for child in node.children if child.type == "type_qualifier"]
    return " ".join([*qualifiers, source.folded(kind)]) + mark.strip()


def _between(source: Source, parameters: Node, function: Node) -> str:
    """``const``, ``noexcept`` and ``override`` behind the parameters."""
    words = [
        source.folded(child)
        for child in function.named_children
        if child.start_byte >= parameters.end_byte and child.type in ("type_qualifier", "noexcept", "ref_qualifier")
    ]
    return " ".join(words)


def _bases(source: Source, node: Node) -> tuple[str, ...]:
    clause = next((child for child in node.named_children if child.type == "base_class_clause"), None)
    if clause is None:
        return ()
    return tuple(
        source.folded(child)
        for child in clause.named_children
        if child.type not in ("access_specifier", "virtual", "comment")
    )


def _macro(source: Source, node: Node) -> Header:
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return Header()
    names = [source.cut(child) for child in parameters.children if child.type in ("identifier", "...")]
    listed = tuple(
        Parameter(name=name, kind=ParameterKind.VAR_POSITIONAL if name == "..." else ParameterKind.POSITIONAL_ONLY)
        for name in names
    )
    return Header(parameters=listed, signature=f"({', '.join(names)})")


def _variable(source: Source, node: Node, name_line: int) -> Header:
    kind = node.child_by_field_name("type")
    declarator = _outermost(node, name_line)
    value = node.child_by_field_name("value") or node.child_by_field_name("default_value")
    if declarator is not None and declarator.type == "init_declarator":
        value = declarator.child_by_field_name("value")
    return Header(
        annotation=None if kind is None else source.folded(kind),
        value=None if value is None else source.folded(value),
    )
