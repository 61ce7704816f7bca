"""All definitions of a change, each with what became of it: matched by name, then by body, then left alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from retrieval.definitions import Definition
from retrieval.delta.bodies import Bodies
from retrieval.delta.changed_lines import LineOwners
from retrieval.delta.fragments import Fragment, Side
from retrieval.delta.natures import NameMap
from retrieval.delta.pairing import Children, Family, Located, Loose, Matching, Pair, match_fragment, match_members
from retrieval.delta.renames import Renames
from retrieval.models import DefinitionKind

MAX_MEMBERS = 40  # of one class that is added, removed, renamed or moved; the rest is told by the class alone


class Survey:
    """Fragments of a change with their definitions matched.

    ``pairs`` holds every definition that exists on both sides, changed or not, and those that were added or removed,
    with the methods of added and removed classes; functions inside an added function are part of it.
    """

    def __init__(self, fragments: Sequence[Fragment]) -> None:
        self.fragments = fragments
        self.families = {id(fragment): Family(Children(fragment.old), Children(fragment.new)) for fragment in fragments}
        self._owners: dict[int, LineOwners] = {}
        for fragment in fragments:
            if fragment.old is not None:
                self._owners[id(fragment.old)] = LineOwners(fragment.old, fragment.removed_lines)
            if fragment.new is not None:
                self._owners[id(fragment.new)] = LineOwners(fragment.new, fragment.added_lines)
        self.pairs = self._match()
        self.listed = {
            id(located.definition) for pair in self.pairs for located in (pair.old, pair.new) if located is not None
        }
        self.names = NameMap(_new_names(self.pairs, fragments))

    def owners(self, side: Side) -> LineOwners:
        return self._owners[id(side)]

    def children(self, located: Located) -> Sequence[Definition]:
        """Definitions right inside another."""
        family = self.families[id(located.fragment)]
        side = family.new if located.side is located.fragment.new else family.old
        return side.of(located.definition)

    def changed_lines(self, located: Located | None) -> list[int]:
        """Changed lines of a definition and of those inside it that are not listed themselves."""
        if located is None:
            return []
        owners = self.owners(located.side)
        lines = list(owners.lines_of(located.definition))
        pending = [child for child in self.children(located) if id(child) not in self.listed]
        while pending:
            child = pending.pop()
            lines.extend(owners.lines_of(child))
            pending.extend(self.children(Located(child, located.side, located.fragment)))
        return sorted(lines)

    def _match(self) -> list[Pair]:
        matching = Matching()
        for fragment in self.fragments:
            match_fragment(fragment, self.families[id(fragment)], matching)
        bodies = Bodies()
        old, new = self._match_bodies(matching, matching.old, matching.new, bodies)
        members = [member for loose in old for member in self._members(loose)]
        fresh = [member for loose in new for member in self._members(loose)]
        old, new = self._match_bodies(matching, [*old, *members], [*new, *fresh], bodies)
        carried = Renames((), [loose for loose in new if self._stands_alone(loose)], bodies, self.children)
        rewritten = [pair for pair in matching.pairs if self._is_edited(pair)]
        kept_on = [Pair(pair.old, loose.located) for pair, loose in carried.carried_on(rewritten)]
        taken = {id(pair.new.definition) for pair in kept_on if pair.new is not None}
        gone = [loose for loose in old if self._stands_alone(loose)]
        added = [loose for loose in new if self._stands_alone(loose) and id(loose.located.definition) not in taken]
        return [
            *matching.pairs,
            *kept_on,
            *(Pair(loose.located, None) for loose in gone),
            *(Pair(None, loose.located) for loose in added),
        ]

    def _match_bodies(
        self, matching: Matching, old: Iterable[Loose], new: Iterable[Loose], bodies: Bodies
    ) -> tuple[list[Loose], list[Loose]]:
        """Matches by body, and by name below each match, until nothing more is found; what stays alone is returned."""
        left, right = list(old), list(new)
        while left and right:
            matching.old, matching.new = [], []
            renames = Renames(left, right, bodies, self.children)
            found = list(renames.match())
            for before, after in found:
                pair = Pair(before.located, after.located)
                matching.pairs.append(pair)
                match_members(pair, self.families, matching)
            taken = {id(loose.located.definition) for match in found for loose in match}
            left = [*_without_inner(renames.old, taken), *matching.old]
            right = [*_without_inner(renames.new, taken), *matching.new]
            if not found:
                break
        return left, right

    def _members(self, loose: Loose) -> Iterator[Loose]:
        """Methods and classes of a class, as many as are listed; nothing of functions."""
        located = loose.located
        if located.definition.kind is not DefinitionKind.CLASS:
            return
        kept = [child for child in self.children(located) if child.kind is not DefinitionKind.VARIABLE]
        for child in kept[:MAX_MEMBERS]:
            yield Loose(Located(child, located.side, located.fragment), None)

    def _stands_alone(self, loose: Loose) -> bool:
        """Is it really added or removed? A name on an unchanged line exists on both sides."""
        located = loose.located
        fragment, line = located.fragment, located.definition.name_line
        if fragment.old is None or fragment.new is None:
            return True
        if located.side is fragment.old:
            return any(block.old_start <= line < block.old_end for block in fragment.blocks)
        return any(block.new_start <= line < block.new_end for block in fragment.blocks)

    def _is_edited(self, pair: Pair) -> bool:
        return pair.new is not None and (
            bool(self.owners(pair.new.side).lines_of(pair.new.definition))
            or (pair.old is not None and bool(self.owners(pair.old.side).lines_of(pair.old.definition)))
        )


def _without_inner(loose: Iterable[Loose], taken: set[int]) -> list[Loose]:
    """Members of a class that has since been matched are matched below it, by name."""
    return [item for item in loose if id(item.located.definition.outer) not in taken]


def _new_names(pairs: Iterable[Pair], fragments: Iterable[Fragment]) -> dict[str, str]:
    """Old names to new ones, of renamed definitions and of the modules of renamed files; the first of rivals wins."""
    names: dict[str, str] = {}
    for pair in pairs:
        if pair.old is not None and pair.new is not None and pair.old.definition.name != pair.new.definition.name:
            names.setdefault(pair.old.definition.name, pair.new.definition.name)
    for fragment in fragments:
        if fragment.old is not None and fragment.new is not None and fragment.old.module != fragment.new.module:
            old, new = fragment.old.module.rpartition(".")[2], fragment.new.module.rpartition(".")[2]
            if old != new:
                names.setdefault(old, new)
    return names
