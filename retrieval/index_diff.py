"""What two revisions of one downstream tree hold of upstream, compared: couplings gained, lost and moved.

A coupling is known by kind, path, scope and upstream symbol: on another line it is the same one, under another path it
has moved. Facts alone decide, without upstream sources. Two things follow: a method counts as `override` when its class
derives from an upstream class, whether or not that class has the method; and forks, which are a matter of two source
texts, are left out. Only files whose content differs are compared, each resolved within its own revision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from retrieval.coupling.lookup import FactLookup
from retrieval.index import Index
from retrieval.models import MODULE_SCOPE, EvidenceKind
from retrieval.source_tree import TreeFile
from retrieval.upstream_names import UpstreamNames, is_test

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


Key = tuple[EvidenceKind, str, str, str]


class Held(NamedTuple):
    """One coupling of one revision; ``lines`` play no part in comparing."""

    kind: EvidenceKind
    path: str
    scope: str
    symbol: str
    lines: tuple[int, ...]

    @property
    def essence(self) -> tuple[EvidenceKind, str, str]:
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
    gained, lost, moved = compare(before, after, gone=frozenset(files.deleted))
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
    old: Iterable[Held], new: Iterable[Held], *, gone: Collection[str] = ()
) -> tuple[tuple[Held, ...], tuple[Held, ...], tuple[Moved, ...]]:
    """(gained, lost, moved). ``gone`` are the paths that the new revision no longer has."""
    before, after = ({held[:4]: held for held in side} for side in (old, new))
    lost = [held for key, held in before.items() if key not in after]
    gained = [held for key, held in after.items() if key not in before]
    pairs = _moves(lost, gained, gone)
    left, arrived = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    return (
        tuple(held for held in gained if held not in arrived),
        tuple(held for held in lost if held not in left),
        tuple(sorted((Moved(one.path, other) for one, other in pairs), key=_move_order)),
    )


def _moves(lost: Sequence[Held], gained: Sequence[Held], gone: Collection[str]) -> Sequence[tuple[Held, Held]]:
    """Pairs of a lost and a gained coupling with the same essence, between the files that share most first.

    At module level an essence is next to nothing (``import torch.nn``): such couplings move only along with a
    definition, or with a deleted file of whose couplings at least half arrive at the other.
    """
    arriving: dict[tuple[EvidenceKind, str, str], list[Held]] = {}
    for held in gained:
        arriving.setdefault(held.essence, []).append(held)
    between: dict[tuple[str, str], list[tuple[Held, Held]]] = {}
    for held in lost:
        for other in arriving.get(held.essence, ()):
            between.setdefault((held.path, other.path), []).append((held, other))
    lost_by = Counter(held.path for held in lost)
    taken: set[Held] = set()
    found: list[tuple[Held, Held]] = []
    for (path, _), pairs in sorted(between.items(), key=lambda item: (-len(item[1]), item[0])):
        free = [pair for pair in pairs if not taken.intersection(pair)]
        whole = path in gone and len(free) >= _HALF * lost_by[path]
        if not whole and all(one.scope == MODULE_SCOPE for one, _ in free):
            continue
        found += free
        taken.update(held for pair in free for held in pair)
    return found


def _move_order(move: Moved) -> tuple[object, ...]:
    kind, of_test, path, *rest = _order(move.held)
    return kind, of_test, path, move.old_path, *rest


def _order(held: Held) -> tuple[object, ...]:
    """By kind, product code before tests, then by place."""
    return COMPARED.index(held.kind), is_test(held.path), held.path, held.lines, held.scope, held.symbol
