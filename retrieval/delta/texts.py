"""The source of each changed definition on both sides, cut out by the lines the delta names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from retrieval.change.sides import FileSides
from retrieval.models import Delta


class ChangedText(NamedTuple):
    """Source of a changed definition on both sides; null where it does not exist or is not known."""

    old: str | None
    new: str | None


def changed_texts(delta: Delta, sides: Sequence[FileSides]) -> Mapping[str, ChangedText]:
    """Symbol → its text, for definitions of files whose both sides are known; the first of a symbol defined twice."""
    lines = {side.file.path: (_lines(side.old), _lines(side.new)) for side in sides if side.complete}
    found: dict[str, ChangedText] = {}
    for change in delta.definitions:
        if change.path in lines:
            old, new = lines[change.path]
            found.setdefault(change.symbol, ChangedText(_cut(old, change.old_lines), _cut(new, change.new_lines)))
    return found


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").split("\n")


def _cut(lines: list[str], span: tuple[int, int] | None) -> str | None:
    return None if span is None or not lines else "\n".join(lines[span[0] - 1 : span[1]])
