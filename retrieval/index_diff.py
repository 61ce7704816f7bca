"""What two revisions of one downstream tree hold of upstream, compared: couplings gained, lost and moved.

A coupling is known by kind, path, scope and upstream symbol: on another line it is the same one, under another path it
has moved. Facts alone decide, without upstream sources. Two things follow: a method counts as `override` when its class
derives from an upstream class, whether or not that class has the method; and forks, which are a matter of two source
texts, are left out. Only files whose content differs are compared, each resolved within its own revision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from retrieval.coupling.lookup import FactLookup
from retrieval.delta.path_kinds import is_test_path
from retrieval.index import Index
from retrieval.models import MODULE_SCOPE, EvidenceKind
from retrieval.renamed_files import renamed_files
from retrieval.source_tree import TreeFile
from retrieval.upstream_names import UpstreamNames

COMPARED = (
    EvidenceKind.PATCH,
    EvidenceKind.OVERRIDE,
    EvidenceKind.REGISTRATION,
    EvidenceKind.SUBCLASS,
    EvidenceKind.REFERENCE,
    EvidenceKind.IMPORT,
    EvidenceKind.CONFIG,
)

_HALF = 0.5
_MOST_HOLDERS = 50  # of one essence on both sides, up to which it tells files apart

Key = tuple[EvidenceKind, str, str, str]
Essence = tuple[EvidenceKind, str, str]


class Held(NamedTuple):
    """One coupling of one revision; ``lines`` play no part in comparing."""

    kind: EvidenceKind
    path: str
    scope: str
    symbol: str
    lines: tuple[int, ...]

    @property
    def essence(self) -> Essence:
        """What stays when the code moves to another file."""
        return self.kind, self.scope, self.symbol


class Moved(NamedTuple):
    old_path: str
    held: Held  # as the new revision has it


class FileChanges(NamedTuple):
    """Paths by what happened to them; a renamed file is deleted and added."""

    added: tuple[str, ...]
    deleted: tuple[str, ...]
    modified: tuple[str, ...]
    same: int


class IndexDiff(NamedTuple):
    files: FileChanges
    gained: tuple[Held, ...]
    lost: tuple[Held, ...]
    moved: tuple[Moved, ...]


def diff_indexes(old: Index, new: Index) -> IndexDiff:
    files = file_changes(old.files, new.files)
    before = couplings_in((*files.deleted, *files.modified), old)
    after = couplings_in((*files.added, *files.modified), new)
    blobs_before, blobs_after = dict(old.files), dict(new.files)
    renamed = renamed_files(
        {path: blobs_before[path] for path in files.deleted}, {path: blobs_after[path] for path in files.added}
    )
    gained, lost, moved = compare(before, after, gone=frozenset(files.deleted), renamed=renamed)
    return IndexDiff(files, gained, lost, moved)


def file_changes(old: Iterable[TreeFile], new: Iterable[TreeFile]) -> FileChanges:
    before, after = dict(old), dict(new)
    both = before.keys() & after.keys()
    modified = tuple(sorted(path for path in both if before[path] != after[path]))
    return FileChanges(
        added=tuple(sorted(after.keys() - both)),
        deleted=tuple(sorted(before.keys() - both)),
        modified=modified,
        same=len(both) - len(modified),
    )


def couplings_in(paths: Iterable[str], lookup: FactLookup) -> Sequence[Held]:
    """What files of a tree hold of upstream, each once with all its lines, by kind and place.

    Facts of ``torch.compiler.disable`` refer to ``torch.compiler`` as well, and a base class or patched name is a
    reference too. Where that is all there is to a coupling, it is left out.
    """
    names = UpstreamNames(lookup)
    lines: dict[Key, set[int]] = {}
    for located in lookup.inside(paths, *COMPARED):
        symbol = names.of(located)
        if symbol is not None:
            key = (located.fact.kind, located.path, located.fact.scope, symbol)
            lines.setdefault(key, set()).update(located.fact.lines)
    for (kind, path, scope, symbol), found in list(lines.items()):
        weaker = [(kind, path, scope, holder) for holder in _prefixes(symbol)]
        if kind is not EvidenceKind.REFERENCE:
            weaker.append((EvidenceKind.REFERENCE, path, scope, symbol))
        for key in weaker:
            lines.get(key, set()).difference_update(found)
    return sorted((Held(*key, tuple(sorted(found))) for key, found in lines.items() if found), key=_order)


def _prefixes(symbol: str) -> Iterator[str]:
    joint = "::" if "::" in symbol else "."
    while symbol := symbol.rpartition(joint)[0]:
        yield symbol


def compare(
    old: Iterable[Held], new: Iterable[Held], *, gone: Collection[str] = (), renamed: Mapping[str, str] | None = None
) -> tuple[tuple[Held, ...], tuple[Held, ...], tuple[Moved, ...]]:
    """(gained, lost, moved), each by kind and place; between the files that share most couplings move first.

    ``gone`` are the paths that the new revision no longer has; ``renamed`` says of some under which they may go on.
    """
    before, after = ({held[:4]: held for held in side} for side in (old, new))
    lost = [held for key, held in before.items() if key not in after]
    gained = [held for key, held in after.items() if key not in before]
    moving = _Moving(lost, gained, gone)
    likely = frozenset((renamed or {}).items())
    between = Counter((held.path, other.path) for held, other in telling_pairs(lost, gained))
    for pair in likely:
        between[pair] = len(moving.shared(*pair))
    for pair in sorted(between, key=lambda pair: (-between[pair], pair not in likely, pair)):
        moving.move(*pair)
    return (
        tuple(sorted(moving.gained, key=_order)),
        tuple(sorted(moving.lost, key=_order)),
        tuple(sorted((Moved(one.path, held) for one, held in moving.pairs), key=_move_order)),
    )


def telling_pairs(lost: Iterable[Held], gained: Iterable[Held]) -> Iterator[tuple[Held, Held]]:
    """Pairs of a lost and a gained coupling with the same essence: the votes for which files belong together.

    An essence that many have on both sides (``import torch``) says nothing, and would make as many pairs as the product
    of both numbers. Without those there are at most `_MOST_HOLDERS` times as many pairs as couplings.
    """
    leaving, arriving = _by_essence(lost), _by_essence(gained)
    for essence, holders in leaving.items():
        others = arriving.get(essence, ())
        if min(len(holders), len(others)) <= _MOST_HOLDERS:
            yield from product(holders, others)


def _by_essence(couplings: Iterable[Held]) -> Mapping[Essence, Sequence[Held]]:
    found: dict[Essence, list[Held]] = {}
    for held in couplings:
        found.setdefault(held.essence, []).append(held)
    return found


class _Moving:
    """Couplings lost and gained, of which those that move are taken away file by file."""

    def __init__(self, lost: Iterable[Held], gained: Iterable[Held], gone: Collection[str]) -> None:
        self.pairs: list[tuple[Held, Held]] = []
        self._gone = gone
        self._lost, self._gained = _by_path(lost), _by_path(gained)
        self._lost_by = {path: len(held) for path, held in self._lost.items()}

    @property
    def lost(self) -> Iterator[Held]:
        return (held for found in self._lost.values() for held in found.values())

    @property
    def gained(self) -> Iterator[Held]:
        return (held for found in self._gained.values() for held in found.values())

    def shared(self, path: str, other: str) -> Sequence[Essence]:
        """Essences of couplings that left one path and arrived at the other, as far as they have not moved yet."""
        arriving = self._gained.get(other, {})
        return [essence for essence in self._lost.get(path, {}) if essence in arriving]

    def move(self, path: str, other: str) -> None:
        """Move what both paths share.

        At module level an essence is next to nothing (``import torch.nn``): such couplings move only along with a
        definition, or with a deleted file of whose couplings at least half arrive at the other.
        """
        shared = self.shared(path, other)
        whole = path in self._gone and len(shared) >= _HALF * self._lost_by.get(path, 0)
        if whole or any(scope != MODULE_SCOPE for _, scope, _ in shared):
            self.pairs += ((self._lost[path].pop(one), self._gained[other].pop(one)) for one in shared)


def _by_path(couplings: Iterable[Held]) -> dict[str, dict[Essence, Held]]:
    """In one file an essence is one coupling."""
    found: dict[str, dict[Essence, Held]] = {}
    for held in couplings:
        found.setdefault(held.path, {})[held.essence] = held
    return found


def _move_order(move: Moved) -> tuple[object, ...]:
    kind, of_test, path, *rest = _order(move.held)
    return kind, of_test, path, move.old_path, *rest


def _order(held: Held) -> tuple[object, ...]:
    """By kind, product code before tests, then by place."""
    return COMPARED.index(held.kind), is_test_path(held.path), held.path, held.lines, held.scope, held.symbol
