"""Upstream classes between a changed class and torch_npu: what they do not redefine, they hand on.

``class NPUWrapper(GpuWrapper)`` inherits a changed ``CpuWrapper.m`` when upstream's ``GpuWrapper`` derives from
``CpuWrapper`` and has no ``m`` of its own. Only an index of the upstream tree knows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from retrieval.coupling.heritage import heirs
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.question import Question, Target
from retrieval.models import DefinitionKind, EvidenceKind, Language

_MOST = 40  # upstream classes: a change of `Module` or `Node` reaches everything, and says nothing


def with_lineage(question: Question, upstream: FactLookup) -> Question:
    """The question whose targets know the upstream classes that inherit them."""
    return replace(question, targets=tuple(_with_heirs(target, upstream) for target in question.targets))


def _with_heirs(target: Target, upstream: FactLookup) -> Target:
    if target.change.language is not Language.PYTHON:
        return target
    if target.is_member:
        base, own = target.holders[0], _owners(target, upstream)
    elif target.change.definition is DefinitionKind.CLASS:
        base, own = target.old_symbol, frozenset[str]()
    else:
        return target
    through = tuple(heir.name for heir in heirs(base, upstream, stop=own))
    return replace(target, through=through) if len(through) <= _MOST else target


def _owners(target: Target, upstream: FactLookup) -> Collection[str]:
    """Upstream classes that have a member of the changed name."""
    return frozenset(located.owner for located in upstream.named(target.own_names, EvidenceKind.OVERRIDE))
