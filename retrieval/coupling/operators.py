"""Operator names as code spells them: ``aten.expand.default``, ``torch.ops.npu.foo``, ``"aten::expand"``.

The canonical spelling is ``namespace.name``; overloads are dropped, since lowerings and decompositions are registered
for the packet or for any of its overloads and an upstream change of one reaches the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Namespaces that PyTorch code aliases to a bare name, as in `aten = torch.ops.aten`.
ALIASED_NAMESPACES = frozenset(
    {"aten", "prims", "quantized", "quantized_decomposed", "inductor_prims", "_c10d_functional", "c10d_functional"}
)
_QUALIFIED = re.compile(r"[\"'](\w+)::(\w+)")


def operator_of(target: str) -> str | None:
    """The operator a resolved dotted name stands for, null when it is none."""
    names = target.split(".")
    if names[:2] == ["torch", "ops"]:
        return _join(names[2:])
    for at, name in enumerate(names):
        if name in ALIASED_NAMESPACES and (at == 0 or not name.endswith("prims") or at == len(names) - 2):
            return _join(names[at:])
    return None


def quoted_operators(text: str) -> Sequence[str]:
    """Operators named by string literals in ``text`` (``"aten::expand.default"``), in order, without duplicates."""
    return tuple(dict.fromkeys(f"{namespace}.{name}" for namespace, name in _QUALIFIED.findall(text)))


def _join(names: Sequence[str]) -> str | None:
    return f"{names[0]}.{names[1]}" if len(names) >= 2 else None
