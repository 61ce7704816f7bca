"""Names in C++ declarators: ``const Tensor& (Foo<T>::bar)(int) const`` is called ``Foo.bar`` and is a function."""

from __future__ import annotations

import re

from tree_sitter import Node

from retrieval.syntax import Source

_WRAPPERS = frozenset(
    {
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "attributed_declarator",
        "bitfield_clause",
    }
)
_FUNCTIONS = ("function_declarator", "operator_cast", "qualified_identifier")  # the last: ``A::operator bool``
_PLAIN = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "namespace_identifier",
        "destructor_name",
        "operator_name",
        "primitive_type",
    }
)


def function_declarator(definition: Node) -> Node | None:
    """The declarator that names a function definition, below pointers and references."""
    node = definition.child_by_field_name("declarator")
    while node is not None and node.type in _WRAPPERS:
        node = _inner(node)
    return node if node is not None and node.type in _FUNCTIONS else None


def declared(declarator: Node) -> tuple[Node | None, bool]:
    """The node that names what a declarator declares, and whether that is a function.

    ``int (*handler)(int)`` declares a variable: the pointer is inside the function declarator.
    """
    node: Node | None = declarator
    is_function = False
    while node is not None:
        if node.type in _WRAPPERS:
            is_function = is_function and node.type == "parenthesized_declarator"
            node = _inner(node)
        elif node.type == "function_declarator":
            is_function = True
            node = node.child_by_field_name("declarator")
        else:
            break
    if node is not None and node.type == "operator_cast":
        return node, True
    return node, is_function


def name_parts(source: Source, name: Node | None) -> tuple[str, ...]:
    """``at::native::Foo<T>::bar`` as ``("at", "native", "Foo", "bar")``; empty for what is no name."""
    parts: list[str] = []
    while name is not None:
        if name.type in ("qualified_identifier", "nested_namespace_specifier"):
            scope = name.child_by_field_name("scope")
            if name.type == "nested_namespace_specifier":
                for child in name.named_children[:-1]:
                    parts.extend(name_parts(source, child))
                name = name.named_children[-1] if name.named_child_count else None
                continue
            if scope is not None:
                parts.extend(name_parts(source, scope))
            name = name.child_by_field_name("name")
        elif name.type in ("template_type", "template_function", "template_method", "dependent_name"):
            name = name.child_by_field_name("name") or (name.named_child(0) if name.named_child_count else None)
        elif name.type == "operator_cast":
            kind = name.child_by_field_name("type")
            parts.append("operator " + (source.folded(kind) if kind is not None else ""))
            break
        else:
            if name.type in _PLAIN:
                parts.append(re.sub(r"\s+", "", source.cut(name)))
            break
    return tuple(part.replace(".", "") for part in parts if part)


def _inner(node: Node) -> Node | None:
    inner = node.child_by_field_name("declarator")
    if inner is None and node.named_child_count:
        inner = node.named_children[-1] if node.type != "init_declarator" else node.named_child(0)
    return inner
