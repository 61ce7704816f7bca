"""Which cited places exist in the tree at hand, and on which lines: only what exists can be found or is asked for.

Python scopes are read with ``ast``, apart from the extractor that recall measures: a definition it cannot see must
still count as missed. C++ has no second reader here, so its scopes come from ``retrieval.symbols``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from evals.recall import Place
from evals.records import LabelledRecord
from retrieval.models import MODULE_SCOPE, DefinitionKind
from retrieval.symbols import language_of, parse_definitions

Span = tuple[int, int]  # first and last line, 1-based, inclusive

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def existing_places(record: LabelledRecord, tree: Path) -> frozenset[Place]:
    """The record's citations, as distinct places, whose file and scope the tree below ``tree`` has."""
    cited = {Place(item.path, item.scope) for item in record.evidence.items}
    return frozenset(place for place in cited if place.scope in scopes_of(tree / place.path))


def scopes_of(path: Path) -> frozenset[str]:
    """Qualnames (``Class.method``, ``outer.inner``) of all definitions, and ``<module>``; empty for no file."""
    return frozenset(spans_of(path))


@lru_cache(maxsize=512)
def spans_of(path: Path) -> Mapping[str, Sequence[Span]]:
    """The lines of every scope; a qualname that is defined twice has two spans.

    A definition spans its decorators and all it holds. ``<module>`` is what lies in no function and no class: imports,
    assignments and statements at top level.
    """
    if not path.is_file():
        return {}
    source = path.read_bytes()
    spans: dict[str, list[Span]] = {MODULE_SCOPE: []}
    covered: list[Span] = []
    for qualname, span, holds_code in _definitions(source, path):
        spans.setdefault(qualname, []).append(span)
        if holds_code:
            covered.append(span)
    spans[MODULE_SCOPE] += _between(covered, source.count(b"\n") + 1)
    return spans


def _definitions(source: bytes, path: Path) -> Iterator[tuple[str, Span, bool]]:
    """Qualname, span, and whether lines inside belong to the definition rather than to the top level around it."""
    if path.suffix in {".py", ".pyi"}:
        for qualname, span in _python_definitions(source):
            yield qualname, span, True
        return
    for found in parse_definitions(source, language_of(path.name)):
        yield found.qualname, (found.start_line, found.end_line), found.kind is not DefinitionKind.VARIABLE


def _python_definitions(source: bytes) -> Iterator[tuple[str, Span]]:
    """Nothing for a file that Python itself cannot read (templates): its definitions are no one's scope."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, around = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _DEFINITIONS):
                qualname = f"{around}.{child.name}" if around else child.name
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                yield qualname, (first, child.end_lineno or child.lineno)
                pending.append((child, qualname))
            else:
                pending.append((child, around))


def _between(covered: Iterable[Span], last_line: int) -> Iterator[Span]:
    """The spans of lines 1 to ``last_line`` that no span of ``covered`` holds."""
    free = 1
    for first, last in sorted(covered):
        if first > free:
            yield free, first - 1
        free = max(free, last + 1)
    if free <= last_line:
        yield free, last_line
