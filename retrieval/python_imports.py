"""What the names of a Python file stand for: its imports and its own top-level definitions, as dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from retrieval.syntax import Source, captures

_IMPORTS = "(import_statement) @import (import_from_statement) @from"


def imports_in(source: Source, module: str, *, package: bool, node: Node | None = None) -> Iterator[tuple[str, str]]:
    """``(local name, dotted target)`` of every import below ``node`` (default: the file), function bodies included.

    ``module`` is the file's own dotted name and resolves relative imports; ``package`` says that it is an
    ``__init__``. ``import a.b`` binds ``a``.
    """
    found = captures(source, _IMPORTS, node)
    for statement in found.get("import", ()):
        for name in statement.children_by_field_name("name"):
            yield from _plain_import(source, name)
    for statement in found.get("from", ()):
        origin = statement.child_by_field_name("module_name")
        if origin is None:
            continue
        base = absolute(source.folded(origin), module, package=package)
        for name in statement.children_by_field_name("name"):
            plain, alias = _named(source, name)
            yield alias, f"{base}.{plain}" if base else plain


def absolute(name: str, module: str, *, package: bool) -> str:
    """A possibly relative module name as seen from ``module``: ``..ir`` in ``torch.a.b`` is ``torch.ir``."""
    stripped = name.replace(" ", "").lstrip(".")
    dots = len(name.replace(" ", "")) - len(stripped)
    if not dots:
        return stripped
    parts = module.split(".")
    up = dots - package
    base = parts[: len(parts) - up] if up else parts
    return ".".join([*base, *([stripped] if stripped else [])])


def _plain_import(source: Source, name: Node) -> Iterable[tuple[str, str]]:
    plain, alias = _named(source, name)
    if alias != plain:
        return [(alias, plain)]
    head = plain.split(".")[0]
    return [(head, head)]


def _named(source: Source, name: Node) -> tuple[str, str]:
    """(name, alias) of one imported item."""
    if name.type != "aliased_import":
        plain = source.folded(name)
        return plain, plain
    inner, alias = name.child_by_field_name("name"), name.child_by_field_name("alias")
    plain = source.folded(inner) if inner is not None else ""
    return plain, source.folded(alias) if alias is not None else plain
