"""`subclass` 继承 and `override` 覆写 in C++: classes with bases, and every method of every class.

The tree decides which methods override: a method counts whether or not it says ``override``, declared in the class or
defined outside it. Constructors, destructors and operators override nothing by name. Overloads of one name in one class
share that name, so which of them stands for the upstream method is unknown and their parameters are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from retrieval.coupling.cpp.cpp_file import CppFile, Scope, shape_of
from retrieval.coupling.cpp.naming import MARK, cpp_name
from retrieval.coupling.cpp.resolution import NameTable, parts_of
from retrieval.coupling.facts import Fact
from retrieval.models import CouplingDetail, DefinitionKind, EvidenceKind

_BASES = re.compile(rb"(?<!:):(?!:)(?P<listed>[^{}]*)\Z")
_BASE = re.compile(rb"\s*(?:(?:public|protected|private|virtual|typename)\s+)*(?P<path>(?:::\s*)?\w+(?:\s*::\s*\w+)*)")
_ENUM = re.compile(rb"\benum\b")


def subclasses(file: CppFile, names: NameTable) -> Iterator[Fact]:
    """One fact per class and base; ``owner`` is the class, the line that of the base's own name."""
    for scope in file.classes:
        heading = file.code[scope.start : scope.body] if scope.body >= 0 else b""
        clause = _BASES.search(heading)
        if clause is None or _ENUM.search(heading[: clause.start()]):
            continue
        for start, text in _listed(clause["listed"]):
            base = _BASE.match(text)
            if base is None:
                continue
            at = scope.start + clause.start("listed") + start + base.start("path")
            parts, last = parts_of(base["path"]), parts_of(base["path"])[-1]
            line = file.line_at(at + base["path"].rindex(last.encode()))
            own = names.own(parts, scope.start)
            # What the file defines is known in full.
            for target in names.resolve(parts, scope.start) or (f".{own}",):
                if not target.startswith("std."):
                    yield Fact(
                        EvidenceKind.SUBCLASS,
                        target.rpartition(".")[2],
                        f"{MARK}{target}",
                        scope.qualname,
                        (line,),
                        last,
                        owner=f"{MARK}{scope.qualname}",
                    )


def _listed(clause: bytes) -> Iterator[tuple[int, bytes]]:
    """(offset, text) of each base: commas between angle brackets or round ones part arguments."""
    depth = start = 0
    for at, character in enumerate(clause):
        if character in b"<(":
            depth += 1
        elif character in b">)":
            depth -= 1
        elif character == ord(",") and depth == 0:
            yield start, clause[start:at]
            start = at + 1
    yield start, clause[start:]


def overrides(file: CppFile) -> Iterator[Fact]:
    methods = [scope for scope in file.callables if scope.kind is DefinitionKind.METHOD and _has_name(scope)]
    overloads = Counter(scope.qualname for scope in methods)
    for scope in methods:
        holder, _, name = scope.qualname.rpartition(".")
        yield Fact(
            EvidenceKind.OVERRIDE,
            name,
            cpp_name((scope.qualname,)),
            scope.qualname,
            (file.named_at(scope, name),),
            name,
            owner=cpp_name((holder,)),
            shape=shape_of(scope) if overloads[scope.qualname] == 1 else None,
            detail=CouplingDetail(calls_original=_calls_original(file, scope, name)),
        )


def _has_name(scope: Scope) -> bool:
    """Is it called by a name of its own? Constructors go by that of the class."""
    holder, _, name = scope.qualname.rpartition(".")
    return name.isidentifier() and name != holder.rpartition(".")[2]


def _calls_original(file: CppFile, scope: Scope, name: str) -> bool | None:
    """``Base::name(…)`` in the body; null where there is no body to look at."""
    if scope.body < 0:
        return None
    call = f"::{name}(".encode()
    return file.code.find(call, scope.body, scope.end) >= 0
