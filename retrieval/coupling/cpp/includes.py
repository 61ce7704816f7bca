"""`import` 导入 in C++: ``#include`` of a header by its path.

The target is the header's path as it is included, which for most of upstream is its path in the repository;
`include_path` tells how the others are included. A name without a folder is a neighbour or of the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.naming import UPSTREAM_ROOTS, include_path
from retrieval.coupling.facts import Fact
from retrieval.models import MODULE_SCOPE, EvidenceKind

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"](?P<path>[\w./+-]+/[\w.+-]+)[>"]', re.MULTILINE)
_FOLDERS = frozenset({*UPSTREAM_ROOTS, "ATen"})


def extract(file: CppFile) -> Iterator[Fact]:
    for match in _INCLUDE.finditer(file.text):
        path = include_path(match["path"].decode("ascii"))
        if path.partition("/")[0] in _FOLDERS:
            name = path.rpartition("/")[2]
            line = file.line_at(match.start("path"))
            yield Fact(EvidenceKind.IMPORT, name, path, MODULE_SCOPE, (line,), name, owner=name)
