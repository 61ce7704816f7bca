"""Which upstream name a downstream fact couples to, told by the facts of its own tree alone.

Names are followed through downstream re-exports, methods to the nearest upstream ancestor of their class. Whether
upstream has such a method is not known here: it is enough that the name is taken in a class of upstream's family.
"""

from __future__ import annotations

from retrieval.coupling.cpp.naming import MARK, UPSTREAM_ROOTS
from retrieval.coupling.facts import UPSTREAM
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.operators import ALIASED_NAMESPACES
from retrieval.delta.path_kinds import is_test_path
from retrieval.models import EvidenceKind

_NAMESPACES = ALIASED_NAMESPACES | {"c10d", "higher_order", "inductor", "rngprims"}
# torch_npu hangs its own device module into torch: putting it there is a patch, using it couples to nothing upstream.
_OWN_MODULE = "torch.npu"
_TEST_CASE = "test"


class UpstreamNames:
    """Answers for one tree; what it learned about a class it keeps."""

    def __init__(self, lookup: FactLookup) -> None:
        self._lookup = lookup
        self._ancestors: dict[str, str | None] = {}

    def of(self, located: Located) -> str | None:
        """``torch._inductor.ir.View``, ``aten.expand``, ``c10::Device``; null for what is none of upstream's."""
        match located.fact.kind:
            case EvidenceKind.REGISTRATION:
                name = located.fact.name
                return name if name.partition(".")[0] in _NAMESPACES else None
            case EvidenceKind.OVERRIDE:
                return self._member(located)
            case EvidenceKind.PATCH:
                return _upstream(self._lookup.canonical(located))
        symbol = _upstream(self._lookup.canonical(located))
        return None if symbol is not None and f"{symbol}.".startswith(f"{_OWN_MODULE}.") else symbol

    def _member(self, located: Located) -> str | None:
        name, owner = located.fact.name, located.owner
        if name.startswith(_TEST_CASE) and is_test_path(located.path):
            return None
        if owner not in self._ancestors:
            self._ancestors[owner] = self._ancestor(owner)
        base = self._ancestors[owner]
        return None if base is None else f"{base}.{name}"

    def _ancestor(self, owner: str) -> str | None:
        """The first upstream ancestor of a downstream class, through downstream ones, depth first."""
        seen: set[str] = set()
        waiting = [owner]
        while waiting:
            current = waiting.pop()
            base = _upstream(current)
            if base is not None:
                return base
            if current not in seen:
                seen.add(current)
                waiting += reversed([self._lookup.canonical(one) for one in self._lookup.bases_of(current)])
        return None


def _upstream(target: str) -> str | None:
    if target.startswith(UPSTREAM):
        return target
    if target.startswith(MARK):
        parts = target[len(MARK) :].split(".")
        return "::".join(parts) if len(parts) > 1 and parts[0] in UPSTREAM_ROOTS else None
    return None
