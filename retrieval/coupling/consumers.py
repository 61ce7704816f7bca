"""Who runs the changed code: upstream functions that use a changed definition, and those that use them.

torch_npu seldom names the private helper that changed; it calls, patches or imports what upstream built on it. Asked is
an index of the upstream tree before the change. A definition that the change adds has no users there: those are among
the other definitions of the change. Only where the diff is a part do the functions of its module stand for it, since
what calls it now may not be in sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import is_held
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.question import Consumer, Question, Target, reachable_name
from retrieval.models import MODULE_SCOPE, ChangeKind, EvidenceKind, Language, Relation

_STEPS = 3
_DAMPING = 0.6  # what each step away from the change leaves of its weight
_MOST = 60  # consumers; with the next step more would be code that half of upstream runs, and say nothing
_MOST_OF_MODULE = 40
_MOST_NAMESAKES = 4  # upstream functions of one name, up to which an attribute of an unknown object means them
_COUPLED = (EvidenceKind.PATCH, EvidenceKind.REFERENCE, EvidenceKind.IMPORT)


def consumers(targets: Iterable[Target], upstream: FactLookup, *, diff_complete: bool = True) -> tuple[Consumer, ...]:
    """The nearest consumers, nearest first, without the changed definitions themselves; whole steps only."""
    asked = [target for target in targets if target.change.language is Language.PYTHON]
    changed = {name for target in asked for name in target.known_as}
    found: dict[str, Consumer] = {}
    frontier: dict[str, Consumer] = {}  # of the last step, in an order that does not depend on hashes
    for seed in (seed for target in asked for seed in _seeds(target, upstream, diff_complete)):
        if seed.symbol not in frontier or seed.weight > frontier[seed.symbol].weight:
            frontier[seed.symbol] = seed
    for _ in range(_STEPS):
        nearest: dict[str, Consumer] = {}  # through whom each next one is reached
        for consumer in frontier.values():
            for symbol in _users(consumer, upstream) - changed - found.keys():
                if symbol not in nearest or consumer.weight > nearest[symbol].weight:
                    nearest[symbol] = consumer
            if len(found) + len(nearest) > _MOST:
                return _nearest_first(found.values())
        frontier = {
            symbol: Consumer(symbol, by.target, by.weight * _DAMPING, _is_unique(symbol, upstream))
            for symbol, by in sorted(nearest.items())
        }
        found |= frontier
    return _nearest_first(found.values())


def _nearest_first(found: Iterable[Consumer]) -> tuple[Consumer, ...]:
    return tuple(sorted(found, key=lambda one: (-one.weight, one.symbol)))


def with_consumers(question: Question, upstream: FactLookup, *, diff_complete: bool = True) -> Question:
    """The question that asks for the consumers of the change as well."""
    return replace(question, consumers=consumers(question.targets, upstream, diff_complete=diff_complete))


def couple_consumers(question: Question, lookup: FactLookup) -> Iterator[Coupling]:
    """Downstream places that use, patch or import a consumer."""
    by_name: dict[str, list[Consumer]] = {}
    for consumer in question.consumers:
        by_name.setdefault(consumer.symbol.rpartition(".")[2], []).append(consumer)
    for located in lookup.named(by_name, *_COUPLED):
        # A name that downstream exports under another one is found by the other.
        name = located.fact.name if located.fact.name in by_name else lookup.canonical(located).rpartition(".")[2]
        for consumer in by_name.get(name, ()):
            if _names(located, consumer, lookup):
                yield couple_fact(located, Relation.CONSUMER, consumer.symbol, consumer.weight)


def _seeds(target: Target, upstream: FactLookup, diff_complete: bool) -> Iterator[Consumer]:
    if target.change.kind is ChangeKind.REFORMATTED:
        return
    if target.change.kind is not ChangeKind.ADDED:
        for symbol in dict.fromkeys(target.known_as):
            yield Consumer(symbol, target.symbol, target.weight, _is_unique(symbol, upstream))
        return
    if diff_complete:
        return
    module = target.change.module
    beside = {_symbol_of(located) for located in upstream.inside(upstream.paths_of(module), EvidenceKind.FORK)}
    if len(beside) <= _MOST_OF_MODULE:
        for symbol in sorted(one for one in beside if one is not None):
            yield Consumer(symbol, target.symbol, target.weight * _DAMPING, _is_unique(symbol, upstream))


def _users(consumer: Consumer, upstream: FactLookup) -> set[str]:
    """Functions whose code names the consumer; a special method goes by no name."""
    name = consumer.symbol.rpartition(".")[2]
    if name.startswith("__"):
        return set()
    found: set[str] = set()
    for located in upstream.named((name,), EvidenceKind.REFERENCE):
        symbol = _symbol_of(located) if _names(located, consumer, upstream) else None
        if symbol is not None and symbol != consumer.symbol:
            found.add(symbol)
    return found


def _names(located: Located, consumer: Consumer, lookup: FactLookup) -> bool:
    """By its symbol; an attribute of an object nobody could name, by a name that few functions have."""
    if located.fact.target and lookup.canonical(located) == consumer.symbol:
        return True
    return consumer.unique and (not located.fact.target or is_held(located.target))


def _symbol_of(located: Located) -> str | None:
    """What others can name of the scope of a fact."""
    scope = located.fact.scope
    return None if scope == MODULE_SCOPE else f"{located.module}.{reachable_name(scope)}"


def _is_unique(symbol: str, upstream: FactLookup) -> bool:
    name = symbol.rpartition(".")[2]
    return len({(one.path, one.fact.scope) for one in upstream.named((name,), EvidenceKind.FORK)}) <= _MOST_NAMESAKES
