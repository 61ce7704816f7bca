"""The names a change could be recognised by downstream: what a search for words, however patient, can go by.

Names are last parts, so each is one word: a dotted spelling (``aten.expand``, ``torch._mill.gears``) holds its last
part as a whole word. Special methods (``__init__``) are left out, they stand in every class; the class around them is
among the holders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import PurePosixPath
from typing import NamedTuple

from retrieval.models import DefinitionChange, Delta


class NameSource(StrEnum):
    """Where in a change a name comes from; one that comes from several places counts as the first of them."""

    DEFINITION = "definition"  # changed definitions, new and old names
    OPERATOR = "operator"
    FLAG = "flag"
    HOLDER = "holder"  # classes and functions around changed definitions
    MODULE = "module"
    TOUCHED = "touched"  # names that changed lines use


class ChangeName(NamedTuple):
    """``files`` is the number of downstream files that hold the word."""

    word: str
    source: NameSource
    files: int


def change_names(delta: Delta, files_with: Callable[[str], int]) -> tuple[ChangeName, ...]:
    """All names of a change, each once, in the order of their sources."""
    found: dict[str, NameSource] = {}
    for source, words in _names(delta):
        for word in words:
            if word and not (word.startswith("__") and word.endswith("__")):
                found.setdefault(word, source)
    return tuple(ChangeName(word, source, files_with(word)) for word, source in found.items())


def _names(delta: Delta) -> Iterator[tuple[NameSource, Iterable[str]]]:
    definitions = delta.definitions
    yield NameSource.DEFINITION, [name for one in definitions for name in (one.name, one.old_name)]
    operators = [operator for one in definitions for operator in one.operators]
    yield NameSource.OPERATOR, map(_last, [*operators, *(one.operator for one in delta.operators)])
    yield NameSource.FLAG, [_last(one.flag) for one in delta.configs]
    yield NameSource.HOLDER, [name for one in definitions for name in _holders(one)]
    modules = [module for one in definitions for module in (one.module, one.old_module or one.module)]
    yield NameSource.MODULE, map(_last, [*modules, *delta.modules])
    yield NameSource.TOUCHED, [_last(name) for one in definitions for name in one.touched]


def _holders(change: DefinitionChange) -> list[str]:
    return [*change.qualname.split(".")[:-1], *(change.old_qualname or "").split(".")[:-1]]


def _last(name: str) -> str:
    """``gears`` of ``torch._mill.gears``, of ``torch/csrc/gears.h`` and of ``mill::gears``."""
    if "/" in name:
        return PurePosixPath(name).stem
    return name.rpartition("::")[2].rpartition(".")[2]
