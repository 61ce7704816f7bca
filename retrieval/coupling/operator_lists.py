"""`registration` 算子注册 in YAML operator lists: ``npu_native_functions.yaml`` and its relatives.

Read line by line and not by a YAML library: a fact needs the exact line of each entry, these files are lists of one
entry per line, and schemas in them (``Tensor(a!) self, *, int[] dim=[1]``) are no strict YAML anyway. Facts must not
depend on a file's path, so a list is known by its words: ``cpp_namespace:`` as a key, or an entry ``- func:``.

An entry without a namespace is of ``aten``; below ``custom:`` it is of the namespace that goes by the name of the
backend, in which its schema is defined. Entries of lists inside an entry (``tags:``, ``autogen:``) name no operators:
an entry begins where the first one of its section is indented alike. Its ``func:`` need not be its first key.
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
    r"[ \t]*(?:-[ \t]+)?(?:func[ \t]*:[ \t]*)?[\"']?(?:(?P<namespace>\w+)::)?(?P<name>[A-Za-z_]\w*)"
    r"(?:\.\w+)?(?:\(.*|[\"']?[ \t]*(?:#.*)?)$",
    re.ASCII,
)
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:-[ \t]+(?:func[ \t]*:)?|(?P<key>func[ \t]*:))")
_CUSTOM = "custom"
_DEFAULT_REGISTRAR = "native_functions"
#: Registrars of these facts: the sections in which a backend lists the operators it has kernels of (PyTorch's
#: ``torchgen.gen_backend_stubs`` knows the first three, torch_npu's generator all), and the lists without any.
SECTIONS = frozenset({"supported", "autograd", "symint", "quant", _CUSTOM, _DEFAULT_REGISTRAR})


def is_operator_list(data: bytes) -> bool:
    """A document that only quotes such a list begins with prose."""
    return _LIST.search(data) is not None and _FIRST.match(data) is not None


def extract_listed(data: bytes) -> tuple[Fact, ...]:
    """One fact per entry of a file that lists operators; the registrar is the section the entry stands in."""
    return tuple(_entries(normalise(data).decode("utf-8"))) if is_operator_list(data) else ()


def _entries(text: str) -> Iterator[Fact]:
    section, backend = _DEFAULT_REGISTRAR, "aten"
    indent: str | None = None  # of the first entry of the section
    for number, line in enumerate(text.split("\n"), 1):
        key = _SECTION.match(line)
        if key is not None:
            backend = key["value"].lower() if key["key"] == "backend" and key["value"] else backend
            section, indent = key["key"], None
            continue
        item = _ITEM.match(line)
        if item is None:
            continue
        indent = item["indent"] if indent is None else indent
        entry = _ENTRY.match(line) if item["key"] or item["indent"] == indent else None
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
