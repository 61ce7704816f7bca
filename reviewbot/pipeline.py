"""The path of one change, from its two sides to a checked draft: one direction, no step reaches back.

    change → delta → ledger → prior → draft → checked draft

Input and output stay outside: the caller opens trees and the index and prints, stores or posts what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
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
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.models import Analysis, CheckedDraft, Prior, Timing
from reviewbot.precedents import Archive
from reviewbot.rubric import Rubric, judge
from reviewbot.verification.names import ChangeNames, NameLookup, TreeNames
from reviewbot.verification.verify import final_state, verify


@dataclass(frozen=True)
class AnalysisRequest:
    """Everything one analysis needs. ``base`` and ``head`` are upstream trees where they are at hand, ``upstream`` is
    the index of ``base`` (`retrieval.upstream_index`). ``archive`` gives the writer similar past records.

    ``change_ms`` and ``index_ms`` are what reading the change and opening the index took the caller.
    """

    change: UpstreamChange
    index: Index
    rubric: Rubric
    base: SourceTree | None = None
    head: SourceTree | None = None
    upstream: Index | None = None
    writer: Writer = field(default_factory=TemplateWriter)
    archive: Archive | None = None
    limit: int = 20
    token_budget: int = 6000
    change_ms: float = 0.0
    index_ms: float = 0.0


def analyse(request: AnalysisRequest) -> Analysis:
    """Run every step once. The same request gives the same analysis, but for its timing.

    Raises `RetrievalError` when a tree cannot be read and `WriterError` when the writer gives no draft; no other error
    is expected of any diff.
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
        dossier, written = _written(request, delta, ledger, prior)
        ledger = dossier.ledger
    names = name_lookup(change, delta, ledger, index=request.index, upstream=(request.base, request.head))
    with clock("verify"):
        checked = verify(written.draft, change, delta, ledger, names)
    if checked.findings:
        with clock("draft"):
            repaired = request.writer.repair(dossier, written, checked.findings)
        if repaired is not None:
            with clock("verify"):
                written, checked = _better(
                    (written, checked), (repaired, verify(repaired.draft, change, delta, ledger, names))
                )
    with clock("verify"):
        checked, state, reason = final_state(checked, ledger)
    return Analysis(
        state=state,
        reason=reason,
        change=change,
        delta=delta,
        ledger=ledger,
        prior=prior,
        proposed=written.draft,
        draft=checked,
        usage=written.usage,
        versions={
            "reviewbot": __version__,
            "rubric": prior.rubric_version,
            "extractor": extractor_version(),
            **request.writer.versions,
        },
        timing=Timing(change=request.change_ms, index=request.index_ms, **clock.spent),
    )


def _written(request: AnalysisRequest, delta: Delta, ledger: Ledger, prior: Prior) -> tuple[Dossier, Written]:
    """The first draft, and the dossier with what the writer had looked up: that is proved and kept like the rest."""
    change, archive = request.change, request.archive
    precedents = archive.similar(change, delta) if archive else ()
    dossier = Dossier(change, delta, ledger, prior, precedents, request.index.count)
    written = request.writer.write(dossier)
    return replace(dossier, ledger=written.ledger or ledger), written


Round = tuple[Written, CheckedDraft]


def _better(first: Round, second: Round) -> Round:
    """The round with fewer objections, the second at a tie; its usage covers both, since both were paid for."""
    if len(second[1].findings) <= len(first[1].findings):
        return second
    return first[0].model_copy(update={"usage": second[0].usage}), first[1]


def name_lookup(
    change: UpstreamChange, delta: Delta, ledger: Ledger, *, index: Index, upstream: Iterable[SourceTree | None]
) -> NameLookup:
    """Names of the change first, then the pinned trees: the downstream one by its word index, upstream by path."""
    trees: list[Callable[[str], bool]] = [index.tree.exists]
    trees += [tree.exists for tree in upstream if tree is not None]
    return TreeNames(ChangeNames(change, delta, ledger), trees, [index.count])


class _Clock:
    """Milliseconds per named step; a step that runs twice counts twice."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.spent[step] = round(self.spent.get(step, 0.0) + (perf_counter() - started) * 1000, 3)
