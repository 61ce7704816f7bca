"""The places of torch_npu that a paragraph of the team cites, found again in a tree.

People write ``torch_npu/a/b.py:12``, ``b.py:12-15,40`` once the file was named in full, and ``a/.../b.py:7``. A short
path stands for the one path named in full that it ends, else for the one file of the tree that does. What belongs to
upstream (``torch/…``, or a short name of such a path) is no citation of torch_npu.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from evals.records import Citation, RecordEvidence
from retrieval.models import MODULE_SCOPE, DefinitionKind
from retrieval.source_tree import SourceTree
from retrieval.symbols import language_of, parse_definitions

#: Top folders of upstream's repository that torch_npu's does not have.
_UPSTREAM = ("torch/", "aten/", "c10/", "caffe2/", "functorch/", "torchgen/")
_LINES = r"\d+(?:\s?[-~–]\s?\d+)?"
_CITED = re.compile(
    rf"(?<![\w./-])(?P<path>(?:[\w.+-]+/)*[\w.+-]+\.(?:pyi?|h|hpp|cpp|cc|cuh?|ya?ml)):"
    rf"(?P<lines>{_LINES}(?:\s?[,，、/]\s?{_LINES})*)(?!\w)",
    re.ASCII,
)
_PATH = re.compile(r"(?<![\w./-])(?:[\w+-]+/)+[\w.+-]+\.(?:pyi?|h|hpp|cpp|cc|cuh?|ya?ml)\b", re.ASCII)
_WORD = re.compile(r"[^\W\d]\w{2,}")
#: A range longer than this cites a region, not its lines: its first and last line stand for it.
_MOST_LINES = 40


class Unresolved(NamedTuple):
    """A citation as written that the tree does not bear out."""

    path: str
    lines: str


class TreePlaces:
    """What is asked of a tree: its files, the scope around a line, whether a scope exists."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.revision = tree.revision
        self.paths = frozenset(file.path for file in tree.files())
        self._file = lru_cache(maxsize=256)(self._read)

    def has(self, path: str, scope: str) -> bool:
        return path in self.paths and (scope == MODULE_SCOPE or scope in {span.scope for span in self._file(path)[1]})

    def line(self, path: str, number: int) -> str | None:
        lines = self._file(path)[0]
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def scope_at(self, path: str, line: int) -> str:
        """The innermost function or class around a line."""
        around = [span for span in self._file(path)[1] if span.first <= line <= span.last and span.holds_code]
        return min(around, key=lambda span: span.last - span.first).scope if around else MODULE_SCOPE

    def ending_with(self, path: str) -> list[str]:
        """Paths that end like ``path``, whose ``...`` stands for any folders."""
        parts = (re.escape(part) for part in re.split(r"/?\.{2,}/?", path))
        pattern = re.compile(r"(?:.*/)?" + "/(?:.*/)?".join(parts))
        return [one for one in self.paths if pattern.fullmatch(one)]

    def _read(self, path: str) -> tuple[list[str], list[_Span]]:
        content = self._tree.read(path)
        lines = content.decode("utf-8", "replace").split("\n")
        return lines, [
            _Span(one.qualname, one.start_line, one.end_line, one.kind is not DefinitionKind.VARIABLE)
            for one in parse_definitions(content, language_of(path))
        ]


class _Span(NamedTuple):
    scope: str
    first: int
    last: int
    holds_code: bool


def evidence_of(text: str, places: TreePlaces | None) -> tuple[RecordEvidence, tuple[Unresolved, ...]]:
    """The citations of a paragraph, counted one for each path with its lines, and those that do not resolve.

    Without a tree they are counted only, and none is verified.
    """
    cited = [
        (match["path"], match["lines"]) for match in _CITED.finditer(text) if not _is_upstream(match["path"], text)
    ]
    if places is None:
        return RecordEvidence(snapshot=None, cited=len(cited), verified=0, items=()), ()
    words = frozenset(_WORD.findall(text))
    items: dict[tuple[str, str], _Item] = {}
    unresolved = []
    for written, lines in cited:
        path = _path(written, text, places)
        spans = _spans(lines)
        if path is None or any(places.line(path, number) is None for span in spans for number in span):
            unresolved.append(Unresolved(written, lines))
            continue
        for span in spans:
            item = items.setdefault((path, places.scope_at(path, span[0])), _Item(set(), set()))
            item.lines.update(span)
            for number in span:
                item.tokens.update(words.intersection(_WORD.findall(places.line(path, number) or "")))
    return RecordEvidence(
        snapshot=places.revision,
        cited=len(cited),
        verified=len(cited) - len(unresolved),
        items=tuple(_citations(items.items())),
    ), tuple(unresolved)


class _Item(NamedTuple):
    lines: set[int]
    tokens: set[str]


def _citations(items: Iterable[tuple[tuple[str, str], _Item]]) -> Iterator[Citation]:
    """The token is the longest word that both the paragraph and a cited line hold."""
    for (path, scope), item in items:
        token = max(sorted(item.tokens), key=len, default=None)
        yield Citation(path=path, scope=scope, lines=tuple(sorted(item.lines)), token=token)


def _is_upstream(path: str, text: str) -> bool:
    if "/" in path:
        return path.startswith(_UPSTREAM)
    named = {one for one in _PATH.findall(text) if one.endswith(f"/{path}")}
    return bool(named) and all(one.startswith(_UPSTREAM) for one in named)


def _path(written: str, text: str, places: TreePlaces) -> str | None:
    """Where Markdown was read as such, ``__init__.py`` has lost its underscores."""
    for name in (written, re.sub(r"(^|/)init\.py$", r"\1__init__.py", written)):
        if name in places.paths:
            return name
        found = places.ending_with(name)
        named = [path for path in found if path in text]
        if len(named) == 1:
            return named[0]
        if len(found) == 1:
            return found[0]
    return None


def _spans(lines: str) -> list[Sequence[int]]:
    """``12-14,40`` → ``[12, 13, 14], [40]``: a range belongs to the scope it begins in."""
    spans: list[Sequence[int]] = []
    for part in re.split(r"[,，、/]", lines):
        first, *rest = (int(number) for number in re.findall(r"\d+", part))
        last = rest[0] if rest else first
        spans.append(range(first, last + 1) if 0 <= last - first < _MOST_LINES else (first, last))
    return spans
