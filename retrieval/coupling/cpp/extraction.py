"""All facts of one C++ file, kind by kind, in source order within a kind."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.coupling.cpp import classes, functions, includes, operators, references
from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.resolution import NameTable
from retrieval.coupling.facts import Fact


def extract_cpp_facts(file: CppFile) -> tuple[Fact, ...]:
    return tuple(_facts(file))


def _facts(file: CppFile) -> Iterator[Fact]:
    names = NameTable(file)
    yield from functions.extract(file)
    yield from classes.overrides(file)
    yield from operators.extract(file, names)
    yield from classes.subclasses(file, names)
    yield from references.extract(file, names)
    yield from includes.extract(file)
