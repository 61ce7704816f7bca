"""`registration` 算子注册 in C++: ``TORCH_LIBRARY`` blocks, lists in macros, structured kernels, AOTInductor's C shims.

Read as text, because the macros of these files break trees more often than not. A call of ``impl`` or ``def`` registers
when it stands in a block of a library macro or names its namespace: pybind11 modules have a ``def`` too. A macro that
begins a line of such a block registers the operator it is given first: ``KERNEL_PRIVATEUSEONE(addmm, …)``. A C shim
stands for the operator its name was made from (`shim_operator`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.naming import MARK
from retrieval.coupling.cpp.resolution import NameTable, parts_of
from retrieval.coupling.facts import Fact
from retrieval.models import CouplingDetail, EvidenceKind

KIND = EvidenceKind.REGISTRATION

_BLOCK = re.compile(
    rb"\b(?P<macro>(?:STABLE_)?TORCH_LIBRARY(?:_IMPL|_FRAGMENT)?)\s*\(\s*(?P<namespace>\w+)[^()]*\)\s*\{"
)
_CALL = re.compile(
    rb"(?<=[\w)])\s*\.\s*(?P<word>impl|def)\s*\(\s*(?:TORCH_SELECTIVE_(?:NAME|SCHEMA)\s*\(\s*)?(?P<quote>\")"
)
_LISTED = re.compile(
    rb"^[ \t]*(?P<macro>[A-Z][A-Z0-9_]*)\s*\(\s*(?:[A-Z][A-Z0-9_]*\s*\(\s*)?(?P<name>[a-z_]\w*)\s*[,)]", re.MULTILINE
)
_STRUCTURED = re.compile(rb"\b(?P<macro>TORCH_(?:IMPL|META)_FUNC2?)\s*\(\s*(?P<kernel>\w+)")
_OPERATOR = re.compile(r"(?:(?P<namespace>\w+)::)?(?P<name>\w+)", re.ASCII)
_FUNCTION = re.compile(rb"(?:TORCH_FN\s*\(\s*|&\s*|,\s*)(?P<path>[A-Za-z_]\w*(?:\s*::\s*\w+)*)\s*(?:<[^;]*?>)?\s*\)")
_KERNEL_TAIL = re.compile(r"(?:_(?:out|functional|cpu|cuda|npu|mps|xpu|meta))+$")
# Shims without a device are those of upstream's first operators, and all that is no operator at all.
_SHIM = re.compile(
    rb"\bAOTITorchError\s+(?P<word>aoti_torch_(?:(?:npu|cpu|cuda|xpu|mps)_(?P<rest>\w+)|(?P<old>\w+_out)))\s*\("
)
# What overload names are made of, beside words with a capital letter (`Tensor`, `Scalar_out`).
_OVERLOAD = re.compile(
    r"out|dims?|dtype|int|low|high|self|value|src|correction|generator|stable|two|source|\w*[A-Z]\w*"
)


class _Block(NamedTuple):
    """A block of a library macro and the namespace it registers in."""

    macro: str
    namespace: str
    start: int
    end: int


class _Site(NamedTuple):
    """Where an operator is registered: ``at`` is the byte at which ``token`` stands."""

    operator: str
    registrar: str
    at: int
    token: str
    function: tuple[str, ...] = ()


def extract(file: CppFile, names: NameTable) -> Iterator[Fact]:
    """``owner`` is the registered function where the file holds it; a kernel's parameters are none of a lowering's."""
    for site in _sites(file):
        own = names.own(site.function, site.at) if site.function else None
        yield Fact(
            KIND,
            site.operator,
            f"torch.ops.{site.operator}",
            file.scope_at(site.at),
            (file.line_at(site.at),),
            site.token,
            owner=f"{MARK}{own}" if own is not None else "",
            detail=CouplingDetail(registrar=site.registrar, operators=(site.operator,)),
        )


def shim_operator(rest: str) -> str:
    """The operator of ``aten`` behind a C shim's name: ``sub__Tensor`` is ``sub_``, ``var_correction`` is ``var``.

    Upstream's generator joins operator and overload with ``_``; what can only be part of an overload is taken off.
    """
    body = rest.strip("_") or rest
    lead, tail = rest[: rest.index(body)], rest[rest.index(body) + len(body) :]
    if lead == "__":  # `__lshift___Scalar`
        name, joint, _ = body.partition("__")
        return f"__{name}__" if joint or tail else rest
    name, joint, _ = body.partition("__")
    if joint:
        return f"{lead}{name}_"
    words = body.split("_")
    while len(words) > 1 and _OVERLOAD.fullmatch(words[-1]):
        words.pop()
    return lead + "_".join(words) + (tail if len(words) == len(body.split("_")) else "")


def _sites(file: CppFile) -> Iterator[_Site]:
    blocks = list(_blocks(file.code))
    for match in _CALL.finditer(file.code):
        block = next((one for one in blocks if one.start <= match.start() < one.end), None)
        yield from _called(file, match, block)
    for block in blocks:
        for match in _LISTED.finditer(file.code, block.start, block.end):
            if block.namespace != "_":
                name = match["name"].decode()
                yield _Site(f"{block.namespace}.{name}", match["macro"].decode(), match.start("name"), name)
    for match in _found(_STRUCTURED, b"TORCH_", file.code):
        kernel = match["kernel"].decode()
        if not _in_directive(file.code, match.start()):
            name = _KERNEL_TAIL.sub("", kernel)
            yield _Site(f"aten.{name}", match["macro"].decode(), match.start("kernel"), kernel)
    for match in _found(_SHIM, b"AOTITorchError", file.code):
        operator = f"aten.{shim_operator((match['rest'] or match['old']).decode())}"
        yield _Site(operator, "aoti_torch", match.start("word"), match["word"].decode())


def _found(pattern: re.Pattern[bytes], word: bytes, code: bytes) -> Iterable[re.Match[bytes]]:
    """Matches of a pattern that ``word`` is part of: most files have none, and that is seen sooner."""
    return pattern.finditer(code) if word in code else ()


def _blocks(code: bytes) -> Iterator[_Block]:
    for match in _found(_BLOCK, b"TORCH_LIBRARY", code):
        if not _in_directive(code, match.start()):
            end = _closing(code, match.end())
            yield _Block(match["macro"].decode(), match["namespace"].decode(), match.end(), end)


def _closing(code: bytes, at: int) -> int:
    """Where the brace that was opened before ``at`` is closed."""
    depth = 1
    for brace in re.compile(rb"[{}]").finditer(code, at):
        depth += 1 if brace[0] == b"{" else -1
        if depth == 0:
            return brace.start()
    return len(code)


def _called(file: CppFile, match: re.Match[bytes], block: _Block | None) -> Iterator[_Site]:
    """``m.impl("add.Tensor", TORCH_FN(f))``: the literal is read from the text, what follows from the code."""
    first = match.end("quote")
    closing = file.code.find(b'"', first)
    text = file.source.text[first:closing].decode("utf-8", "replace")
    named = _OPERATOR.match(text)
    if closing < 0 or named is None:
        return
    space = named["namespace"] or (block.namespace if block is not None else None)
    if space is None or space == "_":
        return
    statement = file.code[closing : file.code.find(b";", closing)]
    function = _FUNCTION.search(statement) if match["word"] == b"impl" else None
    registrar = block.macro if block is not None else match["word"].decode()
    yield _Site(
        f"{space}.{named['name']}",
        registrar,
        first + named.start("name"),
        named["name"],
        parts_of(function["path"]) if function is not None else (),
    )


def _in_directive(code: bytes, at: int) -> bool:
    """The macro's own definition, or a test for it."""
    return code[code.rfind(b"\n", 0, at) + 1 : at].lstrip().startswith(b"#")
