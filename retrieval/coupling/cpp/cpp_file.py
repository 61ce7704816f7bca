"""What every C++ kind reads: one file, its code without comments and literals, and what stands around each byte.

Scopes are the definitions of `retrieval.symbols`, prototypes included. Where macros broke the tree (it holds ``ERROR``
nodes) namespaces, classes and functions are told by their braces instead (`blocks`), and the tree is asked for
prototypes alone. Names are read from the code as text in either case.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from retrieval.coupling.cpp.blocks import Block, BlockKind, blocks_of
from retrieval.coupling.cpp.masking import masked
from retrieval.coupling.facts import Shape
from retrieval.cpp_names import name_parts
from retrieval.definitions import Definition
from retrieval.models import MODULE_SCOPE, DefinitionKind, Language, ParameterKind
from retrieval.symbols import definitions_of
from retrieval.syntax import captures, line_span, parse_source

_IN_WORD = re.compile(rb"\w")
_CALLABLE = (DefinitionKind.FUNCTION, DefinitionKind.METHOD)


class Scope(NamedTuple):
    """A namespace (``kind`` null), class or function. ``body`` is its first brace, -1 when it is only declared."""

    qualname: str
    kind: DefinitionKind | None
    start: int
    end: int
    name_line: int
    body: int
    definition: Definition | None = None


class CppFile:
    def __init__(self, data: bytes) -> None:
        source = self.source = parse_source(data, Language.CPP)
        self.text, self.code = masked(source.text)
        self._line_starts = [0, *(match.end() for match in re.finditer(rb"\n", source.text))]
        definitions = definitions_of(source)
        self.is_broken = source.root.has_error and bool(captures(source, "(ERROR) @error").get("error"))
        found = self._read_by_braces(definitions) if self.is_broken else self._read_tree(definitions)
        self.scopes: Sequence[Scope] = sorted(found, key=lambda scope: (scope.start, -scope.end))
        self.variables = frozenset(one.qualname for one in definitions if one.kind is DefinitionKind.VARIABLE)
        self._starts, self._innermost, self._outer = _nested(self.scopes)

    def line_at(self, byte: int) -> int:
        return bisect_right(self._line_starts, byte)

    def around(self, byte: int) -> Iterator[Scope]:
        """Scopes that hold a byte, innermost first."""
        index = self.innermost_at(byte)
        while index >= 0:
            yield self.scopes[index]
            index = self._outer[index]

    def innermost_at(self, byte: int) -> int:
        """Index of the innermost scope that holds a byte, -1 outside of all."""
        at = bisect_right(self._starts, byte) - 1
        return self._innermost[at] if at >= 0 else -1

    def scope_at(self, byte: int) -> str:
        """Qualname of the definition around a byte; a namespace is none."""
        for scope in self.around(byte):
            return scope.qualname if scope.kind is not None else MODULE_SCOPE
        return MODULE_SCOPE

    @cached_property
    def defined(self) -> frozenset[str]:
        """Qualnames of everything this file defines or declares, namespaces aside."""
        return self.variables.union(scope.qualname for scope in self.scopes if scope.kind is not None)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        return frozenset(scope.qualname for scope in self.scopes if scope.kind is None and scope.qualname)

    @cached_property
    def classes(self) -> Sequence[Scope]:
        return [scope for scope in self.scopes if scope.kind is DefinitionKind.CLASS]

    @cached_property
    def callables(self) -> Sequence[Scope]:
        """Functions and methods, declared ones included; macros are none."""
        found = (scope for scope in self.scopes if scope.kind in _CALLABLE)
        return [one for one in found if one.definition is None or one.definition.node.type != "preproc_function_def"]

    def lines(self, scope: Scope) -> tuple[int, int]:
        """First and last line of a scope."""
        if scope.definition is not None:
            return scope.definition.start_line, scope.definition.end_line
        return self.line_at(scope.start), self.line_at(max(scope.start, scope.end - 1))

    def named_at(self, scope: Scope, name: str) -> int:
        """The line on which the last part of its name stands: ``Foo::⏎bar`` begins on another one."""
        at = self.code.find(name.encode(), self._line_starts[scope.name_line - 1], scope.end)
        while at >= 0 and not self._is_whole_word(at, len(name)):
            at = self.code.find(name.encode(), at + 1, scope.end)
        return self.line_at(at) if at >= 0 else scope.name_line

    def _is_whole_word(self, at: int, length: int) -> bool:
        """A pattern per name would have to be compiled for each: that takes longer than all the rest."""
        around = self.code[at - 1 : at] + self.code[at + length : at + length + 1]
        return _IN_WORD.search(around) is None

    def _read_tree(self, definitions: Sequence[Definition]) -> Iterator[Scope]:
        yield from self._namespaces()
        for one in definitions:
            if one.kind is not DefinitionKind.VARIABLE:
                yield _scope(one, one.qualname)

    def _namespaces(self) -> Iterator[Scope]:
        """With the names of those around them. Never ask a node for its parent: it is looked for from the root down."""
        nodes = captures(self.source, "(namespace_definition) @one").get("one", ())
        around: list[tuple[int, str]] = []  # end, qualname
        for node in sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)):
            while around and around[-1][0] <= node.start_byte:
                around.pop()
            parts = name_parts(self.source, node.child_by_field_name("name"))
            qualname = ".".join((*filter(None, (around[-1][1],) if around else ()), *parts))
            around.append((node.end_byte, qualname))
            yield Scope(qualname, None, node.start_byte, node.end_byte, line_span(node)[0], -1)

    def _read_by_braces(self, definitions: Sequence[Definition]) -> list[Scope]:
        blocks = blocks_of(self.code)
        scopes = [self._of_block(block) for block in blocks]
        starts, innermost, _ = _nested(scopes)
        for one in definitions:
            at = bisect_right(starts, one.whole.start_byte) - 1
            around = scopes[innermost[at]] if at >= 0 and innermost[at] >= 0 else None
            if one.kind in _CALLABLE and one.node.child_by_field_name("body") is None:
                known = around is not None and around.kind is not DefinitionKind.FUNCTION and around.qualname
                if around is None or around.kind in (None, DefinitionKind.CLASS):
                    scopes.append(_scope(one, f"{around.qualname}.{one.name}" if known and around else one.qualname))
        return scopes

    def _of_block(self, block: Block) -> Scope:
        kind = None
        if block.kind is BlockKind.CLASS:
            kind = DefinitionKind.CLASS
        elif block.kind is BlockKind.FUNCTION:
            # As in `cpp_symbols`: classes are capitalised, namespaces are not.
            kind = DefinitionKind.METHOD if block.names[-2:-1] and block.names[-2][:1].isupper() else None
            kind = kind or DefinitionKind.FUNCTION
        qualname = ".".join(block.names)
        return Scope(qualname, kind, block.start, block.end, self.line_at(block.name_at), block.brace)


def _scope(one: Definition, qualname: str) -> Scope:
    body = one.node.child_by_field_name("body")
    first = body.start_byte if body is not None else -1
    return Scope(qualname, one.kind, one.whole.start_byte, one.whole.end_byte, one.name_line, first, one)


def _nested(scopes: Sequence[Scope]) -> tuple[list[int], list[int], list[int]]:
    """Bytes at which the innermost scope changes, that scope from each on (-1 for none), and the one around each."""
    starts, innermost, outer, stack = [0], [-1], [-1] * len(scopes), list[int]()
    for index, scope in enumerate(scopes):
        while stack and scopes[stack[-1]].end <= scope.start:
            starts.append(scopes[stack.pop()].end)
            innermost.append(stack[-1] if stack else -1)
        outer[index] = stack[-1] if stack else -1
        stack.append(index)
        starts.append(scope.start)
        innermost.append(index)
    while stack:
        starts.append(scopes[stack.pop()].end)
        innermost.append(stack[-1] if stack else -1)
    return starts, innermost, outer


def shape_of(scope: Scope) -> tuple[Shape, ...] | None:
    """Parameters by position: C++ callers cannot name them, and an unnamed one goes by its place."""
    if scope.definition is None:
        return None
    variadic = ParameterKind.VAR_POSITIONAL
    return tuple(
        Shape(
            one.name or f"_{at}",
            variadic if one.kind is variadic else ParameterKind.POSITIONAL_OR_KEYWORD,
            one.default is not None,
        )
        for at, one in enumerate(scope.definition.parameters)
    )
