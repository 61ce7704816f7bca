"""Definitions in source files: the door to tree-sitter for Python and C++.

    >>> [d.qualname for d in parse_definitions(b"class A:\\n    def f(self, x=1): ...\\n", Language.PYTHON)]
    ['A', 'A.f']

Contract: qualnames have no ``<locals>``; lines are 1-based, inclusive and include decorators; definitions come in
source order, an outer one before what it holds; duplicated qualnames (overloads, redefinition under ``if``) are kept
apart in order. A file with syntax errors yields what parses. Nothing here raises on bad source text.
"""

from __future__ import annotations

from retrieval.cpp_symbols import RULES as CPP_RULES
from retrieval.cpp_symbols import cpp_definitions
from retrieval.definitions import Definition, Fingerprint, Header, LanguageRules, Layer, Token
from retrieval.models import Language
from retrieval.python_symbols import RULES as PYTHON_RULES
from retrieval.python_symbols import python_definitions
from retrieval.syntax import Source, parse_source

__all__ = [
    "Definition",
    "Fingerprint",
    "Header",
    "LanguageRules",
    "Layer",
    "Source",
    "Token",
    "definitions_of",
    "file_stem",
    "language_of",
    "module_of",
    "parse_definitions",
    "parse_source",
    "rules_of",
]

_LANGUAGES = {
    Language.PYTHON: (".py", ".pyi"),
    Language.CPP: (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".cu", ".cuh", ".mm"),
}
_BY_SUFFIX = {suffix: language for language, suffixes in _LANGUAGES.items() for suffix in suffixes}


def language_of(path: str) -> Language:
    """The language of a path by its suffix; ``OTHER`` for all that has no grammar here."""
    # Asked for every file whenever an index is opened: `PurePosixPath` would take half of that time.
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return _BY_SUFFIX.get(dot + suffix, Language.OTHER) if stem else Language.OTHER


def file_stem(path: str) -> str:
    """``test/test_gears.py`` → ``test_gears``: the file name without its suffix."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def module_of(path: str) -> str:
    """``torch/_inductor/ir.py`` as ``torch._inductor.ir``, ``__init__`` dropped; the path itself when not Python."""
    if language_of(path) is not Language.PYTHON:
        return path
    parts = path.rpartition(".")[0].split("/")
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def definitions_of(source: Source) -> tuple[Definition, ...]:
    """Definitions of a tree that is already parsed."""
    return cpp_definitions(source) if source.language is Language.CPP else python_definitions(source)


def parse_definitions(data: bytes, language: Language) -> tuple[Definition, ...]:
    """Definitions of a file; empty for ``Language.OTHER``."""
    if language is Language.OTHER:
        return ()
    return definitions_of(parse_source(data, language))


def rules_of(language: Language) -> LanguageRules:
    """The rules of a language that has a grammar, for nodes that are no definitions."""
    return CPP_RULES if language is Language.CPP else PYTHON_RULES
