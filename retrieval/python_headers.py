"""What a Python definition says before its body: parameters, return annotation, bases, decorators, assigned value."""

from __future__ import annotations

from tree_sitter import Node

from retrieval.definitions import Header
from retrieval.models import DefinitionKind, Parameter, ParameterKind
from retrieval.syntax import Source

_SPLATS = {
    "list_splat_pattern": ParameterKind.VAR_POSITIONAL,
    "dictionary_splat_pattern": ParameterKind.VAR_KEYWORD,
}


def header_of(source: Source, node: Node, whole: Node, kind: DefinitionKind) -> Header:
    """The header of one definition; ``whole`` carries the decorators of ``node``."""
    if kind is DefinitionKind.VARIABLE:
        return _variable(source, node)
    decorators = tuple(
        source.folded(child).removeprefix("@").strip() for child in whole.named_children if child.type == "decorator"
    )
    if kind is DefinitionKind.CLASS:
        bases = node.child_by_field_name("superclasses")
        return Header(decorators=decorators, bases=() if bases is None else _items(source, bases))
    parameters = node.child_by_field_name("parameters")
    returns = node.child_by_field_name("return_type")
    listed = () if parameters is None else parameters_of(source, parameters)
    annotation = None if returns is None else source.folded(returns)
    return Header(
        parameters=listed,
        returns=annotation,
        signature=None if parameters is None else _signature(source, parameters, annotation),
        decorators=decorators,
    )


def parameters_of(source: Source, parameters: Node) -> tuple[Parameter, ...]:
    """Parameters in order; what follows ``*`` or ``*args`` is keyword-only, what precedes ``/`` positional-only."""
    found: list[Parameter] = []
    kind = ParameterKind.POSITIONAL_OR_KEYWORD
    for child in parameters.named_children:
        if child.type == "positional_separator":
            found = [item.model_copy(update={"kind": ParameterKind.POSITIONAL_ONLY}) for item in found]
        elif child.type == "keyword_separator":
            kind = ParameterKind.KEYWORD_ONLY
        else:
            parameter = _parameter(source, child, kind)
            if parameter is None:
                continue
            found.append(parameter)
            if parameter.kind is ParameterKind.VAR_POSITIONAL:
                kind = ParameterKind.KEYWORD_ONLY
    return tuple(found)


def _parameter(source: Source, node: Node, kind: ParameterKind) -> Parameter | None:
    annotation = node.child_by_field_name("type")
    default = node.child_by_field_name("value")
    target = node.child_by_field_name("name")
    if node.type == "typed_parameter":
        target = node.named_child(0)
    elif node.type in ("identifier", *_SPLATS):
        target = node
    if target is None or target.is_missing:
        return None
    if target.type in _SPLATS:
        kind = _SPLATS[target.type]
        target = target.named_child(0) if target.named_child_count else None
    if target is None or target.type != "identifier":
        return None
    return Parameter(
        name=source.cut(target),
        kind=kind,
        default=None if default is None else source.folded(default),
        annotation=None if annotation is None else source.folded(annotation),
    )


def _signature(source: Source, parameters: Node, returns: str | None) -> str:
    """As written, white space folded, without the trailing comma and inner blanks that line breaks leave behind."""
    inside = source.folded(parameters)[1:-1].strip().removesuffix(",")
    return f"({inside})" if returns is None else f"({inside}) -> {returns}"


def _items(source: Source, arguments: Node) -> tuple[str, ...]:
    return tuple(source.folded(child) for child in arguments.named_children if child.type != "comment")


def _variable(source: Source, node: Node) -> Header:
    annotation = node.child_by_field_name("type")
    value = node.child_by_field_name("right")
    while value is not None and value.type == "assignment":  # a = b = value
        value = value.child_by_field_name("right")
    return Header(
        annotation=None if annotation is None else source.folded(annotation),
        value=None if value is None else source.folded(value),
    )
