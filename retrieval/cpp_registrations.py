"""Operators that a C++ file registers: ``TORCH_LIBRARY`` blocks, structured kernels, autocast and functorch lists.

Read as text, not as a tree: the macros of these files break trees more often than not, and what is wanted stands in
them. An operator is ``namespace.name`` without overload. A structured kernel's macro names the operator and its
overload in one word (``add_out``); the overloads ``out`` and ``functional`` and a device's name are taken off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.models import OperatorRole
from retrieval.registrations import Registration
from retrieval.syntax import Source

_LEXEME = re.compile(
    r"\bTORCH_LIBRARY(?:_IMPL|_FRAGMENT)?\s*\(\s*(?P<namespace>\w+)"
    r"|\bTORCH_(?P<structured>IMPL|META|PRECOMPUTE_META)_FUNC2?\s*\(\s*(?P<kernel>\w+)"
    r"|\b\w+\s*\.\s*(?P<call>impl|def)\s*\(\s*(?:TORCH_SELECTIVE_(?:NAME|SCHEMA)\s*\(\s*)?\"(?P<text>[^\"]+)\""
    r"(?:\s*\))?(?P<rest>[^;]{0,400})"
    r"|\b(?P<macro>KERNEL\w*|VMAP_SUPPORT\w*|OP_DECOMPOSE\w*|[A-Z][A-Z0-9_]*(?:BOXED|POINTWISE|BATCH_RULE|REDUCTION)\w*)"
    r"\s*\(\s*(?:k?[A-Z]\w*\s*,\s*)?(?P<listed>[a-z_]\w*)(?P<arguments>[^;)]{0,200})",
)
_QUALIFIED = re.compile(r"(?:(?P<namespace>\w+)::)?(?P<name>\w+)")
_FUNCTION = re.compile(r"(?:TORCH_FN\s*\(\s*|&\s*|,\s*)(?P<name>[A-Za-z_][\w:]*)\s*(?:<[^;]*>)?\s*\)")
_KERNEL_TAIL = re.compile(r"(?:_(?:out|functional|cpu|cuda|mps|xpu|meta))+$")


def cpp_registrations(source: Source) -> Iterator[Registration]:
    """Registrations of a whole file, in order."""
    text = source.text.decode("utf-8", "replace")
    namespace: str | None = None
    for match in _LEXEME.finditer(text):
        if match["namespace"]:
            namespace = match["namespace"]
            continue
        line = text.count("\n", 0, match.start()) + 1
        if match["kernel"]:
            role = OperatorRole.KERNEL if match["structured"] == "IMPL" else OperatorRole.META
            name = _KERNEL_TAIL.sub("", match["kernel"])
            yield Registration(f"aten.{name}", role, match["kernel"], match["kernel"], line)
        elif match["text"]:
            yield from _library_call(match, namespace, line)
        elif namespace is not None:
            detail = f"{match['macro']}({_folded(match['arguments'])})"
            yield Registration(f"{namespace}.{match['listed']}", OperatorRole.KERNEL, detail, None, line)


def _library_call(match: re.Match[str], namespace: str | None, line: int) -> Iterator[Registration]:
    named = _QUALIFIED.match(match["text"])
    if named is None:
        return
    space = named["namespace"] or namespace
    if space is None:
        return  # some other object's method
    role = OperatorRole.SCHEMA if match["call"] == "def" else OperatorRole.KERNEL
    rest = match["rest"] or ""
    function = _FUNCTION.search(rest)
    body = function["name"].replace("::", ".").rpartition(".")[2] if function is not None else None
    detail = f"{match['call']} {_folded(match['text'])} {_folded(rest)}"
    yield Registration(f"{space}.{named['name']}", role, detail, body, line)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
