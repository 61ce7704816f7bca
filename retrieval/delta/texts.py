"""The source of each changed definition on both sides, cut out by the lines the delta names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from retrieval.change.sides import FileSides
from retrieval.models import Delta
from retrieval.symbols import module_of


class ChangedText(NamedTuple):
    """Source of a changed definition on both sides; null where it does not exist or is not known."""

    old: str | None
    new: str | None


def changed_texts(delta: Delta, sides: Sequence[FileSides]) -> Mapping[str, ChangedText]:
    """Symbol → its text, for definitions of files whose both sides are known; the first of a symbol defined twice."""
    known = [side for side in sides if side.complete]
    new = {side.file.path: _lines(side.new) for side in known}
    old = {module_of(side.file.base_path): _lines(side.old) for side in known}
    found: dict[str, ChangedText] = {}
    for change in delta.definitions:
        before = old.get(change.old_module or module_of(change.path))
        after = new.get(change.path)
        if before is not None or after is not None:
            text = ChangedText(_cut(before or [], change.old_lines), _cut(after or [], change.new_lines))
            found.setdefault(change.symbol, text)
    return found


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").split("\n")


def _cut(lines: list[str], span: tuple[int, int] | None) -> str | None:
    return None if span is None or not lines else "\n".join(lines[span[0] - 1 : span[1]])
