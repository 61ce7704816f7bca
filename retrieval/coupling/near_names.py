"""`reference` 引用 by name alone: a rare name that a changed name is made of, and namesakes of the changed definition.

``torch._C._dynamo.guards.assert_size_stride`` in a header that torch_npu generates belongs to a change of
``write_assert_size_stride``; a function ``get_buf_bytes`` in one of its patches was written with the upstream one in
mind. Neither names what changed, so both are told as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import UPSTREAM, last_part
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.question import Question
from retrieval.coupling.rarity import is_rare
from retrieval.models import EvidenceKind, Relation

_LEAST_PART = 8  # characters of such a word
_MOST_NAMESAKES = 4  # downstream definitions of one name, up to which they are no coincidence
_TOUCHED = 0.7  # share of the weight of a changed name that one has which changed lines use


def couple_near_names(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    yield from _parts_of_names(question, lookup)
    yield from _namesakes(question, lookup)


def _parts_of_names(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """One that is not resolved, or an upstream one; what downstream defines itself is a coincidence."""
    for part, (weight, symbol) in _parts(question).items():
        if not lookup.files_with(part) or not is_rare(part, lookup):
            continue
        for located in lookup.named((part,), EvidenceKind.REFERENCE):
            if not located.fact.target or located.target.startswith(UPSTREAM):
                yield couple_fact(located, Relation.AKIN, located.target or symbol, weight)


def _parts(question: Question) -> Mapping[str, tuple[float, str]]:
    """Parts of changed and touched names that are no changed name themselves: the weightiest name, and its weight."""
    whole = {name for target in question.targets for name in target.own_names}
    found: dict[str, tuple[float, str]] = {}
    names = [(name, target.weight, target.symbol) for target in question.targets for name in target.own_names]
    names += [(last_part(name), _TOUCHED * weight, name) for name, weight in question.touched.items()]
    for name, weight, symbol in names:
        for part in _runs(name):
            if part not in whole and (part not in found or weight > found[part][0]):
                found[part] = weight, symbol
    return found


def _runs(name: str) -> Iterator[str]:
    """Runs of at least two words of a name of snake case, without the name itself."""
    words = name.strip("_").split("_")
    for start in range(len(words)):
        for end in range(start + 2, len(words) + 1):
            part = "_".join(words[start:end])
            if len(part) >= _LEAST_PART and part != name:
                yield part


def _namesakes(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """Downstream functions with the changed name, where it is one of several words that few functions have."""
    for target in question.targets:
        for name in target.own_names:
            if "_" not in name.strip("_") or name.startswith("__"):
                continue
            found = lookup.named((name,), EvidenceKind.FORK)
            if len({(located.path, located.fact.scope) for located in found}) <= _MOST_NAMESAKES:
                for located in found:
                    yield couple_fact(
                        located, Relation.SAME_NAME, target.symbol, target.weight, kind=EvidenceKind.REFERENCE
                    )
