"""The evidence ledger: where the downstream tree feels a change, and which searches found nothing.

Every line number comes from a fact of a blob of the tree, every count from the word index over all its text files, at
the tree's pinned revision. What the limits cut is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from retrieval.coupling.question import Question, question_of
from retrieval.coupling.registry import couplings
from retrieval.delta.texts import ChangedText
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

MAX_MISSES = 12
MAX_COUNTS = 16
_SNIPPET_LINES = 3
_SNIPPET_WIDTH = 160
_SHORT = 4  # names up to this length (`call`, `run`) say nothing by a whole-word count
_BYTES_PER_TOKEN = 3  # code runs at 3.5 to 3.8 bytes per token of o200k; 3 leaves room for other tokenizers


def build_ledger(
    delta: Delta,
    change: UpstreamChange,
    index: Index,
    *,
    texts: Mapping[str, ChangedText] | None = None,
    limit: int = 20,
    token_budget: int = 6000,
) -> Ledger:
    """The ledger of one change: at most ``limit`` items that together take at most ``token_budget`` tokens.

    ``change`` names the files of a change that no search for symbols can speak for; without ``texts``, the source of
    the changed definitions, no copies of them are found.
    """
    question = question_of(delta, texts)
    places = rank(couplings(question, index))
    items, tokens = _items(places, index, limit, token_budget)
    felt = {one.symbol for place in places for one in place.couplings if one.relation is Relation.SAME_OPERATOR}
    misses, counts = _searched(question, index, felt)
    if not misses and not items:
        misses = _last_miss(question, change, index)
    by_kind = Counter(place.best.kind for place in places)
    return Ledger(
        downstream=index.tree.name,
        revision=index.tree.revision,
        items=items,
        misses=misses,
        counts=counts,
        totals=Totals(
            found=len(places),
            shown=len(items),
            cut=len(places) - len(items),
            by_kind={kind: by_kind[kind] for kind in EvidenceKind if kind in by_kind},
            tokens=tokens,
            files_searched=len(index.files),
        ),
    )


def _items(places: Sequence[Place], index: Index, limit: int, budget: int) -> tuple[tuple[EvidenceItem, ...], int]:
    items: list[EvidenceItem] = []
    sources: dict[str, Sequence[bytes]] = {}
    spent = 0
    for place in places[:limit]:
        if place.path not in sources:
            sources[place.path] = index.tree.read(place.path).split(b"\n")
        item = _item(place, f"E{len(items) + 1}", sources[place.path])
        cost = _tokens(item)
        if spent + cost > budget:
            break
        items.append(item)
        spent += cost
    return tuple(items), spent


def _item(place: Place, ident: str, source: Sequence[bytes]) -> EvidenceItem:
    best = place.best
    present = {coupling.kind for coupling in place.couplings}
    return EvidenceItem(
        id=ident,
        kind=best.kind,
        kinds=(best.kind, *(kind for kind in EvidenceKind if kind in present and kind is not best.kind)),
        relation=best.relation,
        path=place.path,
        scope=place.scope,
        lines=best.lines,
        token=best.token,
        symbol=best.symbol,
        symbols=tuple(dict.fromkeys(coupling.symbol for coupling in place.couplings)),
        snippet=_snippet(source, best.lines),
        detail=best.detail,
        score=round(place.score, 4),
    )


def _snippet(source: Sequence[bytes], lines: Sequence[int]) -> str:
    shown = (source[line - 1].decode("utf-8-sig", "replace").strip() for line in lines[:_SNIPPET_LINES])
    return "\n".join(line[:_SNIPPET_WIDTH] for line in shown)


def _tokens(item: EvidenceItem) -> int:
    text = "".join((item.path, item.scope, item.symbol, item.snippet, *item.kinds))
    return -(-len(text.encode()) // _BYTES_PER_TOKEN) + 16  # id, lines and relation


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
    """One counted zero for a change that would otherwise have neither a place nor a miss."""
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
        yield module, module.rpartition(".")[2]
        yield module, module
    for path in dict.fromkeys((*(file.path for file in change.files), *change.other_paths)):
        yield path, path
