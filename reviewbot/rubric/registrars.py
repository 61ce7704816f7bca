"""What a downstream registrar does to an upstream implementation: replace it, bypass it, or neither.

A registrar is known by words of its name (``register_lowering``, ``make_fallback``, ``register_decomposition``,
``impl`` …). One that carries none of these words, or only sets properties of an operator (layout constraints, realized
inputs), replaces nothing that can be proved.
"""

from __future__ import annotations

from retrieval.models import OperatorRole

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


def replaces(registrar: str | None, role: OperatorRole) -> bool:
    """Does a registration by ``registrar`` run in place of upstream's implementation of ``role``?"""
    name = (registrar or "").lower()
    if any(word in name for word in (*_PROPERTY_WORDS, "fallback")):
        return False
    return any(word in name and role in roles for word, roles in _REPLACES.items())


def is_compiled(registrar: str | None) -> bool:
    """Does the registrar belong to the compile pipeline (lowering, fallback, decomposition, meta)?

    Registrars of another code generator are none of upstream's: upstream never calls what they register.
    """
    return bypasses(registrar, OperatorRole.LOWERING) or any(replaces(registrar, role) for role in _COMPILED)


def bypasses(registrar: str | None, role: OperatorRole) -> bool:
    """Does ``registrar`` send the operator past upstream's lowering, to the eager kernel?"""
    name = (registrar or "").lower()
    return "fallback" in name and role in (OperatorRole.LOWERING, OperatorRole.FALLBACK)


def stands_for_kernel(registrar: str | None, role: OperatorRole) -> bool:
    """Is it the kernel that torch_npu registers, and the schema that changed?"""
    return role is OperatorRole.SCHEMA and replaces(registrar, OperatorRole.KERNEL)
