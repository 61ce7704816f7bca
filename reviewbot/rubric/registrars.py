"""What a downstream registrar does to an upstream implementation: replace it, bypass it, or neither.

A registrar is known by words of its name (``register_lowering``, ``make_fallback``, ``register_decomposition``,
``impl`` …). One that carries none of these words, or only sets properties of an operator (layout constraints, realized
inputs), replaces nothing that can be proved.

A list of operators replaces nothing either, whatever its name: an entry is no implementation. Only a list that is named
for fallbacks and for nothing else sends its operators to them (``FALLBACK_LIST``, not ``NO_FALLBACK_OPS``).
"""

from __future__ import annotations

import re

from retrieval.coupling.operator_lists import SECTIONS
from retrieval.models import CouplingDetail, OperatorRole

_PROPERTY_WORDS = ("constraint", "realize", "inplace", "mutat")
_COMPILED = (OperatorRole.LOWERING, OperatorRole.DECOMPOSITION, OperatorRole.META)
_REPLACES: dict[str, frozenset[OperatorRole]] = {
    "lowering": frozenset({OperatorRole.LOWERING, OperatorRole.FALLBACK}),
    "decomp": frozenset({OperatorRole.DECOMPOSITION}),
    "meta": frozenset({OperatorRole.META}),
    "fake": frozenset({OperatorRole.META}),
    "impl": frozenset({OperatorRole.KERNEL, OperatorRole.SCHEMA}),
    "library": frozenset({OperatorRole.KERNEL, OperatorRole.SCHEMA}),
}
_LISTS_FALLBACKS = re.compile(r"(?:^|_)fallback(?:s|s?_(?:op_)?lists?|s?_op(?:erator)?s)$")
_DENIES = re.compile(r"(?:^|_)(?:no|non|not|never|del)(?:_|$)|exclu|black|deny|skip|remov|disabl|allow|ignor")


def replaces(by: CouplingDetail, role: OperatorRole) -> bool:
    """Does a registration ``by`` that registrar run in place of upstream's implementation of ``role``?"""
    name = _name(by)
    if is_section(by):
        return role is OperatorRole.KERNEL
    if by.listed or any(word in name for word in (*_PROPERTY_WORDS, "fallback")):
        return False
    return any(word in name and role in roles for word, roles in _REPLACES.items())


def is_compiled(by: CouplingDetail) -> bool:
    """Does the registrar belong to the compile pipeline (lowering, fallback, decomposition, meta)?

    Registrars of another code generator are none of upstream's: upstream never calls what they register.
    """
    return bypasses(by, OperatorRole.LOWERING) or any(replaces(by, role) for role in _COMPILED)


def bypasses(by: CouplingDetail, role: OperatorRole) -> bool:
    """Does the registrar send the operator past upstream's lowering, to the eager kernel?"""
    name = _name(by)
    sent = _lists_fallbacks(name) if by.listed else "fallback" in name
    return sent and role in (OperatorRole.LOWERING, OperatorRole.FALLBACK)


def stands_for_kernel(by: CouplingDetail, role: OperatorRole) -> bool:
    """Is it the kernel that torch_npu registers, and the schema that changed?"""
    return role is OperatorRole.SCHEMA and replaces(by, OperatorRole.KERNEL)


def is_section(by: CouplingDetail) -> bool:
    """Is it an entry of a backend's ``native_functions.yaml``? Its kernel is registered, and nothing for a compiler."""
    return not by.listed and _name(by) in SECTIONS


def _lists_fallbacks(name: str) -> bool:
    return _LISTS_FALLBACKS.search(name) is not None and _DENIES.search(name) is None


def _name(by: CouplingDetail) -> str:
    return (by.registrar or "").lower()
