"""Which removed definition lives on as which added one: renames and moves.

Rules, tried in this order; each takes its best matches first, ties by place in the change:

0. renamed: a class in the same scope, of whose methods at least half stand on unchanged lines;
1. moved: same name, equal body, elsewhere (at least ``MIN_MOVED`` tokens, so that no stub counts);
2. renamed: same scope, equal body. Bodies under ``MIN_RENAMED`` tokens say little, so these must also stand in the
   same changed block or share a word of their names;
3. moved: same name, likeness of at least ``MOVED_LIKENESS`` (``MIN_MOVED`` tokens);
4. renamed: same scope, likeness of at least ``RENAMED_LIKENESS`` (``MIN_RENAMED`` tokens);
5. renamed and moved at once: equal body of at least ``MIN_BOTH`` tokens;
6. renamed although the old name stays: the added body carries on (``MOVED_LIKENESS``) what a rewritten definition of
   the same scope no longer holds (at most ``EMPTIED_LIKENESS``): the old name became a wrapper.

The thresholds were set by looking at what they match, not tuned to anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from retrieval.definitions import Definition
from retrieval.delta.bodies import Bodies, Body
from retrieval.delta.changed_lines import LineMap
from retrieval.delta.pairing import Located, Loose, Pair
from retrieval.models import DefinitionKind

RENAMED_LIKENESS = 0.7
MOVED_LIKENESS = 0.85
EMPTIED_LIKENESS = 0.5
MIN_RENAMED = 12
MIN_MOVED = 20
MIN_BOTH = 40
MAX_COMPARISONS = 4000  # of one group; a larger one is matched on equal bodies only

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_CALLABLE = (DefinitionKind.FUNCTION, DefinitionKind.METHOD)

Members = Callable[[Located], Sequence[Definition]]
_Match = tuple[Loose, Loose]
_Key = Callable[[Loose], Hashable]
_Accept = Callable[[Loose, Loose, int], bool]


class Renames:
    """Matches loose definitions. ``old`` and ``new`` shrink as matches are found."""

    def __init__(self, old: Sequence[Loose], new: Sequence[Loose], bodies: Bodies, members: Members) -> None:
        self.old = list(old)
        self.new = list(new)
        self._bodies = bodies
        self._members = members

    def match(self) -> Iterator[tuple[Loose, Loose]]:
        """Rules 0 to 5."""
        yield from self._in_place()
        yield from self._equal(_moved_key, MIN_MOVED, _different_parent)
        yield from self._equal(_scope_key, 0, _renamed_for_sure)
        yield from self._alike(_moved_key, MIN_MOVED, MOVED_LIKENESS, _different_parent)
        yield from self._alike(_scope_key, MIN_RENAMED, RENAMED_LIKENESS, _anything)
        yield from self._equal(_family_key, MIN_BOTH, _anything)

    def carried_on(self, rewritten: Iterable[Pair]) -> Iterator[tuple[Pair, Loose]]:
        """Rule 6: a rewritten definition and the added one that has its old body. The added one leaves ``new``."""
        added: defaultdict[Hashable, list[Loose]] = defaultdict(list)
        for loose in self.new:
            added[_scope_key(loose)].append(loose)
        for pair in rewritten:
            if pair.old is None or pair.new is None:
                continue
            definition = pair.new.definition
            parent = (pair.new.side.path, definition.outer.qualname if definition.outer is not None else "")
            candidates = added.get((parent, _family(definition.kind)))
            if not candidates:
                continue
            before, after = self._bodies.of(pair.old.definition), self._bodies.of(definition)
            if before.size < MIN_RENAMED or before.likeness(after) > EMPTIED_LIKENESS:
                continue
            best = max(candidates, key=lambda loose: before.likeness(self._body(loose)))
            if before.likeness(self._body(best)) >= MOVED_LIKENESS:
                candidates.remove(best)
                self.new.remove(best)
                yield pair, best

    def _in_place(self) -> Iterator[_Match]:
        for olds, news in self._groups(_class_key):
            for old in olds:
                found = next((new for new in news if self._share_methods(old.located, new.located)), None)
                if found is not None:
                    news.remove(found)
                    yield self._take(old, found)

    def _share_methods(self, old: Located, new: Located) -> bool:
        if old.fragment is not new.fragment:
            return False
        before, after = self._members(old), self._members(new)
        lines = LineMap(old.fragment.blocks)
        kept = {lines.to_new(item.name_line) for item in before if item.kind is DefinitionKind.METHOD}
        shared = sum(item.kind is DefinitionKind.METHOD and item.name_line in kept for item in after)
        methods = [sum(item.kind is DefinitionKind.METHOD for item in items) for items in (before, after)]
        return shared > 0 and 2 * shared >= max(methods)

    def _equal(self, key: _Key, minimum: int, accept: _Accept) -> Iterator[_Match]:
        """Equal bodies of one group, in order."""
        for olds, news in self._groups(key):
            by_tokens: defaultdict[tuple[str, ...], list[Loose]] = defaultdict(list)
            for loose in news:
                by_tokens[self._body(loose).tokens].append(loose)
            for old in olds:
                body = self._body(old)
                if body.size < minimum:
                    continue
                found = next((new for new in by_tokens.get(body.tokens, ()) if accept(old, new, body.size)), None)
                if found is not None:
                    by_tokens[body.tokens].remove(found)
                    yield self._take(old, found)

    def _alike(self, key: _Key, minimum: int, threshold: float, accept: _Accept) -> Iterator[_Match]:
        """The likest pairs of one group, best first."""
        for olds, news in self._groups(key):
            if len(olds) * len(news) > MAX_COMPARISONS:
                continue
            scored = [
                (-likeness, i, j)
                for i, old in enumerate(olds)
                for j, new in enumerate(news)
                if accept(old, new, minimum) and (likeness := self._likeness(old, new, minimum)) >= threshold
            ]
            used: set[tuple[str, int]] = set()
            for _, i, j in sorted(scored):
                if ("old", i) not in used and ("new", j) not in used:
                    used |= {("old", i), ("new", j)}
                    yield self._take(olds[i], news[j])

    def _likeness(self, old: Loose, new: Loose, minimum: int) -> float:
        left, right = self._body(old), self._body(new)
        if min(left.size, right.size) < max(minimum, max(left.size, right.size) // 2):
            return 0.0  # so different in length that no threshold here can be met
        return left.likeness(right)

    def _groups(self, key: _Key) -> list[tuple[list[Loose], list[Loose]]]:
        groups: dict[Hashable, tuple[list[Loose], list[Loose]]] = {}
        for loose in self.old:
            groups.setdefault(key(loose), ([], []))[0].append(loose)
        for loose in self.new:
            if key(loose) in groups:
                groups[key(loose)][1].append(loose)
        return [group for group in groups.values() if group[1]]

    def _take(self, old: Loose, new: Loose) -> _Match:
        self.old.remove(old)
        self.new.remove(new)
        return old, new

    def _body(self, loose: Loose) -> Body:
        return self._bodies.of(loose.located.definition)


def _family(kind: DefinitionKind) -> str:
    return "callable" if kind in _CALLABLE else kind.value


def _family_key(loose: Loose) -> Hashable:
    return _family(loose.located.definition.kind)


def _scope_key(loose: Loose) -> Hashable:
    # A definition whose own scope is gone or new shares it with nobody.
    return (loose.parent or id(loose), _family(loose.located.definition.kind))


def _class_key(loose: Loose) -> Hashable:
    # Only classes can share methods: every other definition is alone in its group.
    is_class = loose.located.definition.kind is DefinitionKind.CLASS
    return loose.parent if is_class and loose.parent is not None else id(loose)


def _moved_key(loose: Loose) -> Hashable:
    definition = loose.located.definition
    return (definition.name, _family(definition.kind))


def _anything(old: Loose, new: Loose, size: int) -> bool:
    return True


def _different_parent(old: Loose, new: Loose, size: int) -> bool:
    return old.parent is None or old.parent != new.parent


def _renamed_for_sure(old: Loose, new: Loose, size: int) -> bool:
    """Is an equal body of ``size`` tokens in the same scope proof enough?"""
    if size >= MIN_RENAMED:
        return True
    left, right = old.located.definition, new.located.definition
    if {*_words(left.name)} & {*_words(right.name)}:
        return True
    return left.kind is not DefinitionKind.VARIABLE and _same_block(old, new)


def _words(name: str) -> Iterable[str]:
    return (word.lower() for word in _WORD.findall(name) if len(word) > 2)


def _same_block(old: Loose, new: Loose) -> bool:
    left, right = old.located, new.located
    return left.fragment is right.fragment and any(
        block.old_start <= left.definition.name_line < block.old_end
        and block.new_start <= right.definition.name_line < block.new_end
        for block in left.fragment.blocks
    )
