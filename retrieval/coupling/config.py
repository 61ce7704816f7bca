"""`config` 配置项: downstream reads or sets a flag of an upstream config module.

``config.triton.cudagraphs = False`` · ``if torch._inductor.config.x`` · ``setattr(config, "x", …)`` ·
``config.patch(x=…)`` · ``config.patch("x", …)`` · ``config.patch({"triton.cudagraphs": …})``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from retrieval.coupling.coupling import Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.python_source import Call
from retrieval.coupling.question import Question
from retrieval.models import CouplingDetail, EvidenceKind, Relation

KIND = EvidenceKind.CONFIG

_BELOW_CONFIG = re.compile(r"(?:^|[._])config\.")
_FLAG = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def is_flag(target: str) -> bool:
    """``torch._inductor.config.triton.cudagraphs``: something below a module called ``config`` or ``…_config``."""
    return _BELOW_CONFIG.search(target) is not None


def extract(file: PythonFile) -> Iterator[Fact]:
    found: dict[tuple[int, str, str, str], set[int]] = {}
    written_at: set[int] | None = None
    for use in file.uses:
        for target in use.targets or ():
            if not is_flag(target) or target.startswith(OWN) or target.endswith(".patch"):
                continue
            if written_at is None:
                written_at = {item.left.start_byte for item in file.source.assignments if item.left.type == "attribute"}
            token = use.names[-1]
            if len(use.names) == 1 and token != target.rpartition(".")[2]:
                continue  # `old = config.x` … `old`: a value that was read before
            for start in use.starts:
                access = "set" if start in written_at else "read"
                found.setdefault((use.scope, target, token, access), set()).add(file.line_of(use, start, token))
    for (scope, target, token, access), lines in found.items():
        yield _fact(file, target, scope, lines, token, access)
    for call in file.source.calls:
        if call.callee in ("patch", "setattr"):
            yield from _set_by_call(file, call)


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    for flag, weight in question.flags.items():
        for located in lookup.named((flag.rpartition(".")[2],), KIND):
            if _is_same(lookup.canonical(located), flag):
                yield couple_fact(located, Relation.SAME_FLAG, flag, weight)


def _is_same(target: str, flag: str) -> bool:
    """Upstream modules import the config module of their own package, and downstream takes it from there.

    So ``torch._inductor.codegen.triton.config.x`` is ``torch._inductor.config.x``.
    """
    package, joint, rest = flag.partition(".config.")
    return target == flag or bool(joint and target.startswith(f"{package}.") and target.endswith(f"{joint}{rest}"))


def _set_by_call(file: PythonFile, call: Call) -> Iterator[Fact]:
    """Flags that ``config.patch(…)`` or ``setattr(config, …)`` names, each where its name stands."""
    arguments = [child for child in call.arguments.named_children if child.type != "comment"]
    if call.callee == "setattr":
        holders, named = file.resolve(arguments[0] if arguments else None), _quoted(file, arguments[1:2])
    else:
        targets = file.resolve(call.function)
        holders = tuple(target.removesuffix(".patch") for target in targets if target.endswith(".patch"))
        named = _patched(file, arguments)
    scope = file.source.scope_at(call.node.start_byte)
    for holder in holders:
        for name, node in named:
            target = f"{holder}.{name}"
            if is_flag(target) and not target.startswith(OWN):
                token = name.rpartition(".")[2]
                yield _fact(file, target, scope, {file.source.line_at(node.end_byte - 1)}, token, "set")


def _patched(file: PythonFile, arguments: list[Node]) -> list[tuple[str, Node]]:
    """(flag, node) of each flag that the arguments of ``patch`` name: keywords, keys of a dict, or a first string."""
    found: list[tuple[str, Node]] = []
    for at, child in enumerate(arguments):
        if child.type == "keyword_argument":
            name = child.child_by_field_name("name")
            found += [(file.source.text(name), name)] if name is not None else []
        elif child.type == "dictionary":
            keys = [pair.child_by_field_name("key") for pair in child.named_children if pair.type == "pair"]
            found += _quoted(file, [key for key in keys if key is not None])
        elif at == 0:
            found += _quoted(file, [child])
    return found


def _quoted(file: PythonFile, nodes: list[Node]) -> list[tuple[str, Node]]:
    """(content, node) of each string that spells a flag."""
    literals = [literal for node in nodes if (literal := file.source.literal(node)) is not None]
    return [(name, node) for node in literals if _FLAG.fullmatch(name := file.source.text(node))]


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
