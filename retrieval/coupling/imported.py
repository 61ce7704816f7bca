"""Import statements, name by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.python_source import PythonSource

STAR = "*"


class Imported(NamedTuple):
    """One imported name. ``target`` is what was asked for, ``bound`` the name it gets; star imports bind ``*``.

    ``import a.b`` asks for ``a.b`` and binds ``a`` to ``a``: ``stands_for`` is what the bound name means.
    """

    target: str
    bound: str
    stands_for: str
    line: int
    scope: int
    token: str  # a word of the target that stands on ``line``
    node: Node  # the statement


def read_imports(source: PythonSource) -> Iterator[Imported]:
    """Every import of the file, plain ones first, each group in source order."""
    for node in source.nodes("import"):
        for name in node.named_children:
            yield from _plain(source, node, name)
    for node in source.nodes("import_from"):
        yield from _from(source, node)


def _plain(source: PythonSource, node: Node, name: Node) -> Iterator[Imported]:
    alias = name.child_by_field_name("alias")
    named = name.child_by_field_name("name") if alias is not None else name
    if named is None or named.type != "dotted_name":
        return
    target = _squeezed(source.text(named))
    bound = source.text(alias) if alias is not None else target.partition(".")[0]
    stands_for = target if alias is not None else bound
    line, scope = source.line_at(named.end_byte - 1), source.scope_at(node.start_byte)
    yield Imported(target, bound, stands_for, line, scope, target.rpartition(".")[2], node)


def _from(source: PythonSource, node: Node) -> Iterator[Imported]:
    module_node = node.child_by_field_name("module_name")
    if module_node is None:
        return
    module, scope = _squeezed(source.text(module_node)), source.scope_at(node.start_byte)
    joint = "" if module.endswith(".") else "."
    for name in node.children_by_field_name("name"):
        alias = name.child_by_field_name("alias") if name.type == "aliased_import" else None
        named = name.child_by_field_name("name") if name.type == "aliased_import" else name
        if named is None:
            continue
        original = _squeezed(source.text(named))
        target = f"{module}{joint}{original}"
        bound = source.text(alias) if alias is not None else original
        yield Imported(target, bound, target, source.line_at(named.start_byte), scope, original, node)
    if any(child.type == "wildcard_import" for child in node.children):
        token = module.rpartition(".")[2] or "import"
        line = source.line_at(module_node.end_byte - 1 if module.strip(".") else node.start_byte)
        yield Imported(module, STAR, module, line, scope, token, node)


def _squeezed(text: str) -> str:
    return "".join(text.replace("\\", "").split())
