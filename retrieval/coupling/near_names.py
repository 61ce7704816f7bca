"""`reference` 引用 by name alone: a rare name that a changed name is made of, and namesakes of the changed definition.

``torch._C._dynamo.guards.assert_size_stride`` in a header that torch_npu generates belongs to a change of
``write_assert_size_stride``; a function ``get_buf_bytes`` in one of its patches was written with the upstream one in
mind. Neither names what changed, so both are told as such and rank low.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import UPSTREAM, last_part
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.question import Question
from retrieval.models import EvidenceKind, Relation

_RARE_FILES = 12  # files that hold a word, up to which it says something by itself
_LEAST_PART = 8  # characters of such a word
_MOST_NAMESAKES = 4  # downstream definitions of one name, up to which they are no coincidence
_TOUCHED = 0.7  # share of the weight of a changed name that one has which changed lines use


def couple_near_names(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    yield from _parts_of_names(question, lookup)
    yield from _namesakes(question, lookup)


def _parts_of_names(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """One that is not resolved, or an upstream one; what downstream defines itself is a coincidence."""
    for part, weight in _parts(question).items():
        if not 0 < lookup.files_with(part) <= _RARE_FILES:
            continue
        for located in lookup.named((part,), EvidenceKind.REFERENCE):
            if not located.fact.target or located.target.startswith(UPSTREAM):
                yield couple_fact(located, Relation.AKIN, located.target or part, weight)


def _parts(question: Question) -> Mapping[str, float]:
    """Parts of changed and touched names that are no changed name themselves, and their weight."""
    whole = {name for target in question.targets for name in target.own_names}
    found: dict[str, float] = {}
    names = [(name, target.weight) for target in question.targets for name in target.own_names]
    names += [(last_part(name), _TOUCHED * weight) for name, weight in question.touched.items()]
    for name, weight in names:
        for part in _runs(name):
            if part not in whole:
                found[part] = max(found.get(part, 0.0), weight)
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
