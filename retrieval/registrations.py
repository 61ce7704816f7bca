"""Operators that a stretch of Python registers: lowerings, fallbacks, decompositions, meta functions, kernels, schemas.

Read are decorators and calls of registrars (``@register_lowering([aten.sum, prims.sum])``, ``make_fallback(aten.x)``,
``lib.impl("x", f, "CPU")``, ``@torch.library.register_fake("ns::x")``), entries put into a registry
(``lowerings[aten.x] = f``), and operators listed in a variable or function that is named for what it lists
(``core_decompositions = [aten.x, …]``). Operators are ``namespace.name`` without overload. A namespace that a file
calls by another name (``aten = torch.ops.aten``) is followed; what is computed (loops, ``getattr``) is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from retrieval.models import OperatorRole
from retrieval.syntax import Source, captures, line_span

_NAMESPACES = {"aten": "aten", "prims": "prims"}
_ALIAS = re.compile(rb"[ \t]*(\w+)(?:\s*:[^=]+)?\s*=\s*torch\.ops\.(\w+)\s*")
_LIBRARY = re.compile(rb"[ \t]*(\w+)(?:\s*:[^=]+)?\s*=\s*(?:\w+\.)*Library\(\s*[\"'](\w+)[\"'].*", re.DOTALL)
_OPERATOR = re.compile(r"(?:(?P<ops>torch\.ops\.(?P<ns>\w+))|(?P<alias>\w+))\.(?P<name>\w+)(?:\.\w+)?")
_QUALIFIED = re.compile(r"(?P<ns>\w+)::(?P<name>\w+)(?:\.\w+)?(?:\(.*)?", re.DOTALL)
_LOCAL_NAME = re.compile(r"(?P<name>\w+)(?:\.\w+)?(?:\(.*)?", re.DOTALL)

# Names of registrars, by their last part, and what they register. First match wins.
_REGISTRARS = (
    (re.compile(r"(?:make|add|register)\w*_fallback|fallback_handler"), OperatorRole.FALLBACK),
    (re.compile(r"(?:get|register|remove)\w*_decomp\w*"), OperatorRole.DECOMPOSITION),
    (re.compile(r"register_(?:fake|meta|abstract)\w*|impl_abstract|register_(?:\w+_)?op_impl"), OperatorRole.META),
    (
        re.compile(
            r"_?register_(?:\w+_)?(?:lowering|pointwise\w*|inplace|reduction)|add_(?:layout_constraint|needs_realized_inputs)"
        ),
        OperatorRole.LOWERING,
    ),
    (re.compile(r"impl|register_kernel|register_autocast"), OperatorRole.KERNEL),
    (re.compile(r"define|custom_op|triton_op"), OperatorRole.SCHEMA),
)
_HINT = re.compile(rb"fallback|decomp|regist|impl|add_|define|custom_op|triton_op")  # some part of every registrar
# Names of variables, registries and functions that list operators.
_LISTS = (
    (re.compile(r"fallback", re.IGNORECASE), OperatorRole.FALLBACK),
    (re.compile(r"decomp", re.IGNORECASE), OperatorRole.DECOMPOSITION),
    (re.compile(r"lowering|needs_realized|layout_constraint", re.IGNORECASE), OperatorRole.LOWERING),
    (re.compile(r"(?:^|_)metas?(?:_|$)|fake_impl", re.IGNORECASE), OperatorRole.META),
)
_CALLS = "(call) @call (decorated_definition) @decorated (assignment left: (subscript)) @entry"
_ELEMENTS = "(list (attribute) @item) (set (attribute) @item) (tuple (attribute) @item) (pair key: (attribute) @item)"
_OPENERS = ("list", "set", "tuple", "parenthesized_expression")


class Registration(NamedTuple):
    """``detail`` is the registrar and its other arguments, as written; ``body`` names the registered function."""

    operator: str
    role: OperatorRole
    detail: str
    body: str | None
    line: int


class OperatorNames:
    """How one file spells operators."""

    def __init__(self, source: Source) -> None:
        self._namespaces: Mapping[str, str] = {**_NAMESPACES, **_assigned(source.text, b"torch.ops.", _ALIAS)}
        self._libraries = _assigned(source.text, b"Library(", _LIBRARY)

    def of_expression(self, text: str) -> str | None:
        """``aten.add.Tensor``, ``torch.ops.ns.op``; null for anything else."""
        match = _OPERATOR.fullmatch(text)
        if match is None:
            return None
        namespace = match["ns"] or self._namespaces.get(match["alias"] or "")
        return f"{namespace}.{match['name']}" if namespace is not None else None

    def of_text(self, text: str, library: str | None) -> str | None:
        """``"ns::op"``, or ``"op"`` of a library that the file opens."""
        match = _QUALIFIED.fullmatch(text)
        if match is not None:
            return f"{match['ns']}.{match['name']}"
        local = _LOCAL_NAME.fullmatch(text)
        namespace = self._libraries.get(library or "")
        return f"{namespace}.{local['name']}" if local is not None and namespace is not None else None


def _assigned(text: bytes, word: bytes, statement: re.Pattern[bytes]) -> dict[str, str]:
    """Names bound in statements that hold ``word``. Looking for the word first spares a slow scan of the file."""
    found: dict[str, str] = {}
    at = text.find(word)
    while at >= 0:
        end = text.find(b"\n", at)
        # A call may go on on the next line.
        line = text[text.rfind(b"\n", 0, at) + 1 : (end if end >= 0 else len(text)) + 80 * word.endswith(b"(")]
        match = statement.fullmatch(line)
        if match is not None:
            found[match[1].decode()] = match[2].decode()
        at = text.find(word, at + 1)
    return found


def lists_operators(name: str) -> bool:
    """Is a variable or function named for the operators that it lists?"""
    return _role(_LISTS, name, search=True) is not None


def registrations_in(source: Source, nodes: Iterable[Node], names: OperatorNames) -> Iterator[Registration]:
    """Registrations in some statements of a file, in source order within each."""
    for node in nodes:
        found = captures(source, _CALLS, node)
        bodies = {}
        for decorated in found.get("decorated", ()):
            name = _defined_name(source, decorated)
            for child in decorated.named_children:
                if child.type == "decorator" and child.named_child_count:
                    bodies[child.named_children[0].id] = name
        for call in found.get("call", ()):
            yield from _call(source, call, bodies.get(call.id), names)
        for entry in found.get("entry", ()):
            yield from _entry(source, entry, names)


def listed_in(source: Source, name: str, node: Node, names: OperatorNames) -> Iterator[Registration]:
    """Operators listed in the variable or function ``name``, when it is named for what it lists."""
    role = _role(_LISTS, name, search=True)
    if role is None:
        return
    for item in captures(source, _ELEMENTS, node).get("item", ()):
        operator = names.of_expression(_squeezed(source, item))
        if operator is not None:
            yield Registration(operator, role, name, None, line_span(item)[0])


def _call(source: Source, call: Node, body: str | None, names: OperatorNames) -> Iterator[Registration]:
    function = call.child_by_field_name("function")
    if function is None or not _HINT.search(source.text, function.start_byte, function.end_byte):
        return
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list":
        return
    if function.type == "call":  # register_lowering(aten.x)(f): the inner call is the registrar
        return
    path = _squeezed(source, function)
    role = _role(_REGISTRARS, path.rpartition(".")[2], search=False)
    if role is None or not arguments.named_child_count:
        return
    library = path.rpartition(".")[0]
    values = [child for child in arguments.named_children if child.type != "comment"]
    if values and values[0].type == "identifier" and role in (OperatorRole.KERNEL, OperatorRole.SCHEMA):
        library, values = source.cut(values[0]), values[1:]
    if not values:
        return
    operators = list(_operators(source, values[0], library, names))
    rest = [source.folded(child) for child in values[1:]]
    if body is None:
        body = _registered(source, call, values[1:])
    for operator, line in operators:
        yield Registration(operator, role, f"{path}({', '.join(rest)})", body, line)


def _entry(source: Source, entry: Node, names: OperatorNames) -> Iterator[Registration]:
    target, value = entry.child_by_field_name("left"), entry.child_by_field_name("right")
    registry = target.child_by_field_name("value") if target is not None else None
    key = target.child_by_field_name("subscript") if target is not None else None
    if registry is None or key is None:
        return
    role = _role(_LISTS, _squeezed(source, registry).rpartition(".")[2], search=True)
    operator = names.of_expression(_squeezed(source, key))
    if role is None or operator is None:
        return
    body = source.cut(value) if value is not None and value.type == "identifier" else None
    detail = source.folded(value) if value is not None else ""
    yield Registration(operator, role, f"{source.folded(registry)}[] = {detail}", body, line_span(entry)[0])


def _operators(source: Source, value: Node, library: str, names: OperatorNames) -> Iterator[tuple[str, int]]:
    """Operators in an argument: one, or a list of them; written as expressions or in quotes."""
    pending = [value]
    while pending:
        node = pending.pop()
        if node.type in _OPENERS:
            pending.extend(reversed(node.named_children))
            continue
        if node.type in ("string", "concatenated_string"):
            operator = names.of_text(_string(source, node), library)
        else:
            operator = names.of_expression(_squeezed(source, node))
        if operator is not None:
            yield operator, line_span(node)[0]


def _registered(source: Source, call: Node, others: list[Node]) -> str | None:
    """The function that a plain call registers: ``registrar(op)(f)`` or an argument ``f``."""
    outer = call.parent
    if outer is not None and outer.type == "call":
        arguments = outer.child_by_field_name("arguments")
        if arguments is not None and arguments.named_child_count:
            others = arguments.named_children
    return next((source.cut(child) for child in others if child.type == "identifier"), None)


def _defined_name(source: Source, decorated: Node) -> str | None:
    inner = decorated.child_by_field_name("definition")
    name = inner.child_by_field_name("name") if inner is not None else None
    return source.cut(name) if name is not None else None


def _string(source: Source, node: Node) -> str:
    parts = captures(source, "(string_content) @text", node).get("text", [])
    return "".join(source.cut(part) for part in parts)


def _squeezed(source: Source, node: Node) -> str:
    return re.sub(r"\s+", "", source.cut(node))


def _role(table: tuple[tuple[re.Pattern[str], OperatorRole], ...], name: str, *, search: bool) -> OperatorRole | None:
    for pattern, role in table:
        if (pattern.search if search else pattern.fullmatch)(name) is not None:
            return role
    return None
