"""`registration` 算子注册 in YAML operator lists: ``npu_native_functions.yaml`` and its relatives.

Read line by line and not by a YAML library: a fact needs the exact line of each entry, these files are lists of one
entry per line, and schemas in them (``Tensor(a!) self, *, int[] dim=[1]``) are no strict YAML anyway. Facts must not
depend on a file's path, so a list is known by its words: ``cpp_namespace:`` as a key, or an entry ``- func:``.

An entry without a namespace is of ``aten``; below ``custom:`` it is of the namespace that goes by the name of the
backend, in which its schema is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.coupling.facts import Fact
from retrieval.models import MODULE_SCOPE, CouplingDetail, EvidenceKind
from retrieval.syntax import normalise

KIND = EvidenceKind.REGISTRATION

_LIST = re.compile(rb"^(?:cpp_namespace[ \t]*:|[ \t]*-[ \t]+func[ \t]*:)", re.MULTILINE)
_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*|---)?\r?\n)*(?:\w+[ \t]*:|[ \t]*-[ \t])")
_SECTION = re.compile(r"(?P<key>\w+)[ \t]*:[ \t]*(?P<value>\w*)")
_ENTRY = re.compile(
    r"[ \t]*-[ \t]+(?:func[ \t]*:[ \t]*)?[\"']?(?:(?P<namespace>\w+)::)?(?P<name>[A-Za-z_]\w*)"
    r"(?:\.\w+)?(?:\(.*|[\"']?[ \t]*(?:#.*)?)$",
    re.ASCII,
)
_CUSTOM = "custom"
_DEFAULT_REGISTRAR = "native_functions"


def lists_operators(data: bytes) -> bool:
    """A document that only quotes such a list begins with prose."""
    return _LIST.search(data) is not None and _FIRST.match(data) is not None


def extract_listed(data: bytes) -> tuple[Fact, ...]:
    """One fact per entry of a file that lists operators; the registrar is the section the entry stands in."""
    return tuple(_entries(normalise(data).decode("utf-8"))) if lists_operators(data) else ()


def _entries(text: str) -> Iterator[Fact]:
    section, backend = _DEFAULT_REGISTRAR, "aten"
    for number, line in enumerate(text.split("\n"), 1):
        key = _SECTION.match(line)
        if key is not None:
            backend = key["value"].lower() if key["key"] == "backend" and key["value"] else backend
            section = key["key"]
            continue
        entry = _ENTRY.match(line)
        if entry is None:
            continue
        space = entry["namespace"] or (backend if section == _CUSTOM else "aten")
        operator = f"{space}.{entry['name']}"
        yield Fact(
            KIND,
            operator,
            f"torch.ops.{operator}",
            MODULE_SCOPE,
            (number,),
            entry["name"],
            detail=CouplingDetail(registrar=section, operators=(operator,)),
        )
