"""One Python file, parsed once: its definitions as scopes, its syntax nodes by type, and where every byte belongs.

Positions are byte offsets into ``data``, which is the file as `retrieval.syntax` normalises it (no byte-order mark, LF
line ends); lines are 1-based, counted by line feeds alone as git does, and are those of the file.

The parse is error tolerant: a file with a syntax error yields what tree-sitter could make of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from tree_sitter import Node

from retrieval.models import MODULE_SCOPE, Language
from retrieval.syntax import captures, parse_source

_NODES = """
(function_definition) @function
(class_definition) @class
(decorated_definition) @decorated
(import_statement) @import
(import_from_statement) @import_from
(assignment) @assignment
(call) @call
(lambda) @lambda
(list_comprehension) @comprehension
(set_comprehension) @comprehension
(dictionary_comprehension) @comprehension
(generator_expression) @comprehension
(for_statement left: (_) @target)
(as_pattern_target) @target
(named_expression name: (identifier) @target)
(case_pattern (dotted_name . (identifier) @target .))
(global_statement) @global
(nonlocal_statement) @nonlocal
(function_definition name: (identifier) @label)
(class_definition name: (identifier) @label)
(keyword_argument name: (identifier) @label)
(import_statement) @opaque
(import_from_statement) @opaque
(future_import_statement) @opaque
(type_conversion) @opaque
(format_specifier) @format
(comment) @comment
(expression_statement . (string) @prose .)
(string_content) @text
"""


_START, _END = attrgetter("start_byte"), attrgetter("end_byte")


class Scope(NamedTuple):
    """A function or class. ``start`` includes decorators; before ``body``, names are those of the scope around it."""

    qualname: str
    is_class: bool
    start: int
    body: int
    end: int
    parent: int  # index into PythonSource.scopes, -1 for the module
    node: Node


class Run(NamedTuple):
    """Bytes from ``start`` on: the scope they belong to, and the scope whose names they see."""

    start: int
    scope: int
    naming: int


class Call(NamedTuple):
    """A call of a plain dotted name: ``callee`` is its last part."""

    node: Node
    function: Node
    arguments: Node
    callee: str


class Assignment(NamedTuple):
    """``left = right``, also within ``a = b = c`` (then ``right`` is the inner assignment of the outer one).

    Brackets around the value are taken off.
    """

    node: Node
    left: Node
    right: Node | None


class PythonSource:
    """``scopes`` are in source order, so a parent always precedes its children."""

    def __init__(self, data: bytes) -> None:
        source = parse_source(data, Language.PYTHON)
        self.data = source.text
        self._captures = captures(source, _NODES)
        self._unsorted = set(self._captures)
        self._line_starts = [0, *accumulate(len(line) + 1 for line in self.data.split(b"\n"))]
        self.scopes = self._find_scopes()
        self._runs = self._partition()
        self._edges = [run.start for run in self._runs]

    def nodes(self, name: str) -> Sequence[Node]:
        """Nodes captured under ``name`` (see ``_NODES``), in source order, an outer one before what it holds."""
        nodes = self.each(name)
        if name in self._unsorted:
            self._unsorted.discard(name)
            nodes.sort(key=_END, reverse=True)
            nodes.sort(key=_START)
        return nodes

    def each(self, name: str) -> list[Node]:
        """The same in no order, as tree-sitter hands them over."""
        return self._captures.get(name, [])

    @cached_property
    def calls(self) -> Sequence[Call]:
        found: list[Call] = []
        for node in self.nodes("call"):
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if function is not None and arguments is not None and function.type in ("identifier", "attribute"):
                found.append(Call(node, function, arguments, self.text(function).rpartition(".")[2].strip()))
        return found

    @cached_property
    def assignments(self) -> Sequence[Assignment]:
        found: list[Assignment] = []
        for node in self.nodes("assignment"):
            left = node.child_by_field_name("left")
            if left is not None:
                found.append(Assignment(node, left, _bare(node.child_by_field_name("right"))))
        return found

    @cached_property
    def _text_starts(self) -> Sequence[int]:
        return [node.start_byte for node in self.nodes("text")]

    def texts_in(self, node: Node) -> Sequence[Node]:
        """Contents of the string literals inside ``node``; an f-string has several."""
        starts = self._text_starts
        return self.nodes("text")[bisect_left(starts, node.start_byte) : bisect_left(starts, node.end_byte)]

    def literal(self, node: Node) -> Node | None:
        """The content of a plain string literal; null for anything else, f-strings with expressions included."""
        parts = node.named_children if node.type == "string" else []
        texts = [part for part in parts if part.type == "string_content"]
        return texts[0] if len(texts) == 1 and len(parts) == 3 else None

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line_at(self, position: int) -> int:
        return bisect_right(self._line_starts, position)

    def lines_at(self, positions: Sequence[int]) -> list[int]:
        starts = self._line_starts
        return [bisect_right(starts, position) for position in positions]

    def scope_at(self, position: int) -> int:
        """Index of the innermost scope that holds the byte, -1 at module level."""
        return self._runs[bisect_right(self._edges, position) - 1].scope

    def naming_scope_at(self, position: int) -> int:
        """Index of the scope whose names the byte sees: decorators, defaults and bases see those around."""
        return self._runs[bisect_right(self._edges, position) - 1].naming

    def qualname(self, scope: int) -> str:
        return MODULE_SCOPE if scope < 0 else self.scopes[scope].qualname

    def _find_scopes(self) -> list[Scope]:
        found = [(node, False) for node in self.each("function")] + [(node, True) for node in self.each("class")]
        found.sort(key=lambda pair: pair[0].start_byte)
        decorated = self._decorated()
        scopes: list[Scope] = []
        open_: list[int] = []
        for node, is_class in found:
            name = node.child_by_field_name("name")
            if name is None:
                continue
            start = decorated.get(node.start_byte, node.start_byte)
            while open_ and scopes[open_[-1]].end <= start:
                open_.pop()
            parent = open_[-1] if open_ else -1
            prefix = f"{scopes[parent].qualname}." if parent >= 0 else ""
            body = node.child_by_field_name("body")
            header_end = body.start_byte if body is not None else node.end_byte
            open_.append(len(scopes))
            scopes.append(Scope(prefix + self.text(name), is_class, start, header_end, node.end_byte, parent, node))
        return scopes

    def _decorated(self) -> dict[int, int]:
        """Where the decorators of a definition start, by its own start. (`Node.parent` walks down from the root.)"""
        found: dict[int, int] = {}
        for node in self.each("decorated"):
            definition = node.child_by_field_name("definition")
            if definition is not None:
                found[definition.start_byte] = node.start_byte
        return found

    def runs(self) -> Sequence[Run]:
        """The whole file, cut where the innermost scope or the names in sight change; the first run starts at 0."""
        return self._runs

    def _partition(self) -> list[Run]:
        runs = [Run(0, -1, -1)]
        open_: list[int] = []

        def switch(run: Run) -> None:
            if runs[-1].start == run.start:
                runs.pop()
            runs.append(run)

        def close_until(position: int) -> None:
            while open_ and self.scopes[open_[-1]].end <= position:
                ended = open_.pop()
                outer = open_[-1] if open_ else -1
                switch(Run(self.scopes[ended].end, outer, outer))

        for index, scope in enumerate(self.scopes):
            close_until(scope.start)
            switch(Run(scope.start, index, scope.parent))
            switch(Run(scope.body, index, index))
            open_.append(index)
        close_until(len(self.data) + 1)
        return runs


def _bare(value: Node | None) -> Node | None:
    while value is not None and value.type == "parenthesized_expression":
        value = next((child for child in value.named_children if child.type != "comment"), None)
    return value
