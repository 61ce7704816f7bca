"""The path of one change, from its two sides to a checked draft: one direction, no step reaches back.

    change → delta → ledger → prior → draft → checked draft

Input and output stay outside: the caller opens trees and the index and prints, stores or posts what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from retrieval.change.sides import sides
from retrieval.delta import compute_delta
from retrieval.delta.texts import changed_texts
from retrieval.evidence import build_ledger
from retrieval.extraction import extractor_version
from retrieval.index import Index
from retrieval.models import Delta, Ledger, UpstreamChange
from retrieval.source_tree import SourceTree
from reviewbot import __version__
from reviewbot.drafting.template import TEMPLATE_VERSION, write_draft
from reviewbot.models import Analysis, Timing
from reviewbot.rubric import Rubric, judge
from reviewbot.verification.names import ChangeNames, NameLookup, TreeNames
from reviewbot.verification.verify import final_state, verify


@dataclass(frozen=True)
class AnalysisRequest:
    """Everything one analysis needs. ``base`` and ``head`` are upstream trees where they are at hand, ``upstream`` is
    the index of ``base`` (`retrieval.upstream_index`).

    ``change_ms`` and ``index_ms`` are what reading the change and opening the index took the caller.
    """

    change: UpstreamChange
    index: Index
    rubric: Rubric
    base: SourceTree | None = None
    head: SourceTree | None = None
    upstream: Index | None = None
    limit: int = 20
    token_budget: int = 6000
    change_ms: float = 0.0
    index_ms: float = 0.0


def analyse(request: AnalysisRequest) -> Analysis:
    """Run every step once. The same request gives the same analysis, but for its timing.

    Raises `RetrievalError` when a tree cannot be read; no other error is expected of any diff.
    """
    clock = _Clock()
    change = request.change
    with clock("delta"):
        both_sides = sides(change, request.base, request.head)
        delta = compute_delta(change, both_sides)
    with clock("ledger"):
        ledger = build_ledger(
            delta,
            change,
            request.index,
            texts=changed_texts(delta, both_sides),
            upstream=request.upstream,
            limit=request.limit,
            token_budget=request.token_budget,
        )
    with clock("prior"):
        prior = judge(change, delta, ledger, request.rubric)
    with clock("draft"):
        draft = write_draft(change, delta, ledger, prior)
    with clock("verify"):
        checked = verify(draft, change, delta, ledger, _names(request, delta, ledger))
        checked, state, reason = final_state(checked, ledger)
    return Analysis(
        state=state,
        reason=reason,
        change=change,
        delta=delta,
        ledger=ledger,
        prior=prior,
        draft=checked,
        versions={
            "reviewbot": __version__,
            "rubric": prior.rubric_version,
            "template": TEMPLATE_VERSION,
            "extractor": extractor_version(),
        },
        timing=Timing(change=request.change_ms, index=request.index_ms, **clock.spent),
    )


def _names(request: AnalysisRequest, delta: Delta, ledger: Ledger) -> NameLookup:
    """Names of the change first, then the pinned trees: the downstream one by its word index, upstream by path."""
    index = request.index
    trees: list[Callable[[str], bool]] = [index.tree.exists]
    trees += [tree.exists for tree in (request.base, request.head) if tree is not None]
    return TreeNames(ChangeNames(request.change, delta, ledger), trees, [index.count])


class _Clock:
    """Milliseconds per named step."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.spent[step] = round((perf_counter() - started) * 1000, 3)
