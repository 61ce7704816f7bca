"""Which cited places exist in the tree at hand: only those can be found, so only those are asked for.

Python scopes are read with ``ast``, apart from the extractor that recall measures: a definition it cannot see must
still count as missed. C++ has no second reader here, so its scopes come from ``retrieval.symbols``.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from evals.recall import Place
from evals.records import LabelledRecord
from retrieval.models import MODULE_SCOPE
from retrieval.symbols import language_of, parse_definitions

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def existing_places(record: LabelledRecord, tree: Path) -> frozenset[Place]:
    """The record's citations, as distinct places, whose file and scope the tree below ``tree`` has."""
    cited = {Place(item.path, item.scope) for item in record.evidence.items}
    return frozenset(place for place in cited if place.scope in scopes_of(tree / place.path))


@lru_cache(maxsize=512)
def scopes_of(path: Path) -> frozenset[str]:
    """Qualnames (``Class.method``, ``outer.inner``) of all definitions, and ``<module>``; empty for no file."""
    if not path.is_file():
        return frozenset()
    source = path.read_bytes()
    if path.suffix in {".py", ".pyi"}:
        return frozenset({MODULE_SCOPE, *_python_scopes(source)})
    return frozenset({MODULE_SCOPE, *(found.qualname for found in parse_definitions(source, language_of(path.name)))})


def _python_scopes(source: bytes) -> set[str]:
    """Nothing for a file that Python itself cannot read (templates): its definitions are no one's scope."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    scopes: set[str] = set()
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, around = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _DEFINITIONS):
                qualname = f"{around}.{child.name}" if around else child.name
                scopes.add(qualname)
                pending.append((child, qualname))
            else:
                pending.append((child, around))
    return scopes
