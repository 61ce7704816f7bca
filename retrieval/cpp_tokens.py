"""Tokens of C++ code in layers (``definitions.Layer``): comments, and what is only logged or said, are marked.

Leaf texts are enough here: unlike in Python, nothing but white space and comments is free. Macros that were blanked
for the parser are tokens too, taken from the gaps between leaves.
"""

from __future__ import annotations

import re
from collections.abc import Set

from tree_sitter import Node

from retrieval.definitions import Layer, Token
from retrieval.syntax import Source

_LOG = re.compile(r"(?:TORCH_WARN\w*|V?LOG(?:_\w+)?|D?LOG|printf|fprintf|std::(?:cout|cerr)|TORCH_LOG\w*)\b")
_CHECK = re.compile(r"TORCH_(?:CHECK\w*|INTERNAL_ASSERT\w*)|C10_CHECK\w*|AT_ERROR|TORCH_FATAL")
_LONGEST_GAP = 200  # bytes of macros in front of one definition
_MACRO_WORD = re.compile(r"\w+|[^\w\s]")
_WHOLE = frozenset({"raw_string_literal", "system_lib_string", "char_literal"})


def tokens_of(source: Source, node: Node, skip: Set[int]) -> list[Token]:
    """Tokens of ``node`` in order; nodes whose ids are in ``skip`` are left out."""
    out: list[Token] = []
    stack: list[tuple[Node, Layer]] = [(node, Layer.CODE)]
    position = _before_macros(source, node.start_byte)
    while stack:
        current, layer = stack.pop()
        if current.id in skip:
            position = current.end_byte
            continue
        if current.type == "comment":
            _gap(source, position, current.start_byte, layer, out)
            out.append((source.folded(current), Layer.COMMENT))
            position = current.end_byte
        elif current.type == "preproc_arg":  # the body of a macro, one leaf with its line continuations
            out.extend((word, layer) for word in _MACRO_WORD.findall(source.cut(current).replace("\\\n", " ")))
            position = current.end_byte
        elif not current.child_count or current.type in _WHOLE:
            _gap(source, position, current.start_byte, layer, out)
            text = source.cut(current)
            if text and not text.isspace():
                out.append((text, layer))
            position = max(position, current.end_byte)
        else:
            children = _layered(source, current, layer)
            stack.extend(reversed(children))
    return out


def _before_macros(source: Source, start: int) -> int:
    """Where what was blanked right before a node begins: the node itself starts behind it."""
    before = source.data[max(start - _LONGEST_GAP, 0) : start]
    return start - len(before) + len(before.rstrip())


def _gap(source: Source, start: int, end: int, layer: Layer, out: list[Token]) -> None:
    """What was blanked between two leaves."""
    if start < end and source.data is not source.text:
        out.extend((word, layer) for word in source.text[start:end].decode("utf-8", "replace").split())


def _layered(source: Source, node: Node, layer: Layer) -> list[tuple[Node, Layer]]:
    children = node.children
    if node.type == "expression_statement" and _LOG.match(source.cut(node)[:80]):
        return [(child, Layer.LOGGING) for child in children]
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is not None and arguments is not None and _CHECK.fullmatch(source.folded(function)):
            said = [(child, Layer.LOGGING if index > 1 else layer) for index, child in enumerate(arguments.children)]
            return [(function, layer), *said]
    return [(child, layer) for child in children]
