"""Which of several bindings of one name a use can see.

Without running the code: a binding hides earlier ones for a use when it must have run before it, which is so when the
use lies behind it in the same block, nested blocks included. So ``try: import x`` … ``except ImportError: x = None``
leaves both, and ``x = None`` in the block of an import hides it. A function body sees what the scope around it leaves
at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

# `for x in …` and `except E as x` bind for their own statement only, as far as anyone can rely on it.
_BLOCKS = frozenset({"block", "module", "for_statement", "except_clause", "except_group_clause"})


@dataclass(slots=True)
class Binding:
    """One place that binds a name: to ``targets``, or to what the chain ``names`` stands for at ``scope`` and ``at``.

    ``node`` is the binding statement or name, null for one in another function (``global`` or ``nonlocal`` there).
    ``fallback`` is what the name stands for when ``names`` leads nowhere.
    """

    node: Node | None
    targets: tuple[str, ...] | None = ()
    names: tuple[str, ...] = ()
    scope: int = -1
    at: int = 0
    instance: bool = False
    fallback: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        """The byte from which the binding holds."""
        return self.node.end_byte if self.node is not None else 0


def reaching(bindings: Sequence[Binding], at: int | None) -> Sequence[Binding]:
    """Those of ``bindings`` (in source order) that a use at byte ``at`` may see; null is the end of their scope.

    A use before the first of them sees all: it stands in a loop, or in code that runs later. What another function
    binds may have run at any time, and hides nothing.
    """
    seen = bindings if at is None else [binding for binding in bindings if binding.end <= at] or bindings
    found: list[Binding] = []
    hidden = False
    for binding in reversed(seen):
        if binding.node is None or not hidden:
            found.append(binding)
            hidden = hidden or (binding.node is not None and _hides_earlier(binding.node, at))
    found.reverse()
    return found


def _hides_earlier(node: Node, at: int | None) -> bool:
    block = node.parent
    while block is not None and block.type not in _BLOCKS:
        block = block.parent
    if block is None or block.type == "module":
        return True
    if at is not None:
        return at <= block.end_byte
    outer = block.parent  # the block is the body of the scope itself
    return block.type == "block" and outer is not None and outer.type in ("function_definition", "class_definition")
