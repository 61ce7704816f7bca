"""Operators whose registration a change adds, removes or edits, or whose registered body it rewrites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from retrieval.cpp_registrations import cpp_registrations
from retrieval.definitions import Definition
from retrieval.delta.fragments import Fragment, Side, statements_touching, touches
from retrieval.models import MODULE_SCOPE, ChangedFile, ChangeKind, Language, OperatorChange, OperatorRole
from retrieval.registrations import OperatorNames, Registration, listed_in, lists_operators, registrations_in

_SCHEMAS = "native_functions.yaml"
_SCHEMA = re.compile(r"- func: (?:(?P<namespace>\w+)::)?(?P<name>\w+)")


class FragmentOperators:
    """Registrations near the changed lines of a fragment, on both sides."""

    def __init__(self, fragment: Fragment) -> None:
        self._fragment = fragment
        self.old = tuple(_registrations(fragment.old, [(b.old_start, b.old_end) for b in fragment.blocks]))
        self.new = tuple(_registrations(fragment.new, [(b.new_start, b.new_end) for b in fragment.blocks]))
        self._bodies: dict[int, Definition | None] = {}
        for listed, side in ((self.old, fragment.old), (self.new, fragment.new)):
            if listed and side is not None:
                self._bodies.update(_bodies(listed, side))

    def registered_by(self, definition: Definition, side: Side) -> tuple[str, ...]:
        """Operators that a definition, or a function around it, is registered for."""
        if not self._bodies:
            return ()
        around = {id(definition)}
        while definition.outer is not None:
            definition = definition.outer
            around.add(id(definition))
        listed = self.new if side is self._fragment.new else self.old
        return tuple(dict.fromkeys(item.operator for item in listed if id(self._bodies[id(item)]) in around))

    def changes(self, kinds: Mapping[int, ChangeKind]) -> Iterator[OperatorChange]:
        """``kinds`` says what happened to the definitions of this fragment, by id; cosmetic changes left out."""
        before, after = _by_key(self.old), _by_key(self.new)
        for key in dict.fromkeys([*after, *before]):
            olds, news = before.get(key, []), after.get(key, [])
            kind = _kind(olds, news, self._body_kinds(olds, news, kinds))
            side = self._fragment.new if news else self._fragment.old
            if kind is not None and side is not None:
                operator, role = key
                item = (news or olds)[0]
                body = self._bodies[id(item)]
                qualname = body.qualname if body is not None else _around(item, side)
                yield OperatorChange(operator=operator, role=role, kind=kind, path=side.path, qualname=qualname)

    def _body_kinds(
        self, olds: Sequence[Registration], news: Sequence[Registration], kinds: Mapping[int, ChangeKind]
    ) -> list[ChangeKind]:
        bodies = [self._bodies[id(item)] for item in (*olds, *news)]
        return [kinds[id(body)] for body in bodies if body is not None and id(body) in kinds]


def schema_changes(file: ChangedFile) -> Iterator[OperatorChange]:
    """Operators whose entry in ``native_functions.yaml`` a change touches, as far as the hunks show its name."""
    if not file.path.endswith(_SCHEMAS):
        return
    names: dict[str, set[str]] = {}
    for hunk in file.hunks:
        current = _schema_name(hunk.section)
        for line in hunk.lines:
            mark, named = line[:1], _schema_name(line[1:])
            current = named or current
            if mark in "+-" and current is not None and line[1:].strip():
                names.setdefault(current, set()).add(mark if named else " ")
    for operator, marks in names.items():
        kind = {frozenset("+"): ChangeKind.ADDED, frozenset("-"): ChangeKind.REMOVED}
        whole = frozenset(marks - {" "})
        yield OperatorChange(
            operator=operator,
            role=OperatorRole.SCHEMA,
            kind=kind.get(whole, ChangeKind.REWRITTEN),
            path=file.path,
            qualname=operator.rpartition(".")[2],
        )


def _schema_name(line: str) -> str | None:
    match = _SCHEMA.search(line)
    return f"{match['namespace'] or 'aten'}.{match['name']}" if match is not None else None


def _registrations(side: Side | None, ranges: Sequence[tuple[int, int]]) -> Iterable[Registration]:
    if side is None:
        return ()
    if side.source.language is Language.CPP:
        return cpp_registrations(side.source)
    names = OperatorNames(side.source)
    statements = list(statements_touching(side, ranges))
    lists = chain.from_iterable(
        listed_in(side.source, definition.name, definition.node, names)
        for definition in side.definitions
        if lists_operators(definition.name)
        and any(touches(definition.start_line, definition.end_line, *changed) for changed in ranges)
    )
    return chain(registrations_in(side.source, statements, names), lists)


def _by_key(items: Iterable[Registration]) -> dict[tuple[str, OperatorRole], list[Registration]]:
    grouped: dict[tuple[str, OperatorRole], list[Registration]] = {}
    for item in items:
        grouped.setdefault((item.operator, item.role), []).append(item)
    return grouped


def _kind(olds: Sequence[Registration], news: Sequence[Registration], bodies: list[ChangeKind]) -> ChangeKind | None:
    if not olds:
        return ChangeKind.ADDED
    if not news:
        return ChangeKind.REMOVED
    if bodies:
        kind = min(bodies, key=list(ChangeKind).index)
        # The registration stays: a body that is new or gone under it is a rewritten one.
        return ChangeKind.REWRITTEN if kind in (ChangeKind.ADDED, ChangeKind.REMOVED) else kind
    same = sorted(item.detail for item in olds) == sorted(item.detail for item in news)
    return None if same else ChangeKind.REWRITTEN


def _bodies(listed: Iterable[Registration], side: Side) -> Iterator[tuple[int, Definition | None]]:
    """The registered function of each, by id: the one the decorator stands on, else the outermost of that name."""
    by_name: dict[str, list[Definition]] = {}
    for definition in side.definitions:
        by_name.setdefault(definition.name, []).append(definition)
    for item in listed:
        named = by_name.get(item.body or "", [])
        decorated = [definition for definition in named if definition.start_line <= item.line <= definition.end_line]
        outermost = (definition for definition in named if definition.outer is None)
        yield id(item), decorated[-1] if decorated else next(outermost, None)


def _around(item: Registration, side: Side) -> str:
    """The definition that a registration without a function of its file stands in."""
    inside = [
        definition for definition in side.definitions if definition.start_line <= item.line <= definition.end_line
    ]
    return inside[-1].qualname if inside else MODULE_SCOPE
