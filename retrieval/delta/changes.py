"""From a matched definition to what is said about it: kind, nature, signature changes, names touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.definitions import Header, Token
from retrieval.delta.devices import device_of_lines, device_of_name
from retrieval.delta.fragments import Side, is_method
from retrieval.delta.matching import MAX_MEMBERS, Survey
from retrieval.delta.natures import COSMETIC, difference
from retrieval.delta.operators import FragmentOperators
from retrieval.delta.pairing import Located, Pair
from retrieval.delta.path_kinds import device_of_path, nature_of_path
from retrieval.delta.signatures import compare_signatures
from retrieval.delta.touched import NameResolver, by_rarity, names_on, telling_lines
from retrieval.models import ChangeKind, DefinitionChange, DefinitionKind, Nature, SignatureChange

_PLACED = (ChangeKind.RENAMED, ChangeKind.MOVED)
_BY_PATH = (Nature.TEST, Nature.DOCS, Nature.BUILD)
_BODIES = (DefinitionKind.FUNCTION, DefinitionKind.METHOD, DefinitionKind.CLASS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happened to one pair: the value for the reader, and what only this package needs of it."""

    pair: Pair
    change: DefinitionChange
    device: str | None


class Describer:
    """Describes the pairs of one survey. Pairs that did not change are passed over."""

    def __init__(self, survey: Survey, operators: dict[int, FragmentOperators]) -> None:
        self._survey = survey
        self._operators = operators
        self._resolvers: dict[int, NameResolver] = {}
        self._kinds: dict[int, ChangeKind] = {}  # by id of the new definition: what happened to what is around
        self._members: Counter[int] = Counter()

    def verdicts(self) -> tuple[Verdict, ...]:
        """One per changed definition, in the order of the pairs."""
        found = [verdict for pair in self._survey.pairs if (verdict := self._verdict(pair)) is not None]
        names = [self._names(verdict) for verdict in found]
        uses = Counter(name for listed in names for name in listed)
        own = frozenset(name for verdict in found for name in (verdict.change.name, verdict.change.old_name))
        return tuple(
            Verdict(
                verdict.pair,
                verdict.change.model_copy(update={"touched": by_rarity(listed, uses, own)}),
                verdict.device,
            )
            for verdict, listed in zip(found, names, strict=True)
        )

    def _verdict(self, pair: Pair) -> Verdict | None:
        removed, added = self._survey.changed_lines(pair.old), self._survey.changed_lines(pair.new)
        if pair.old is None or pair.new is None:
            kind = ChangeKind.ADDED if pair.old is None else ChangeKind.REMOVED
            return self._told(pair, kind, _nature_alone(pair.head), (), removed, added)
        same_place = _symbol(pair.old) == _symbol(pair.new)
        if not removed and not added and not self._members_changed(pair):
            if same_place or not self._is_worth_a_line(pair):
                return None
            kind = self._placed(pair.old, pair.new)
            return self._told(pair, kind, Nature.RENAME, (), removed, added)
        nature = self._nature(pair.old, pair.new, removed, added)
        if same_place and nature in COSMETIC and not removed and not added:
            return None
        signature = self._signature(pair.old, pair.new, nature)
        if not same_place:
            kind = self._placed(pair.old, pair.new)
            nature = Nature.RENAME if nature in COSMETIC else nature
        elif signature:
            kind = ChangeKind.RESIGNED
        else:
            kind = ChangeKind.REFORMATTED if nature in COSMETIC else ChangeKind.REWRITTEN
        return self._told(pair, kind, nature, signature, removed, added)

    def _told(
        self,
        pair: Pair,
        kind: ChangeKind,
        nature: Nature,
        signature_changes: tuple[SignatureChange, ...],
        removed: list[int],
        added: list[int],
    ) -> Verdict:
        head = pair.head
        definition, side = head.definition, head.side
        self._kinds[id(definition)] = kind
        header = definition.header() if side.shows(definition) else Header()
        was = (
            pair.old.definition.header() if pair.old is not None and pair.old.side.shows(pair.old.definition) else None
        )
        nature, device = self._place(pair, nature, removed, added)
        elsewhere = pair.old is not None and _symbol(pair.old) != _symbol(head)
        change = DefinitionChange(
            kind=kind,
            definition=_kind_of(head),
            language=side.source.language,
            nature=nature,
            path=side.path,
            module=side.module,
            qualname=definition.qualname,
            old_module=pair.old.side.module if elsewhere and pair.old is not None else None,
            old_qualname=pair.old.definition.qualname if elsewhere and pair.old is not None else None,
            old_lines=pair.old.side.file_lines(pair.old.definition) if pair.old is not None else None,
            new_lines=pair.new.side.file_lines(pair.new.definition) if pair.new is not None else None,
            signature=header.signature if pair.new is not None else None,
            old_signature=was.signature if was is not None else None,
            parameters=header.parameters,
            signature_changes=signature_changes,
            operators=self._operators[id(head.fragment)].registered_by(definition, side),
            bases=header.bases,
            added=len(added),
            removed=len(removed),
        )
        return Verdict(pair, change, device)

    def _place(self, pair: Pair, nature: Nature, removed: list[int], added: list[int]) -> tuple[Nature, str | None]:
        """The nature as the path, the name and the branches around the changed lines have it."""
        head = pair.head
        by_path = nature_of_path(head.side.path)
        if by_path in _BY_PATH:
            return by_path, None
        if nature not in (Nature.CODE, Nature.LOGGING):
            return nature, None
        device = device_of_path(head.side.path) or device_of_name(head.definition)
        if device is None:
            found = {
                device_of_lines(located.definition, lines)
                for located, lines in ((pair.old, removed), (pair.new, added))
                if located is not None and lines
            }
            device = found.pop() if len(found) == 1 else None
        return (nature, None) if device is None else (Nature.DEVICE, device)

    def _nature(self, old: Located, new: Located, removed: list[int], added: list[int]) -> Nature:
        nature = difference(self._own_tokens(old), self._own_tokens(new), self._survey.names)
        if nature is Nature.FORMAT and (_has_comment(old, removed) or _has_comment(new, added)):
            return Nature.COMMENT  # above the definition, where its tokens do not reach
        return nature

    def _own_tokens(self, located: Located) -> list[Token]:
        """Tokens without those of functions and classes inside, which are told on their own."""
        node_ids = {
            child.whole.id
            for child in self._survey.children(located)
            if child.kind in _BODIES and id(child) in self._survey.listed
        }
        return located.definition.tokens(node_ids)

    def _signature(self, old: Located, new: Located, nature: Nature) -> tuple[SignatureChange, ...]:
        if nature in COSMETIC or not (old.side.shows(old.definition) and new.side.shows(new.definition)):
            return ()
        before, after = old.definition.header(), new.definition.header()
        if before.signature is None or after.signature is None or before.signature == after.signature:
            return ()
        return compare_signatures(before, after, new.side.source.language)

    def _members_changed(self, pair: Pair) -> bool:
        """Did the variables of a class change? They are part of it as well as definitions of their own."""
        return any(
            bool(self._survey.owners(located.side).lines_of(child))
            for located in (pair.old, pair.new)
            if located is not None and located.definition.kind is DefinitionKind.CLASS
            for child in self._survey.children(located)
            if child.kind is DefinitionKind.VARIABLE
        )

    def _is_worth_a_line(self, pair: Pair) -> bool:
        """An untouched definition under a new name or place: told at the margin, and as a member up to a number."""
        definition = pair.head.definition
        if definition.outer is None:
            return True
        if definition.outer.kind is not DefinitionKind.CLASS or definition.kind is DefinitionKind.VARIABLE:
            return False
        self._members[id(definition.outer)] += 1
        return id(definition.outer) in self._kinds and self._members[id(definition.outer)] <= MAX_MEMBERS

    def _placed(self, old: Located, new: Located) -> ChangeKind:
        if old.definition.name != new.definition.name:
            return ChangeKind.RENAMED
        outer = new.definition.outer
        renamed = outer is not None and self._kinds.get(id(outer)) is ChangeKind.RENAMED
        return ChangeKind.RENAMED if renamed else ChangeKind.MOVED

    def _names(self, verdict: Verdict) -> list[str]:
        change, pair = verdict.change, verdict.pair
        if change.kind is ChangeKind.REFORMATTED or change.nature in (Nature.TEST, Nature.DOCS, Nature.RENAME):
            return []
        old, new = pair.old, pair.new
        removed, added = telling_lines(
            old.side if old is not None else None,
            self._survey.changed_lines(old),
            new.side if new is not None else None,
            self._survey.changed_lines(new),
        )
        return [
            name
            for located, lines in ((new, added), (old, removed))
            if located is not None
            for name in names_on(located.side, located.definition, lines, self._resolver(located.side))
        ]

    def _resolver(self, side: Side) -> NameResolver:
        if id(side) not in self._resolvers:
            self._resolvers[id(side)] = NameResolver(side)
        return self._resolvers[id(side)]


def changed_bodies(verdicts: Iterable[Verdict], survey: Survey) -> dict[int, ChangeKind]:
    """What happened to definitions, by id, with the functions around them.

    Left out is what changes no behaviour, and changes of decorators alone: those speak for themselves.
    """
    kinds: dict[int, ChangeKind] = {}
    for verdict in verdicts:
        change = verdict.change
        if change.kind is ChangeKind.REFORMATTED or (change.kind not in _PLACED and change.nature is Nature.RENAME):
            continue
        if change.kind is ChangeKind.REWRITTEN and _only_decorators(verdict.pair, survey):
            continue
        for located in (verdict.pair.old, verdict.pair.new):
            if located is None:
                continue
            kinds[id(located.definition)] = change.kind
            outer = located.definition.outer
            while outer is not None:
                kinds.setdefault(id(outer), ChangeKind.REWRITTEN)
                outer = outer.outer
    return kinds


def _only_decorators(pair: Pair, survey: Survey) -> bool:
    """Do all changed lines stand above the ``def``?"""
    return all(
        line <= located.definition.node.start_point[0]
        for located in (pair.old, pair.new)
        if located is not None
        for line in survey.changed_lines(located)
    )


def _symbol(located: Located) -> tuple[str, str]:
    return located.side.module, located.definition.qualname


def _kind_of(located: Located) -> DefinitionKind:
    """In a hunk the class around may be out of sight; ``self`` gives a method away."""
    definition = located.definition
    if located.fragment.complete or definition.kind is not DefinitionKind.FUNCTION or definition.outer is not None:
        return definition.kind
    return DefinitionKind.METHOD if is_method(definition) else definition.kind


def _nature_alone(located: Located) -> Nature:
    """The nature of something added or removed as a whole."""
    definition = located.definition
    if any(text.split("(")[0].rpartition(".")[2] == "overload" for text in definition.decorators):
        return Nature.TYPING
    if definition.kind is DefinitionKind.VARIABLE:
        value = definition.header().value or ""
        head = value.split("(")[0].rpartition(".")[2]
        if head in ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType") or definition.header().annotation == "TypeAlias":
            return Nature.TYPING
        if head in ("getLogger", "getArtifactLogger"):
            return Nature.LOGGING
    return Nature.CODE


def _has_comment(located: Located, lines: Iterable[int]) -> bool:
    return any(located.side.line(line).strip().startswith((b"#", b"//", b"/*", b"*")) for line in lines)
