"""Names of code that the changed lines of a definition call or read.

A name is dotted and, where the file tells, resolved: through its imports, its own top-level definitions, and
``self.x`` where the class around has an ``x`` in this file (``torch._inductor.ir.FallbackKernel.codegen``). Other
names are as written, without ``self.`` and without a local in front (``x.get_size`` is ``get_size``). Left out:
keywords, builtins, methods of builtin types, the standard library, log calls, names that are local to the function,
and the names of the changed definitions themselves. Text in quotes counts when it looks like a name of code
(``"aoti_torch_cpu_foo"``).

Lines that were only moved or re-indented (equal but for the margin on both sides) say nothing and are left out.
"""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from retrieval.cpp_names import name_parts
from retrieval.definitions import Definition
from retrieval.delta.fragments import Side
from retrieval.models import DefinitionKind, Language
from retrieval.python_imports import imports_in
from retrieval.syntax import Source, captures

MAX_TOUCHED = 40

_PYTHON = """
(attribute) @chain
(identifier) @name
(string_content) @text
(keyword_argument name: (identifier) @skip)
(import_statement) @import
(import_from_statement) @import
"""
_LOCALS = """
(assignment left: (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(function_definition name: (identifier) @local)
"""
_CPP = """
(qualified_identifier) @chain
(identifier) @name
(field_identifier) @name
(type_identifier) @name
(string_content) @text
"""
_CPP_LOCALS = """
(init_declarator declarator: (identifier) @local)
(parameter_declaration declarator: (_) @local)
(declaration declarator: (identifier) @local)
"""
_CHAIN = re.compile(r"\w+(?:\.\w+)+")
_NAME_IN_TEXT = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)\w+)*")
_LOG_NAME = re.compile(r"(?:\w*_)?(?:log|logger)\.\w+|warnings\.\w+")
_RECEIVERS = ("self", "cls")
_PLAIN_METHODS = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind))
_NOISE = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *_RECEIVERS, "_", "torch", "super"})
_FOREIGN = frozenset({"typing_extensions", "numpy", "sympy"})
_PLAIN_TORCH = re.compile(
    r"torch\.(?:Tensor|dtype|device|Size|layout|strided|memory_format|\w*(?:float|int|bool|half|double|complex)\w*)"
)
_CPP_NOISE = frozenset(
    {
        "std",
        "size_t",
        "int64_t",
        "int32_t",
        "uint64_t",
        "uint8_t",
        "size",
        "begin",
        "end",
        "data",
        "at",
        "c10",
        "move",
        "string",
    }
)


class NameResolver:
    """Resolves the names of one file side; reads the imports once, when first asked."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._bound: dict[str, str] | None = None
        self._members: set[str] | None = None

    def resolve(self, chain: str, scope: Definition, local: frozenset[str]) -> str | None:
        """The dotted name that ``chain`` stands for inside ``scope``; null when it says nothing."""
        head, _, rest = chain.partition(".")
        if head in _RECEIVERS:
            return self._member(rest, scope)
        if head in local:
            return self._loose(rest)
        bound = self._names().get(head)
        if bound is None:
            return self._loose(chain) if rest or head not in _NOISE else None
        target = f"{bound}.{rest}" if rest else bound
        root = target.partition(".")[0]
        if root in sys.stdlib_module_names or root in _FOREIGN or target in _NOISE or _PLAIN_TORCH.fullmatch(target):
            return None
        return target

    def _loose(self, chain: str) -> str | None:
        """A name nobody bound in this file."""
        if not chain or chain in _NOISE or chain in _PLAIN_METHODS:
            return None
        head = chain.partition(".")[0]
        return None if head in _NOISE and head != "torch" else chain

    def _member(self, rest: str, scope: Definition) -> str | None:
        if not rest:
            return None
        holder: Definition | None = scope
        while holder is not None and holder.kind is not DefinitionKind.CLASS:
            holder = holder.outer
        if holder is not None:
            member = f"{holder.qualname}.{rest.partition('.')[0]}"
            if self._members is None:
                self._members = {definition.qualname for definition in self._side.definitions}
            if member in self._members:
                return f"{self._side.module}.{holder.qualname}.{rest}"
        return self._loose(rest)

    def _names(self) -> dict[str, str]:
        if self._bound is None:
            side = self._side
            package = side.path.endswith(("/__init__.py", "/__init__.pyi"))
            imported = dict(imports_in(side.source, side.module, package=package))
            self._bound = {
                definition.qualname: _alias(definition, imported) or f"{side.module}.{definition.qualname}"
                for definition in side.definitions
                if definition.outer is None
            }
            self._bound.update(imported)
        return self._bound


def _alias(definition: Definition, imported: dict[str, str]) -> str | None:
    """What ``aten = torch.ops.aten`` stands for."""
    if definition.kind is not DefinitionKind.VARIABLE:
        return None
    value = definition.node.child_by_field_name("right")
    if value is None or value.type != "attribute":
        return None
    head, _, rest = definition.source.cut(value).partition(".")
    return f"{imported[head]}.{rest}" if head in imported and _CHAIN.fullmatch(f"{head}.{rest}") else None


def names_on(side: Side, definition: Definition, lines: Sequence[int], resolver: NameResolver) -> list[str]:
    """Names used on ``lines`` of one definition, in order, repeated as often as they are used."""
    if not lines:
        return []
    if side.source.language is Language.CPP:
        return list(_cpp_names(side.source, definition, frozenset(lines)))
    return list(_python_names(side.source, definition, frozenset(lines), resolver))


def telling_lines(
    old: Side | None, removed: Sequence[int], new: Side | None, added: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Changed lines without those that occur on both sides but for the margin."""
    before = Counter(old.line(line).strip() for line in removed) if old is not None else Counter[bytes]()
    after = Counter(new.line(line).strip() for line in added) if new is not None else Counter[bytes]()
    shared = before & after

    def kept(side: Side | None, lines: Sequence[int]) -> list[int]:
        left = Counter(shared)
        result = []
        for line in lines:
            text = side.line(line).strip() if side is not None else b""
            if left[text] > 0:
                left[text] -= 1
            else:
                result.append(line)
        return result

    return kept(old, removed), kept(new, added)


def by_rarity(names: Iterable[str], uses: Counter[str], left_out: frozenset[str]) -> tuple[str, ...]:
    """Distinct names, those that the change uses least first, at most ``MAX_TOUCHED``."""
    distinct = [name for name in dict.fromkeys(names) if name.rpartition(".")[2] not in left_out]
    return tuple(sorted(distinct, key=lambda name: uses[name])[:MAX_TOUCHED])


def _python_names(
    source: Source, definition: Definition, lines: frozenset[int], resolver: NameResolver
) -> Iterator[str]:
    outermost = definition
    while outermost.outer is not None and outermost.outer.kind is not DefinitionKind.CLASS:
        outermost = outermost.outer
    local = frozenset(source.cut(node) for node in captures(source, _LOCALS, outermost.whole).get("local", ()))
    found = captures(source, _PYTHON, definition.whole)
    skip = {node.start_byte for node in found.get("skip", ())}
    covered = -1  # end of the last dotted chain, whose parts are no names of their own
    for node in _in_order(found, ("chain", "name", "text", "import"), lines):
        if node.end_byte <= covered or node.start_byte in skip:
            continue
        if node.type.startswith("import"):
            covered = node.end_byte  # what is imported comes again where it is used
            continue
        text = re.sub(r"\s+", "", source.cut(node))
        if node.type == "string_content":
            name = _quoted(source.cut(node))
        elif node.type == "attribute" and not _CHAIN.fullmatch(text):
            continue  # its last part comes as a name of its own
        else:
            covered = max(covered, node.end_byte)
            attribute = node.type == "identifier" and source.text[node.start_byte - 1 : node.start_byte] == b"."
            name = resolver._loose(text) if attribute else resolver.resolve(text, definition, local)
            if _LOG_NAME.fullmatch(text):
                name = None
        if name is not None:
            yield name


def _cpp_names(source: Source, definition: Definition, lines: frozenset[int]) -> Iterator[str]:
    local = {
        source.cut(node).lstrip("&* ") for node in captures(source, _CPP_LOCALS, definition.whole).get("local", ())
    }
    covered = -1
    for node in _in_order(captures(source, _CPP, definition.whole), ("chain", "name", "text"), lines):
        if node.end_byte <= covered:
            continue
        if node.type == "string_content":
            name = _quoted(source.cut(node))
        else:
            covered = max(covered, node.end_byte)
            name = ".".join(name_parts(source, node))
            if name in local or name in _CPP_NOISE or name.startswith("std."):
                name = None
        if name:
            yield name


def _in_order(found: dict[str, list[Node]], wanted: Sequence[str], lines: frozenset[int]) -> list[Node]:
    nodes = [node for capture in wanted for node in found.get(capture, ()) if node.start_point[0] + 1 in lines]
    return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))


def _quoted(text: str) -> str | None:
    """Text that is nothing but a name of code, or a call that a code generator writes: ``f"assert_size_stride({x})"``.

    Two words at least, joined by ``_``, ``.`` or ``::``.
    """
    found = _NAME_IN_TEXT.match(text)
    if found is None or len(found[0]) < 6 or not re.search(r"\w[_.:]\w", found[0]):
        return None
    written = found[0] == text or text[found.end()] == "("
    return found[0].replace("::", ".") if written else None
