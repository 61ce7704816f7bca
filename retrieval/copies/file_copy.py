"""Whether a whole file is a copy: how alike it is to the upstream file that most of its copied code comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from retrieval.copies.definitions import Copyable
from retrieval.copies.forks import Fork, enclosing
from retrieval.copies.tokens import size_of
from retrieval.symbols import language_of

_HALF = 0.5
_LEAST_SIMILARITY = 0.3  # one function copied from a large file makes no copy of it


class FileCopy(NamedTuple):
    """``copied`` of ``functions`` functions come from ``original_path``; what lies in a copy, and what is only around
    copies, is not counted. ``similarity`` is twice the number of tokens that agree over the tokens of both files.
    """

    path: str
    original_path: str
    similarity: float
    copied: int
    functions: int

    @property
    def is_copy(self) -> bool:
        return self.copied >= _HALF * self.functions and self.similarity >= _LEAST_SIMILARITY


def file_copy(
    path: str, text: str, definitions: Sequence[Copyable], forks: Sequence[Fork], text_of: Callable[[str], str]
) -> FileCopy | None:
    """``forks`` are those of the file at ``path``; ``text_of`` reads upstream files. Null for a file without forks."""
    copies = {fork.scope: fork for fork in forks if not fork.is_class}
    outermost = [fork for scope, fork in copies.items() if not any(outer in copies for outer in enclosing(scope))]
    if not outermost:
        return None
    matched: Counter[str] = Counter()
    for fork in outermost:
        matched[fork.original_path] += fork.matched
    original, agreeing = max(matched.items(), key=lambda entry: (entry[1], entry[0]))
    copied = sum(fork.original_path == original for fork in outermost)
    language = language_of(path)
    size = size_of(text, language) + size_of(text_of(original), language)
    own = _own_functions(definitions, copies)
    return FileCopy(path, original, min(2 * agreeing / size, 1.0), copied, own + len(outermost))


def _own_functions(definitions: Sequence[Copyable], copies: Collection[str]) -> int:
    """Number of functions that are no copies, neither in one nor around one; of nested ones the outermost counts."""
    around = {outer for scope in copies for outer in enclosing(scope)}
    own: set[str] = set()
    for one in definitions:  # an outer one comes first
        if one.is_class or one.scope in copies or one.scope in around:
            continue
        if not any(outer in copies or outer in own for outer in enclosing(one.scope)):
            own.add(one.scope)
    return len(own)
