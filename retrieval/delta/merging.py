"""One definition seen in several hunks is one change."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.delta.natures import strongest
from retrieval.delta.touched import MAX_TOUCHED
from retrieval.models import ChangeKind, DefinitionChange

_KINDS = list(ChangeKind)


def merged(changes: Iterable[DefinitionChange]) -> tuple[DefinitionChange, ...]:
    """Changes of one definition of one file joined; order of first appearance.

    Whole files give overloads as separate changes with signatures of their own; these stay apart.
    """
    found: dict[tuple[str | None, ...], DefinitionChange] = {}
    for change in changes:
        key = (change.path, change.qualname, change.old_qualname, change.old_module, *_overload(change))
        known = found.get(key)
        found[key] = change if known is None else _join(known, change)
    return tuple(found.values())


def _overload(change: DefinitionChange) -> tuple[str | None, str | None]:
    return change.signature, change.old_signature


def _join(first: DefinitionChange, second: DefinitionChange) -> DefinitionChange:
    kind = min(first.kind, second.kind, key=_KINDS.index)
    return first.model_copy(
        update={
            "kind": kind,
            "nature": strongest((first.nature, second.nature)),
            "old_lines": _span(first.old_lines, second.old_lines),
            "new_lines": _span(first.new_lines, second.new_lines),
            "signature_changes": tuple(dict.fromkeys((*first.signature_changes, *second.signature_changes))),
            "operators": tuple(dict.fromkeys((*first.operators, *second.operators))),
            "touched": tuple(dict.fromkeys((*first.touched, *second.touched)))[:MAX_TOUCHED],
            "added": first.added + second.added,
            "removed": first.removed + second.removed,
        }
    )


def _span(first: tuple[int, int] | None, second: tuple[int, int] | None) -> tuple[int, int] | None:
    if first is None or second is None:
        return first or second
    return min(first[0], second[0]), max(first[1], second[1])
