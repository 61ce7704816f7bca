"""Which words the code of each scope is made of: the unit that `retrieval.affinity` compares with a change.

Comments and docstrings are prose about code and left out; other strings are kept, since code generators write code into
them. A word belongs to the innermost scope around it, that of a header to the scope it opens.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.facts import Fact
from retrieval.coupling.python_source import PythonSource
from retrieval.models import MODULE_SCOPE, EvidenceKind
from retrieval.pieces import pieces_of
from retrieval.word_search import words_in


class ScopeWords(NamedTuple):
    """``pieces`` count what stands in the scope and in no scope inside it."""

    qualname: str
    pieces: dict[str, int]


def python_scope_words(source: PythonSource) -> list[ScopeWords]:
    """Every scope of a Python file that holds a word, the module first."""
    code = bytearray(source.data)
    for name in ("comment", "prose"):
        for node in source.each(name):
            start, end = node.byte_range
            code[start:end] = b" " * (end - start)
    runs = source.runs()
    edges = [*(run.start for run in runs[1:]), len(code)]
    parts: dict[int, list[bytes]] = {}
    for run, end in zip(runs, edges, strict=True):
        parts.setdefault(run.scope, []).append(bytes(code[run.start : end]))
    return list(_counted((source.qualname(at), b" ".join(texts)) for at, texts in sorted(parts.items())))


def cpp_scope_words(file: CppFile, facts: Iterable[Fact]) -> list[ScopeWords]:
    """The same for a C++ file, its scopes being the functions that `fork` facts list."""
    lines = file.text.split(b"\n")
    found = {(fact.span, fact.scope) for fact in facts if fact.kind is EvidenceKind.FORK and fact.span is not None}
    spans = [(scope, *span) for span, scope in sorted(found, key=lambda item: (item[0][0], -item[0][1]))]
    parts: dict[int, list[bytes]] = {}
    for number, line in enumerate(lines, 1):
        parts.setdefault(_innermost(spans, number), []).append(line)
    names = {-1: MODULE_SCOPE} | {at: scope for at, (scope, _, _) in enumerate(spans)}
    return list(_counted((names[at], b"\n".join(part)) for at, part in sorted(parts.items())))


def _innermost(spans: Sequence[tuple[str, int, int]], line: int) -> int:
    """Index of the last span that begins at or before ``line`` and still lasts; -1 outside of all."""
    at = bisect_right(spans, line, key=lambda span: span[1]) - 1
    while at >= 0 and spans[at][2] < line:
        at -= 1
    return at


def _counted(scopes: Iterable[tuple[str, bytes]]) -> Iterator[ScopeWords]:
    for qualname, text in scopes:
        found: dict[str, int] = {}
        for word, times in Counter(words_in(text)).items():
            for piece in _pieces(word):
                found[piece] = found.get(piece, 0) + times
        if found:
            yield ScopeWords(qualname, found)


@lru_cache(1 << 16)
def _pieces(word: bytes) -> tuple[str, ...]:
    """Pieces of a word without the digits it may start with, as in ``0x1F``; one letter says nothing."""
    name = word.lstrip(b"0123456789").decode("ascii")
    return pieces_of(name) if len(name) > 1 else ()
