"""`config` 配置项: downstream reads or sets a flag of an upstream config module.

``config.triton.cudagraphs = False`` · ``if torch._inductor.config.x`` · ``config.patch(x=…)`` ·
``config.patch({"triton.cudagraphs": …})``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.CONFIG

_MODULE = re.compile(r"(^|_)config$")
_QUOTED = re.compile(r"[\"']([A-Za-z_][\w.]*)[\"']\s*:")


def is_flag(target: str) -> bool:
    """``torch._inductor.config.triton.cudagraphs``: something below a module called ``config`` or ``…_config``."""
    return any(_MODULE.search(name) for name in target.split(".")[:-1])


def extract(file: PythonFile) -> Iterator[Fact]:
    source = file.source
    written_at = {
        left.start_byte
        for node in source.nodes("assignment")
        if (left := node.child_by_field_name("left")) is not None and left.type == "attribute"
    }
    found: dict[tuple[int, str, str, str], set[int]] = {}
    for use in file.uses:
        for target in use.targets or ():
            if target.startswith(OWN) or not is_flag(target) or target.endswith(".patch"):
                continue
            token = use.names[-1]
            for start in use.starts:
                access = "set" if start in written_at else "read"
                found.setdefault((use.scope, target, token, access), set()).add(file.line_of(use, start, token))
    for (scope, target, token, access), lines in found.items():
        yield _fact(file, target, scope, lines, token, access)
    for node in source.nodes("call"):
        yield from _patched(file, node)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for flag, weight in question.flags.items():
        for located in lookup.named((flag.rpartition(".")[2],), KIND):
            if lookup.canonical(located) == flag:
                yield couple_fact(located, Relation.SAME_FLAG, flag, weight)


def _patched(file: PythonFile, node: Node) -> Iterator[Fact]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return
    for target in file.resolve(function):
        if not target.endswith(".patch") or not is_flag(target):
            continue
        module = target.removesuffix(".patch")
        text = file.source.text(arguments)
        names = list(_QUOTED.findall(text))
        for child in arguments.named_children:
            named = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            if named is not None:
                names.append(file.source.text(named))
        scope = file.source.scope_at(node.start_byte)
        for name in dict.fromkeys(names):
            last = name.rpartition(".")[2]
            offset = file.source.data.find(name.encode(), arguments.start_byte)
            line = file.source.line_at(max(offset, arguments.start_byte))
            yield _fact(file, f"{module}.{name}", scope, {line}, last, "set")


def _fact(file: PythonFile, target: str, scope: int, lines: set[int], token: str, access: str) -> Fact:
    return Fact(
        KIND,
        target.rpartition(".")[2],
        target,
        file.qualname(scope),
        tuple(sorted(lines)),
        token,
        detail=CouplingDetail(access=access),
    )
