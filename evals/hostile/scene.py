"""What a hostile writer works with: one ledger, read place by place, and names of the trees that lie elsewhere.

A ``Place`` is one coupling of one downstream scope. Its ``target`` is what the cited line really holds: of an item
about a changed method that only uses the class around it, the class. Couplings whose object nobody could resolve, and
those of shared words alone, state nothing that is surely true and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from retrieval.models import (
    MODULE_SCOPE,
    CouplingDetail,
    Delta,
    EvidenceItem,
    EvidenceKind,
    FurtherCoupling,
    Ledger,
    Relation,
    UpstreamChange,
)

_NOTHING_SURE = frozenset({Relation.SAME_NAME, Relation.AKIN, Relation.ABOUT, Relation.HEIR, Relation.REPLACEMENT})


@dataclass(frozen=True, slots=True)
class Place:
    """``id`` is how a draft cites it: ``E3``, or ``E3.2`` for a further coupling of that scope."""

    id: str
    kind: EvidenceKind
    relation: Relation
    path: str
    scope: str
    lines: tuple[int, ...]
    token: str
    symbol: str
    target: str
    detail: CouplingDetail
    alone: bool  # the scope has no other coupling, so that its numbers are those of this one

    @property
    def home(self) -> str:
        """The item that the place belongs to."""
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Pool:
    """Real names that a liar can borrow: paths of both trees, and tests of other changes (``path::case`` or paths)."""

    downstream_paths: tuple[str, ...]
    upstream_paths: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """One change with its ledger. ``flags`` are the label values of the draft by field name."""

    change: UpstreamChange
    delta: Delta
    ledger: Ledger
    flags: Mapping[str, str]
    pool: Pool

    @cached_property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for item in self.ledger.items for place in _places(item))

    @cached_property
    def definitions(self) -> tuple[str, ...]:
        """Dotted names of changed definitions, old names included."""
        return tuple(
            dict.fromkeys(name for one in self.delta.definitions for name in (one.symbol, one.old_symbol)),
        )

    @cached_property
    def change_paths(self) -> frozenset[str]:
        own = {path for file in self.change.files for path in (file.path, file.base_path)}
        return frozenset(own | set(self.change.other_paths))

    @cached_property
    def own_tests(self) -> frozenset[str]:
        """Test files and cases of the change."""
        paths = {path for path in self.change_paths if "test" in path}
        cases = {f"{test.path}::{test.scope.replace('.', '::')}" for test in self.delta.tests}
        return frozenset(paths | cases)


def _places(item: EvidenceItem) -> Iterator[Place]:
    couplings: list[EvidenceItem | FurtherCoupling] = [item, *item.further]
    for number, one in enumerate(couplings, 1):
        target = _target(one)
        if one.relation in _NOTHING_SURE or not target:
            continue
        yield Place(
            id=item.id if number == 1 else f"{item.id}.{number}",
            kind=one.kind,
            relation=one.relation,
            path=item.path,
            scope=item.scope,
            lines=one.lines,
            token=one.token,
            symbol=one.symbol,
            target=target,
            detail=one.detail,
            alone=len(couplings) == 1,
        )


def _target(one: EvidenceItem | FurtherCoupling) -> str:
    """The symbol as far as the cited line names it; empty when the line names something else."""
    if one.kind is EvidenceKind.SUBCLASS:
        return one.detail.base or ""
    parts = one.symbol.split(".")
    if one.token in parts:
        return ".".join(parts[: len(parts) - parts[::-1].index(one.token)])
    return one.symbol if one.relation in (Relation.SAME_SYMBOL, Relation.SAME_OPERATOR) else ""


def last(name: str) -> str:
    """``spin`` of ``torch._mill.gears.spin``."""
    return name.rpartition(".")[2]


def is_module(scope: str) -> bool:
    return scope == MODULE_SCOPE
