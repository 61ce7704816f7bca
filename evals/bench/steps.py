"""One query taken apart, on indexes that remember no answer yet.

An index reads the list of all scopes when it is first asked for affinities, once for all changes; here that belongs to
opening it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from evals.bench.clock import Taken, clocked
from evals.bench.subject import Asked
from retrieval.coupling.consumers import couple_consumers
from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import Question
from retrieval.coupling.registry import KINDS
from retrieval.evidence import build_ledger, question_about
from retrieval.index import Index, open_index
from retrieval.models import EvidenceKind
from retrieval.rank import rank
from retrieval.source_tree import SourceTree
from retrieval.upstream_index import open_upstream_index
from retrieval.vocabulary import vocabulary_of

_NO_WORDS = {"": 1.0}  # asks nothing, and makes an index read its scopes


class Indexes(NamedTuple):
    downstream: Index
    upstream: Index


@contextmanager
def opened(downstream: SourceTree, base: SourceTree, cache: Path) -> Iterator[Indexes]:
    """Both indexes, newly opened."""
    with closing(open_index(downstream, cache)) as own, closing(open_upstream_index(base, cache)) as upstream:
        own.affinity(_NO_WORDS)
        yield Indexes(own, upstream)


class Steps(NamedTuple):
    """``upstream`` asks the upstream index who runs the changed code. ``lookup`` finds every coupling but copies,
    ``fork`` those: their candidates and the alignment.
    """

    upstream: Taken
    lookup: Taken
    fork: Taken
    affinity: Taken
    ranking: Taken


def taken_apart(one: Asked, indexes: Indexes) -> Steps:
    index = indexes.downstream
    question, asked = clocked(lambda: question_about(one.delta, one.change, one.texts, indexes.upstream))
    found, looked_up = clocked(lambda: [*_coupled(question, index, forks=False), *couple_consumers(question, index)])
    copies, aligned = clocked(lambda: _coupled(question, index, forks=True))
    near, compared = clocked(lambda: index.affinity(vocabulary_of(one.delta, one.change)))
    _, ranked = clocked(lambda: rank([*found, *copies], near.shares))
    return Steps(asked, looked_up, aligned, compared, ranked)


def whole(one: Asked, indexes: Indexes) -> Taken:
    """From change to ledger."""
    return clocked(
        lambda: build_ledger(one.delta, one.change, indexes.downstream, texts=one.texts, upstream=indexes.upstream)
    )[1]


def _coupled(question: Question, index: Index, *, forks: bool) -> list[Coupling]:
    chosen = (kind for kind in KINDS if (kind.kind is EvidenceKind.FORK) is forks)
    return [coupling for kind in chosen for coupling in kind.couple(question, index)]
