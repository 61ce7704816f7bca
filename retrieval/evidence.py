"""The evidence ledger: where the downstream tree feels a change, and which searches found nothing.

Every line number comes from a fact of a blob of the tree, every count from the word index over all its text files, at
the tree's pinned revision. What the limits cut is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from retrieval import words
from retrieval.closeness import UNCOUPLED
from retrieval.collector import collector_paused
from retrieval.coupling.about import couple_about
from retrieval.coupling.consumers import with_consumers
from retrieval.coupling.facts import last_part
from retrieval.coupling.lineage import with_lineage
from retrieval.coupling.question import Question, question_of
from retrieval.coupling.registry import couplings
from retrieval.delta.texts import ChangedText
from retrieval.errors import DamagedCacheError
from retrieval.evidence_item import item_of, tokens_of
from retrieval.folding import fold
from retrieval.index import Index
from retrieval.models import (
    Delta,
    EvidenceItem,
    EvidenceKind,
    Ledger,
    Miss,
    Relation,
    SymbolCount,
    Totals,
    UpstreamChange,
)
from retrieval.rank import Place, rank
from retrieval.scopes import Affinity
from retrieval.selection import SHOWN, affordable, proofs, reserve
from retrieval.vocabulary import area_of, vocabulary_of

MAX_MISSES = 12
MAX_COUNTS = 16
_SHORT = 4  # names up to this length (`call`, `run`) say nothing by a whole-word count


def build_ledger(
    delta: Delta,
    change: UpstreamChange,
    index: Index,
    *,
    texts: Mapping[str, ChangedText] | None = None,
    upstream: Index | None = None,
    by_affinity: bool = True,
    limit: int = SHOWN,
    token_budget: int = 6000,
) -> Ledger:
    """The ledger of one change: at most ``limit`` items that together take at most ``token_budget`` tokens.

    ``change`` names the files of a change that no search for symbols can speak for; without ``texts``, the source of
    the changed definitions, no copies of them are found; without ``upstream``, the index of the upstream code before
    the change, nobody who runs the changed code is asked for. ``by_affinity`` false leaves out how much a place is
    about what the change is about, and with it the places that are coupled to nothing.
    """
    asked = partial(_ledger, delta, change, index, texts, upstream, by_affinity, limit, token_budget)
    with collector_paused():
        try:
            return asked()
        except DamagedCacheError:  # look-ups heal themselves; that a fact points beyond its file shows only here
            index.rebuild()
            return asked()


def _ledger(
    delta: Delta,
    change: UpstreamChange,
    index: Index,
    texts: Mapping[str, ChangedText] | None,
    upstream: Index | None,
    by_affinity: bool,
    limit: int,
    token_budget: int,
) -> Ledger:
    question = question_about(delta, change, texts, upstream)
    affinity = index.affinity(vocabulary_of(delta, change) if by_affinity else {})
    places = rank(couplings(question, index), affinity.shares if by_affinity else None)
    coupled = fold(places, index.size_of)
    best = fold(_located(coupled.kept, affinity, area_of(delta, change), index), index.size_of, limit)
    items, tokens = _items(reserve(best.kept, coupled.kept), index, token_budget)
    felt = {one.symbol for place in places for one in place.couplings if one.relation is Relation.SAME_OPERATOR}
    misses, counts = _searched(question, index, felt)
    if not misses and all(item.relation in UNCOUPLED for item in items):
        misses = _last_miss(question, change, index)
    by_kind = _by_kind(coupled.kept, best.folded, items)
    return Ledger(
        downstream=index.tree.name,
        revision=index.tree.revision,
        items=items,
        misses=misses,
        counts=counts,
        totals=Totals(
            found=by_kind.total(),
            shown=len(items),
            cut=by_kind.total() - len(items),
            by_kind={kind: by_kind[kind] for kind in EvidenceKind if kind in by_kind},
            tokens=tokens,
            files_searched=len(index.files),
        ),
    )


def _by_kind(places: Iterable[Place], folded: Iterable[Place], items: Iterable[EvidenceItem]) -> Counter[EvidenceKind]:
    """Places by kind: all that are coupled, but for those folded into others, and of the others those shown."""
    kinds = {(place.path, place.scope): place.best.kind for place in places if place.couplings}
    kinds |= {(item.path, item.scope): item.kind for item in items}
    for place in folded:
        kinds.pop((place.path, place.scope), None)
    return Counter(kinds.values())


def question_about(
    delta: Delta, change: UpstreamChange, texts: Mapping[str, ChangedText] | None, upstream: Index | None
) -> Question:
    """What the ledger of a change asks the downstream index; the arguments are those of `build_ledger`."""
    question = question_of(delta, texts, change.other_paths)
    if upstream is None:
        return question
    return with_consumers(with_lineage(question, upstream), upstream, diff_complete=change.diff_complete)


def _located(places: Iterable[Place], affinity: Affinity, area: str, index: Index) -> Iterator[Place]:
    """Places as they are; those of affinity alone with the coupling that shows it, or left out when none does."""
    for place in places:
        if place.couplings:
            yield place
            continue
        scope = place.path, place.scope
        coupling = couple_about(scope, affinity.shares[scope], affinity.pieces, area, index)
        if coupling is not None:
            yield place._replace(couplings=(coupling,))


def _items(places: Sequence[Place], index: Index, budget: int) -> tuple[tuple[EvidenceItem, ...], int]:
    """The places that ``budget`` tokens pay for, as items, and what they cost."""
    items = [item_of(place, _source(place, index)) for place in places]
    costs = [tokens_of(item) for item in items]
    paid = affordable(costs, {at for at, place in enumerate(places) if proofs(place)}, budget)
    numbered = (items[at].model_copy(update={"id": f"E{number}"}) for number, at in enumerate(paid, 1))
    return tuple(numbered), sum(costs[at] for at in paid)


def _source(place: Place, index: Index) -> Sequence[bytes]:
    """The lines of the place's file. Raises ``DamagedCacheError`` when a coupling points beyond them."""
    source = index.lines(place.path)
    last = max(line for one in place.couplings for line in one.lines)
    if last > len(source):
        raise DamagedCacheError(str(index.cache_path), words.cache_damaged(f"{place.path}:{last}"))
    return source


def _searched(
    question: Question, index: Index, felt: Collection[str]
) -> tuple[tuple[Miss, ...], tuple[SymbolCount, ...]]:
    """Names worth naming that nobody downstream writes, and how often the others occur.

    An operator that is ``felt`` is no miss even if nobody writes it like that: ``"aten::expand"`` is another spelling.
    """
    misses: dict[str, Miss] = {}
    counts: dict[str, SymbolCount] = {}
    for symbol, pattern in _patterns(question):
        if pattern in misses or pattern in counts:
            continue
        lines, holders = index.count(pattern)
        if lines:
            counts[pattern] = SymbolCount(symbol=symbol, pattern=pattern, lines=lines, files=holders)
        elif symbol not in felt:
            misses[pattern] = _miss(len(misses) + 1, symbol, pattern, index)
        if len(misses) >= MAX_MISSES:
            break
    return tuple(misses.values()), tuple(counts.values())[:MAX_COUNTS]


def _last_miss(question: Question, change: UpstreamChange, index: Index) -> tuple[Miss, ...]:
    """One counted zero for a change that would otherwise have neither a coupling nor a miss."""
    for symbol, pattern in _last_resort(question, change):
        if not index.count(pattern)[0]:
            return (_miss(1, symbol, pattern, index),)
    return ()


def _miss(number: int, symbol: str, pattern: str, index: Index) -> Miss:
    return Miss(id=f"Z{number}", symbol=symbol, pattern=pattern, files=len(index.files))


def _patterns(question: Question) -> Iterator[tuple[str, str]]:
    """(symbol, whole word to search), most important first."""
    for target in sorted(question.targets, key=lambda target: -target.weight):
        for symbol in dict.fromkeys((target.symbol, target.old_symbol)):
            name = symbol.rpartition(".")[2]
            if name.startswith("__") and target.holders:
                symbol = target.holders[0]
                name = symbol.rpartition(".")[2]
            if len(name) > _SHORT:
                yield symbol, name
    for operator in question.operators:
        yield operator, operator
    for flag in question.flags:
        yield flag, flag.rpartition(".")[2]


def _last_resort(question: Question, change: UpstreamChange) -> Iterator[tuple[str, str]]:
    """Longer patterns for a change whose bare names all occur downstream by chance, or that changes no names at all."""
    for target in question.targets:
        names = target.symbol.split(".")
        yield target.symbol, ".".join(names[-2:])
        yield target.symbol, target.symbol
    for module in question.modules:
        yield module, last_part(module)
        yield module, module
    for path in dict.fromkeys((*(file.path for file in change.files), *change.other_paths)):
        yield path, path
