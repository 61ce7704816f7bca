"""`registration` 算子注册: downstream registers a lowering, fallback, decomposition, meta or kernel for an operator.

``@register_lowering(aten.expand)`` · ``make_fallback(aten.expand)`` · ``register_lowering(aten.expand)(f)`` ·
``lowerings[aten.expand] = f`` · ``lib.impl("aten::expand", f)``. A registration for the operator whose lowering
upstream changes replaces that lowering on NPU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact, Shape
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.operators import quoted_operators
from retrieval.coupling.python_file import PythonFile, spelling
from retrieval.coupling.question import Question
from retrieval.coupling.signatures import accepts, lacking, written
from retrieval.models import CouplingDetail, EvidenceKind, Parameter, Relation

KIND = EvidenceKind.REGISTRATION

# Callees and registries by the words PyTorch and its backends use for them.
_REGISTRAR = re.compile(r"register|fallback|lowering|decomp|layout_constraint|realized_inputs|^impl$|^define$|override")
_REGISTRY = re.compile(r"lowering|decomp|fallback|registry|constraint|meta_table|overrides|impls")


def extract(file: PythonFile) -> Iterator[Fact]:
    source = file.source
    for node in source.nodes("call"):
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or function.type not in ("identifier", "attribute"):
            continue
        registrar = source.text(function).rpartition(".")[2].strip()
        if _REGISTRAR.search(registrar):
            replacement = _registered(file, node)
            yield from _facts(file, arguments, registrar, replacement, node)
    for node in source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        holder = left.child_by_field_name("value") if left is not None and left.type == "subscript" else None
        key = left.child_by_field_name("subscript") if holder is not None and left is not None else None
        if holder is None or key is None:
            continue
        registry = source.text(holder).rpartition(".")[2].strip()
        if _REGISTRY.search(registry):
            targets = file.resolve(right)
            yield from _facts(file, key, registry, targets[0] if targets else "", node)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    parameters = _parameters(question)
    for operator, weight in question.operators.items():
        for located in lookup.named((operator,), KIND):
            detail = _detail(located, parameters.get(operator, ()))
            yield couple_fact(located, Relation.SAME_OPERATOR, operator, weight, detail=detail)


def _facts(file: PythonFile, where: Node, registrar: str, replacement: str, site: Node) -> Iterator[Fact]:
    source = file.source
    places: dict[str, tuple[int, str]] = {}
    for operator, use, start in file.operators_in(where):
        token = spelling(operator, use)
        places.setdefault(operator, (file.line_of(use, start, token), token))
    for operator in quoted_operators(source.text(where)):
        token = operator.rpartition(".")[2]
        offset = source.data.find(f"::{token}".encode(), where.start_byte)
        places.setdefault(operator, (source.line_at(max(offset, where.start_byte)), token))
    for operator, (line, token) in places.items():
        yield Fact(
            KIND,
            operator,
            f"torch.ops.{operator}",
            file.qualname(source.scope_at(site.start_byte)),
            (line,),
            token,
            owner=replacement,
            shape=_shape(file, replacement),
            detail=CouplingDetail(
                registrar=registrar,
                operators=(operator,),
                replacement=replacement.removeprefix(f"{OWN}.") or None,
            ),
        )


def _registered(file: PythonFile, call: Node) -> str:
    """The function a registrar call registers: decorated, or handed to the call's result or to the call itself."""
    outer = call.parent
    if outer is not None and outer.type == "decorator":
        scope = file.source.scope_at(call.start_byte)
        return f"{OWN}.{file.qualname(scope)}" if scope >= 0 else ""
    arguments = None
    if outer is not None and outer.type == "call" and outer.child_by_field_name("function") == call:
        arguments = outer.child_by_field_name("arguments")
    arguments = arguments or call.child_by_field_name("arguments")
    for child in reversed(arguments.named_children if arguments is not None else []):
        targets = file.resolve(child)
        if targets and file.scope_of(targets[0]) is not None:
            return targets[0]
    return ""


def _shape(file: PythonFile, replacement: str) -> tuple[Shape, ...] | None:
    return file.shape_of(replacement)


def _parameters(question: Question) -> dict[str, tuple[Parameter, ...]]:
    """Parameters of the changed function that upstream registers for each operator."""
    return {
        operator: target.change.parameters
        for target in question.targets
        for operator in target.change.operators
        if target.change.parameters
    }


def _detail(located: Located, parameters: tuple[Parameter, ...]) -> CouplingDetail:
    known, shape = located.fact.detail or CouplingDetail(), located.fact.shape
    if shape is None:
        return known
    return known.model_copy(
        update={
            "downstream_signature": written(shape),
            "lacks": lacking(parameters, shape) if parameters else (),
            "signature_matches": accepts(parameters, shape) if parameters else None,
        }
    )
