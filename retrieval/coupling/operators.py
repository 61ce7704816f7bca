"""Operator names as code spells them: ``aten.expand.default``, ``torch.ops.npu.foo``, ``"aten::expand"``.

The canonical spelling is ``namespace.name``; overloads are dropped, since lowerings and decompositions are registered
for the packet or for any of its overloads and an upstream change of one reaches the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Namespaces that PyTorch code aliases to a bare name, as in `aten = torch.ops.aten`.
ALIASED_NAMESPACES = frozenset(
    {"aten", "prims", "quantized", "quantized_decomposed", "inductor_prims", "_c10d_functional", "c10d_functional"}
)
# Those that also go by this name when imported from another module (`from torch._inductor.lowering import aten`).
# `quantized` is no such: `torch.ao.nn.quantized` is a package.
_IMPORTED_NAMESPACES = ALIASED_NAMESPACES - {"quantized"}
_QUALIFIED = re.compile(r"(\w+)::(\w+)", re.ASCII)
_CPP_NAMESPACES = frozenset({"at", "c10", "std", "torch"})  # C++ in a string, and no operator
# What tells the operators of one family apart.
_ENDINGS = ("as", "backward", "forward", "copy", "out", "like", "jvp", "v1", "v2", "v3", "with_indices", "functional")
_ENDING = re.compile(rf"(?<=[^_])_+(?:{'|'.join(_ENDINGS)})\Z")
_BARE = re.compile(r"\w+", re.ASCII)
_REMEMBERED = 20_000  # targets: files use the same ones over and over


@lru_cache(_REMEMBERED)
def operator_of(target: str) -> str | None:
    """The operator a resolved dotted name stands for, null when it is none."""
    names = target.split(".")
    if names[:2] == ["torch", "ops"]:
        return _join(names[2:])
    if names[0] in ALIASED_NAMESPACES:
        return _join(names)
    for at, name in enumerate(names):
        if name in _IMPORTED_NAMESPACES and (not name.endswith("prims") or at == len(names) - 2):
            return _join(names[at:])
    return None


def relatives(operator: str) -> tuple[str, ...]:
    """Operators that would be of the family of ``operator``, whether they exist or not."""
    namespace, _, name = operator.rpartition(".")
    stem = _stem(name)
    spelt = [stem, f"_{stem}", *(f"{front}{stem}_{ending}" for front in ("", "_") for ending in _ENDINGS)]
    return tuple(f"{namespace}.{one}" for one in spelt if one != name)


def are_relatives(one: str, other: str) -> bool:
    """``expand`` and ``expand_as``, ``_scaled_mm`` and ``_scaled_mm_v2``: the same stem in the same namespace."""
    first, second = one.rpartition("."), other.rpartition(".")
    return first[0] == second[0] and _stem(first[2]) == _stem(second[2])


def _stem(name: str) -> str:
    """``name`` without its leading and trailing underscores and the endings of a family, ever shorter."""
    stem = name.strip("_")
    while (ending := _ENDING.search(stem)) is not None:
        stem = stem[: ending.start()].strip("_")
    return stem


def quoted_operator(text: str, namespace: str = "") -> str | None:
    """The operator that the content of a string literal begins with: ``aten::expand.default``, or its schema.

    ``namespace`` is that of a bare name, when one is known.
    """
    found = _QUALIFIED.match(text)
    if found and found[1] not in _CPP_NAMESPACES:
        return f"{found[1]}.{found[2]}"
    bare = _BARE.match(text) if namespace else None
    return f"{namespace}.{bare[0]}" if bare else None


def _join(names: Sequence[str]) -> str | None:
    return f"{names[0]}.{names[1]}" if len(names) >= 2 else None
