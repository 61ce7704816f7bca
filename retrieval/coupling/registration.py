"""`registration` 算子注册: downstream registers a lowering, fallback, decomposition, meta or kernel for an operator.

``@register_lowering(aten.expand)`` · ``make_fallback(aten.expand)`` · ``register_lowering(aten.expand)(f)`` ·
``lowerings[aten.expand] = f`` · ``lib.impl("aten::expand", f)`` · ``@impl(lib, "expand")`` with
``lib = Library("aten", …)`` · ``FALLBACK_LIST = [aten.expand, …]``.

A registration for the operator whose lowering upstream changes replaces that lowering on NPU. The trap: a list
registers nothing by itself, and may name what is *not* to be registered (``decomps_to_exclude``). Its entries are
marked as ``listed``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact, known_detail
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.operator_lists import SECTIONS
from retrieval.coupling.operators import are_relatives, quoted_operator, relatives
from retrieval.coupling.python_file import PythonFile, spelling
from retrieval.coupling.python_source import Call
from retrieval.coupling.question import Question
from retrieval.coupling.signatures import compared
from retrieval.models import CouplingDetail, EvidenceKind, Parameter, Relation
from retrieval.registrations import lists_operators

KIND = EvidenceKind.REGISTRATION

# Callees and registries by the words PyTorch and its backends use for them. Of these, some take the function itself
# as an argument; what others take beside the operator (a layout constraint) replaces nothing.
_REGISTRAR = re.compile(
    r"register|make_fallback|^_?fallback$|lowering|decomp|layout_constraint|realized_inputs|^impl$|^define$|override"
)
_ASKS = re.compile(r"^_?(?:get|has|find|is|remove)_")
# Registrars of code generators that upstream does not know carry none of these words: they replace nothing of upstream.
_OF_UPSTREAM = re.compile(
    r"lowering|fallback|decomp|meta|fake|impl|kernel|constraint|realized|override|pointwise|inplace|foreach|sharding"
    r"|strategy|autocast|library|aoti"
)
_FOREIGN = 0.4  # share of the weight that is left to them
_LISTS = frozenset({"list", "set", "tuple"})
_TAKES_FUNCTION = re.compile(r"^impl|^py_impl|^register_(?!lowering|decomp)|^_?register$")
_REGISTRY = re.compile(r"lowering|decomp|fallback|registry|constraint|meta_table|overrides|impls")


class _Site(NamedTuple):
    """Where something is registered: ``names`` holds the operators, ``node`` is the whole expression."""

    registrar: str
    names: Node
    node: Node
    replacement: str
    listed: bool = False


def extract(file: PythonFile) -> Iterator[Fact]:
    libraries = _libraries(file)
    for call in file.source.calls:
        if _REGISTRAR.search(call.callee) and not _ASKS.match(call.callee):
            site = _Site(call.callee, call.arguments, call.node, _registered(file, call))
            yield from _facts(file, site, _namespace(file, call, libraries))
    for node, left, right in file.source.assignments:
        if left.type == "identifier" and right is not None and right.type in _LISTS:
            name = file.source.text(left)
            if lists_operators(name):
                yield from _facts(file, _Site(name, right, node, "", listed=True))
            continue
        holder = left.child_by_field_name("value") if left.type == "subscript" else None
        key = left.child_by_field_name("subscript") if holder is not None else None
        if holder is None or key is None:
            continue
        registry = file.source.text(holder).rpartition(".")[2].strip()
        if _REGISTRY.search(registry):
            targets = file.resolve(right)
            yield from _facts(file, _Site(registry, key, node, targets[0] if targets else ""))


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    parameters = _parameters(question)
    for operator, weight in question.operators.items():
        registered = lookup.named((operator,), KIND)
        for located in registered:
            detail = compared(known_detail(located), located.fact.shape, parameters.get(operator, ()))
            here = weight * _share_of(detail.registrar)
            yield couple_fact(located, Relation.SAME_OPERATOR, operator, here, detail=detail)
        for located in _siblings(operator, registered, lookup):
            detail = known_detail(located)
            here = weight * _share_of(detail.registrar)
            yield couple_fact(located, Relation.SIBLING, located.fact.name, here, detail=detail)


def _siblings(operator: str, registered: Sequence[Located], lookup: FactLookup) -> Iterator[Located]:
    """Operators of the family of ``operator``: any in the files that register it, the usual ones everywhere."""
    beside = lookup.inside({located.path for located in registered}, KIND)
    for located in dict.fromkeys((*beside, *lookup.named(relatives(operator), KIND))):
        if located.fact.name != operator and are_relatives(operator, located.fact.name):
            yield located


def _share_of(registrar: str | None) -> float:
    name = (registrar or "").lower()
    return 1.0 if name in SECTIONS or _OF_UPSTREAM.search(name) else _FOREIGN


def _facts(file: PythonFile, site: _Site, namespace: str = "") -> Iterator[Fact]:
    source = file.source
    places: dict[str, tuple[int, str]] = {}
    for operator, use, start in file.operators_in(site.names):
        token = spelling(operator, use)
        places.setdefault(operator, (file.line_of(use, start, token), token))
    for literal in source.texts_in(site.names):
        text = source.text(literal)
        quoted = quoted_operator(text, namespace)
        if quoted is not None:
            places.setdefault(quoted, (source.line_at(literal.start_byte), quoted.rpartition(".")[2]))
        namespace = ""  # of several strings the first one names the operator
    for operator, (line, token) in places.items():
        yield Fact(
            KIND,
            operator,
            f"torch.ops.{operator}",
            file.qualname(source.scope_at(site.node.start_byte)),
            (line,),
            token,
            owner=site.replacement,
            shape=file.shape_of(site.replacement),
            detail=CouplingDetail(registrar=site.registrar, listed=site.listed, operators=(operator,)),
        )


def _libraries(file: PythonFile) -> dict[str, str]:
    """Names bound to ``Library("aten", …)``, and their namespace."""
    found: dict[str, str] = {}
    for _, left, right in file.source.assignments:
        function = right.child_by_field_name("function") if right is not None and right.type == "call" else None
        if right is None or function is None or not file.source.text(function).endswith("Library"):
            continue
        arguments = right.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        namespace = file.source.literal(first) if first is not None else None
        if namespace is not None:
            found[file.source.text(left)] = file.source.text(namespace)
    return found


def _namespace(file: PythonFile, call: Call, libraries: Mapping[str, str]) -> str:
    """The namespace of ``impl(lib, "expand")`` and ``lib.impl("expand", f)``; empty when no library is named."""
    if not libraries:
        return ""
    first = call.arguments.named_children[0] if call.arguments.named_children else None
    named = (first, call.function.child_by_field_name("object"))
    return next((libraries[text] for node in named if node and (text := file.source.text(node)) in libraries), "")


def _registered(file: PythonFile, call: Call) -> str:
    """The function a registrar call registers: decorated, handed to the call's result, or to the call itself."""
    outer = call.node.parent
    if outer is not None and outer.type == "decorator":
        scope = file.source.scope_at(call.node.start_byte)
        return f"{OWN}.{file.qualname(scope)}" if scope >= 0 else ""
    handed = call.arguments if _TAKES_FUNCTION.search(call.callee) else None
    if outer is not None and outer.type == "call" and outer.child_by_field_name("function") == call.node:
        handed = outer.child_by_field_name("arguments")
    for child in reversed(handed.named_children if handed is not None else []):
        targets = file.resolve(child)
        if targets and file.scope_of(targets[0]) is not None:
            return targets[0]
    return ""


def _parameters(question: Question) -> dict[str, tuple[Parameter, ...]]:
    """Parameters of the changed function that upstream registers for each operator."""
    return {
        operator: target.change.parameters
        for target in question.targets
        for operator in target.change.operators
        if target.change.parameters
    }
