"""Functions with a body, as candidates of `fork` fork 副本."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.coupling.cpp.cpp_file import CppFile, shape_of
from retrieval.coupling.cpp.naming import MARK
from retrieval.coupling.facts import Fact
from retrieval.models import EvidenceKind


def extract(file: CppFile) -> Iterator[Fact]:
    """``span`` are the first and last line, template headings included; operators and destructors are left out."""
    for scope in file.callables:
        name = scope.qualname.rpartition(".")[2]
        if scope.body >= 0 and name.isidentifier():
            yield Fact(
                EvidenceKind.FORK,
                name,
                f"{MARK}{scope.qualname}",
                scope.qualname,
                (file.named_at(scope, name),),
                name,
                shape=shape_of(scope),
                span=file.lines(scope),
            )
