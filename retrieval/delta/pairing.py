"""Which definition of the old side is which of the new one, by name.

Scopes are matched from the outside in: definitions of one name under matched scopes are one definition. Where a name
occurs several times under one scope (overloads, redefinition under ``if``), those on an unchanged line come first,
then those of equal signature, then the rest in order. What stays alone goes on to ``renames``.

A name that stands on an unchanged line exists on both sides, whatever a broken tree says; such a definition never
counts as added or removed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from retrieval.definitions import Definition
from retrieval.delta.changed_lines import LineMap
from retrieval.delta.fragments import Fragment, Side


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A definition on its side of a fragment."""

    definition: Definition
    side: Side
    fragment: Fragment


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One definition on both sides, or on one of them (the other is null)."""

    old: Located | None
    new: Located | None

    @property
    def head(self) -> Located:
        """The new side, or the old one of what is gone."""
        located = self.new or self.old
        if located is None:
            raise ValueError("a pair has at least one side")
        return located


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """A definition without a counterpart; ``parent`` is equal for old and new definitions of one matched scope."""

    located: Located
    parent: tuple[str, str] | None


@dataclass(slots=True, eq=False)
class Matching:
    """What has been matched so far."""

    pairs: list[Pair] = field(default_factory=list)
    old: list[Loose] = field(default_factory=list)
    new: list[Loose] = field(default_factory=list)


class Children:
    """Definitions of one side by the definition right around them."""

    def __init__(self, side: Side | None) -> None:
        self._by_outer: defaultdict[int, list[Definition]] = defaultdict(list)
        for definition in side.definitions if side is not None else ():
            self._by_outer[id(definition.outer)].append(definition)

    def of(self, outer: Definition | None) -> Sequence[Definition]:
        return self._by_outer.get(id(outer), ())


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Children of both sides of one fragment."""

    old: Children
    new: Children


def match_fragment(fragment: Fragment, family: Family, matching: Matching) -> None:
    """Match all definitions of a fragment, from the margin inwards."""
    start = len(matching.pairs)
    _match_scope(fragment, fragment, family.old.of(None), family.new.of(None), (fragment.file.path, ""), matching)
    _descend(family, family, matching, start)


def match_members(pair: Pair, families: dict[int, Family], matching: Matching) -> None:
    """Match what two definitions hold that were found to be the same under different names."""
    if pair.old is None or pair.new is None:
        return
    old_family, new_family = families[id(pair.old.fragment)], families[id(pair.new.fragment)]
    start = len(matching.pairs)
    _match_scope(
        pair.old.fragment,
        pair.new.fragment,
        old_family.old.of(pair.old.definition),
        new_family.new.of(pair.new.definition),
        (pair.new.side.path, pair.new.definition.qualname),
        matching,
    )
    _descend(old_family, new_family, matching, start)


def _descend(old_family: Family, new_family: Family, matching: Matching, start: int) -> None:
    """Scopes below the pairs from ``start`` on; pairs are appended while the list is walked."""
    index = start
    while index < len(matching.pairs):
        pair = matching.pairs[index]
        index += 1
        if pair.old is None or pair.new is None:
            continue
        old = old_family.old.of(pair.old.definition)
        new = new_family.new.of(pair.new.definition)
        if old or new:
            parent = (pair.new.side.path, pair.new.definition.qualname)
            _match_scope(pair.old.fragment, pair.new.fragment, old, new, parent, matching)


def _match_scope(
    old_fragment: Fragment,
    new_fragment: Fragment,
    old: Iterable[Definition],
    new: Iterable[Definition],
    parent: tuple[str, str],
    matching: Matching,
) -> None:
    by_name: dict[str, tuple[list[Definition], list[Definition]]] = {}
    for definition in old:
        by_name.setdefault(_key(definition), ([], []))[0].append(definition)
    for definition in new:
        by_name.setdefault(_key(definition), ([], []))[1].append(definition)
    for olds, news in by_name.values():
        for left, right in _pair_up(olds, news, new_fragment):
            old_located = _located(left, old_fragment.old, old_fragment)
            new_located = _located(right, new_fragment.new, new_fragment)
            if old_located is not None and new_located is not None:
                matching.pairs.append(Pair(old_located, new_located))
            elif old_located is not None:
                matching.old.append(Loose(old_located, parent))
            elif new_located is not None:
                matching.new.append(Loose(new_located, parent))


def _located(definition: Definition | None, side: Side | None, fragment: Fragment) -> Located | None:
    return Located(definition, side, fragment) if definition is not None and side is not None else None


def _key(definition: Definition) -> str:
    """The name below the matched scope; namespaces and classes of out-of-line C++ members are part of it."""
    outer = definition.outer
    return definition.qualname if outer is None else definition.qualname.removeprefix(outer.qualname + ".")


_Choice = tuple[Definition | None, Definition | None]


def _pair_up(olds: Sequence[Definition], news: Sequence[Definition], fragment: Fragment) -> Iterator[_Choice]:
    left, right = list(olds), list(news)
    if len(left) > 1 or len(right) > 1:
        mapped = LineMap(fragment.blocks)
        lines = {definition.name_line: definition for definition in right}
        yield from _take(left, right, lambda old: lines.get(mapped.to_new(old.name_line) or 0))
        yield from _take(left, right, lambda old: _alike(old, right))
    yield from zip_longest(left, right)


def _alike(old: Definition, candidates: Iterable[Definition]) -> Definition | None:
    signature = old.signature
    return next((new for new in candidates if new.kind is old.kind and new.signature == signature), None)


def _take(
    left: list[Definition], right: list[Definition], choose: Callable[[Definition], Definition | None]
) -> Iterator[_Choice]:
    """Pairs that ``choose`` finds; both members leave their lists."""
    for old in tuple(left):
        new = choose(old)
        if new is not None and new in right:
            left.remove(old)
            right.remove(new)
            yield old, new
