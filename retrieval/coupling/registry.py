"""The one list of evidence kinds that this version finds.

A kind is a module of this package with ``KIND`` and ``couple(question, lookup)``; a kind that needs facts of its own
also has ``extract(file)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from retrieval.coupling import (
    config,
    fork,
    hook,
    imports,
    override,
    patch,
    reference,
    registration,
    subclass,
    test_copy,
)
from retrieval.coupling.consumers import couple_consumers
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.facts import Fact
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question
from retrieval.models import EvidenceKind

Extract = Callable[[PythonFile], Iterator[Fact]]
Couple = Callable[[Question, FactLookup], Iterable[Coupling]]


class Kind(NamedTuple):
    kind: EvidenceKind
    couple: Couple
    extract: Extract | None = None


KINDS: Sequence[Kind] = (
    Kind(fork.KIND, fork.couple, fork.extract),
    Kind(patch.KIND, patch.couple, patch.extract),
    Kind(override.KIND, override.couple, override.extract),
    Kind(registration.KIND, registration.couple, registration.extract),
    Kind(subclass.KIND, subclass.couple, subclass.extract),
    Kind(reference.KIND, reference.couple, reference.extract),
    Kind(imports.KIND, imports.couple, imports.extract),
    Kind(config.KIND, config.couple, config.extract),
    Kind(test_copy.KIND, test_copy.couple, test_copy.extract),
    Kind(hook.KIND, hook.couple),
)


def extract_facts(file: PythonFile) -> tuple[Fact, ...]:
    """All facts of one Python file, kind by kind, in source order within a kind."""
    return tuple(fact for kind in KINDS if kind.extract is not None for fact in kind.extract(file))


def couplings(question: Question, lookup: FactLookup) -> tuple[Coupling, ...]:
    """Everything downstream that feels what the question asks about, unranked, with repetitions."""
    direct = (coupling for kind in KINDS for coupling in kind.couple(question, lookup))
    return (*direct, *couple_consumers(question, lookup))
