"""The words of a change: what its definitions, operators, modules, touched names and its title are made of.

A downstream scope made of the same words is about the same thing, even where it names nothing that changed
(`retrieval.affinity`). A word weighs as much as the weightiest name it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from retrieval.coupling.question import CHANGE_WEIGHT
from retrieval.models import Delta, Nature, UpstreamChange
from retrieval.pieces import pieces_of

_TITLE_WEIGHT = 1.3  # its author has said in ten words what it is about
_MODULE_WEIGHT = 1.0
_OPERATOR_WEIGHT = 1.0
_TOUCHED_WEIGHT = 0.2

_NUMBER = re.compile(r"\(?#\d+\)?")
_ASIDE = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})
_TITLE_WORDS = {
    "add",
    "allow",
    "an",
    "by",
    "change",
    "fix",
    "handle",
    "improve",
    "make",
    "new",
    "no",
    "of",
    "on",
    "onto",
} | {"refactor", "remove", "rename", "replace", "revert", "support", "the", "to", "update", "use", "via", "when"}
# What titles say of any change, in whatever form: "Adds", "fixed:", "Handling".
_OF_TITLES = frozenset(
    piece for word in _TITLE_WORDS for form in (word, f"{word.removesuffix('e')}ing") for piece in pieces_of(form)
)


def vocabulary_of(delta: Delta, change: UpstreamChange) -> Mapping[str, float]:
    """Piece → weight."""
    found: dict[str, float] = {}
    for text, weight in _named(delta):
        for piece in pieces_of(text):
            found[piece] = max(found.get(piece, 0.0), weight)
    for piece in pieces_of(_NUMBER.sub(" ", change.title)):
        if piece not in _OF_TITLES:
            found[piece] = max(found.get(piece, 0.0), _TITLE_WEIGHT)
    return found


def area_of(delta: Delta, change: UpstreamChange) -> str:
    """What a change is about, in one name: the first module it touches, else its first file."""
    return next(chain(delta.modules, (file.path for file in change.files)), "")


def _named(delta: Delta) -> Iterator[tuple[str, float]]:
    for change in delta.definitions:
        if change.nature not in _ASIDE:
            yield change.qualname, CHANGE_WEIGHT[change.kind]
            for name in change.touched:
                yield name.rpartition(".")[2], _TOUCHED_WEIGHT
            for operator in change.operators:
                yield operator, _OPERATOR_WEIGHT
    for operators in delta.operators:
        yield operators.operator, _OPERATOR_WEIGHT
    for module in delta.modules:
        yield module, _MODULE_WEIGHT
