"""Namespaces, classes and functions of C++ text by its braces alone, for files whose tree macros break.

Read is masked code. A heading is what stands between a brace and the ``;``, ``{`` or ``}`` before it; what it opens is
told by its words. Inside a function nothing is told apart, so ``if`` and lambdas do no harm. Of the branches of an
``#if`` each starts with the braces that were open before it, so that a heading per branch does not unbalance the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple


class BlockKind(Enum):
    NAMESPACE = auto()
    CLASS = auto()
    FUNCTION = auto()


class Block(NamedTuple):
    """``names`` are its dotted parts, those around it included; none for an anonymous or ``extern "C"`` namespace."""

    kind: BlockKind
    names: tuple[str, ...]
    start: int  # of its heading
    name_at: int
    brace: int
    end: int


class _Open(NamedTuple):
    kind: BlockKind | None  # None for braces that open nothing with a name
    names: tuple[str, ...]
    start: int
    name_at: int
    brace: int


_MARK = re.compile(rb"^[ \t]*\#[ \t]*(?P<word>\w*)(?:[^\\\n]|\\.)*|[{};]", re.MULTILINE | re.DOTALL)
_NAMESPACE = re.compile(rb"(?:inline\s+)?namespace(?:\s+(?P<name>[\w:\s]+?))?\s*\Z|\bextern\s*\"\s*\"\s*\Z")
_CLASS = re.compile(
    rb"(?:\A|[^\w<,])(?:enum\s+)?(?:class|struct|union|enum)\s+(?:\w+\s*\([^()]*\)\s*|[A-Z][A-Z0-9_]*\s+|alignas\s*\([^()]*\)\s*)*"
    rb"(?P<name>(?!final\b)[A-Za-z_][\w:]*)(?:\s*<[^{}]*>)?\s*(?:final\s*)?(?::[^:{}][^{}]*)?\Z"
)
_FUNCTION = re.compile(
    rb"(?P<name>(?:[\w:]+::)?\boperator\s*(?:\(\s*\)|[^\s\w(]+|[\w:]+(?:\s*[*&])*)|~?[A-Za-z_][\w:~]*)\s*\("
)
_OPERATOR = re.compile(r"\boperator\b(?P<symbol>.*)\Z", re.DOTALL)
_WRAPPING = re.compile(rb"\A[A-Z][A-Z0-9_]*(?:FUNC|FUNC2)\Z|\A(?:TYPED_)?TEST(?:_[FP])?\Z")
_NOT_A_NAME = frozenset(
    b"if for while switch catch do else try return sizeof decltype alignas noexcept __attribute__ defined".split()
)
_ACCESS = re.compile(rb"\b(?:public|protected|private)\s*:(?!:)")
_TEMPLATE = re.compile(rb"\btemplate\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")
_INITIALISER = re.compile(rb"(?<![=!<>])=(?!=)|\A\s*[,:]")


def blocks_of(code: bytes) -> tuple[Block, ...]:
    """Blocks in source order; an outer one comes before what it holds."""
    return tuple(sorted(_closed(code), key=lambda block: (block.start, -block.end)))


def _closed(code: bytes) -> Iterator[Block]:
    stack: list[_Open] = []
    branches: list[list[_Open]] = []
    heading_from = 0
    for match in _MARK.finditer(code):
        word = match["word"]
        if word is not None:
            if word in (b"if", b"ifdef", b"ifndef"):
                branches.append(list(stack))
            elif word in (b"else", b"elif") and branches:
                yield from _ended(stack, branches[-1], match.start())
                stack, heading_from = list(branches[-1]), match.end()
            elif word == b"endif" and branches:
                branches.pop()
            continue
        character = match[0]
        if character == b"{":
            stack.append(_opened(code, heading_from, match.start(), stack))
        elif character == b"}" and stack:
            yield from _block(stack.pop(), match.end())
        heading_from = match.end()
    while stack:
        yield from _block(stack.pop(), len(code))


def _ended(stack: list[_Open], before: list[_Open], end: int) -> Iterator[Block]:
    """What one branch of an ``#if`` opened and left open: the next branch opens it anew."""
    for opened in stack:
        if opened not in before:
            yield from _block(opened, end)


def _block(opened: _Open, end: int) -> Iterator[Block]:
    if opened.kind is not None:
        yield Block(opened.kind, opened.names, opened.start, opened.name_at, opened.brace, end)


def _opened(code: bytes, start: int, brace: int, stack: list[_Open]) -> _Open:
    around = stack[-1].names if stack else ()
    named = next((one for one in reversed(stack) if one.kind is not None), None)
    hidden = any(one.kind in (None, BlockKind.FUNCTION) for one in stack)
    heading = _MARK.sub(_blank, code[start:brace])  # directives are no part of a heading
    heading = _ACCESS.sub(_blank, heading)
    begins = start + len(heading) - len(heading.lstrip())
    heading = _TEMPLATE.sub(_blank, heading)
    if hidden:
        return _Open(None, named.names if named is not None else (), begins, begins, brace)
    space = _NAMESPACE.search(heading)
    if space is not None:
        parts = _parts(space["name"] or b"")
        return _Open(BlockKind.NAMESPACE, around + parts, begins, begins, brace)
    held = _CLASS.search(heading)
    if held is not None:
        at = start + held.start("name")
        return _Open(BlockKind.CLASS, around + _parts(held["name"]), begins, at, brace)
    function = None if _INITIALISER.search(_outside_brackets(heading)) else _function(heading)
    if function is not None:
        name, at = function
        return _Open(BlockKind.FUNCTION, around + name, begins, start + at, brace)
    return _Open(None, around, begins, begins, brace)


def _function(heading: bytes) -> tuple[tuple[str, ...], int] | None:
    """Name of the function that a heading begins: the last name before its first bracket that can be one."""
    for match in _FUNCTION.finditer(heading):
        name = match["name"]
        if name in _NOT_A_NAME or heading[: match.start()].count(b"(") != heading[: match.start()].count(b")"):
            continue
        if _WRAPPING.match(name):  # TORCH_IMPL_FUNC(add_out)(…) is add_out, TEST(Suite, case) is Suite.case
            inside = heading[match.end() : heading.find(b")", match.end())].split(b",")
            return tuple(part.strip().decode("utf-8", "replace") for part in inside), match.start()
        return _parts(name), match.start()
    return None


def _outside_brackets(heading: bytes) -> bytes:
    """A heading up to its first bracket: a ``=`` before it makes it a value, one inside it is a default."""
    return heading.partition(b"(")[0].replace(b"operator", b"")


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", match[0])


def _parts(name: bytes) -> tuple[str, ...]:
    """Parts of a name, spelt as `retrieval.cpp_names` does: ``operator()``, ``operator bool``."""
    text = name.decode("utf-8", "replace")
    operator = _OPERATOR.search(text)
    before = text if operator is None else text[: operator.start()]
    parts = [part.strip() for part in before.split("::") if part.strip()]
    if operator is not None:
        symbol = "".join(operator["symbol"].split())
        parts.append(f"operator {symbol}" if symbol[:1].isalpha() else f"operator{symbol}")
    return tuple(parts)
