"""Tokens of Python code in layers, so that two bodies can be compared for what they do rather than how they look.

The stream is a flattened syntax tree: leaf texts between markers for the nodes that hold them. White space, line
breaks, redundant parentheses, trailing commas and the quotes of strings leave no trace, because grouping lives in the
markers. Each token has a layer (``definitions.Layer``): comments, docstrings, annotations, typing imports, casts, log
calls and messages are present but marked, so a comparison can leave them out.

``assert x, m`` and ``if not x: raise AssertionError(m)`` give the same ``CODE`` tokens: both raise under the negation
of ``x``, written in one normal form. How it was spelt, and the message, are in the layer ``ASSERT``.

The walk is a loop over an explicit stack; depth costs no recursion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set

from tree_sitter import Node

from retrieval.definitions import CLOSE, OPEN, Layer, Token
from retrieval.syntax import Source

type_comment = re.compile(r"#\s*(?:type|mypy|pyre|pyright|pyrefly|ty)(?:-\w+)?\s*:").match
_LOG_CALL = re.compile(
    r"(?:\w+\.)*(?:\w*_)?(?:log|logger|logging|LOG|LOGGER|warnings)\."
    r"(?:debug|info|warning|warn|error|exception|critical|fatal|log|log_once|warning_once|warn_once|info_once)"
    r"|(?:\w+\.)*(?:print|trace_structured|warning_once|warn_once|log_once)"
)
_TYPING_MODULES = ("typing", "typing_extensions", "collections.abc", "__future__")
_CASTS = ("cast", "typing.cast")
_SILENT = frozenset("(),;")
_TRANSPARENT = frozenset({"parenthesized_expression", "typed_parameter"})
_SAME_SHAPE = {
    "expression_list": "tuple",
    "pattern_list": "tuple",
    "tuple_pattern": "tuple",
    "typed_default_parameter": "default_parameter",
}
_NEGATED = {
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
_MAX_CONDITION_DEPTH = 60  # nested and/or/not that are put into normal form; deeper ones are compared as they stand

_Item = tuple[Node | str, Layer]  # a node still to be walked, or a finished token
_Handler = Callable[[Source, Node, Layer], "list[_Item] | None"]


def tokens_of(source: Source, node: Node, skip: Set[int]) -> list[Token]:
    """Tokens of ``node`` in order; nodes whose ids are in ``skip`` are left out."""
    out: list[Token] = []
    stack: list[_Item] = [(node, Layer.CODE)]
    handlers = _HANDLERS
    while stack:
        item, layer = stack.pop()
        if isinstance(item, str):
            out.append((item, layer))
            continue
        if skip and item.id in skip:
            continue
        handler = handlers.get(item.type)
        items = handler(source, item, layer) if handler is not None else None
        if items is not None:
            stack.extend(reversed(items))
            continue
        children = item.children
        if not children:
            text = source.cut(item)
            if text and text not in _SILENT:
                out.append((text, layer))
        elif item.type in _TRANSPARENT:
            stack.extend([(child, layer) for child in reversed(children)])
        else:
            out.append((OPEN + _SAME_SHAPE.get(item.type, item.type), layer))
            stack.append((CLOSE, layer))
            stack.extend([(child, layer) for child in reversed(children)])
    return out


def is_log_call(source: Source, statement: Node) -> bool:
    """Is an expression statement nothing but a log, print or warning call?"""
    call = statement.named_child(0) if statement.named_child_count == 1 else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
    return function is not None and _LOG_CALL.fullmatch(source.folded(function)) is not None


def _marked(node: Node, items: list[_Item], layer: Layer) -> list[_Item]:
    kind = _SAME_SHAPE.get(node.type, node.type)
    return [(OPEN + kind, layer), *items, (CLOSE, layer)]


def _comment(source: Source, node: Node, layer: Layer) -> list[_Item]:
    text = source.folded(node)
    return [(text, Layer.TYPE_COMMENT if type_comment(text) else Layer.COMMENT)]


def _string(source: Source, node: Node, layer: Layer) -> list[_Item]:
    items: list[_Item] = []
    for child in node.children:
        if child.type == "string_start":
            items.append(("'" + source.cut(child).rstrip("'\"").lower().replace("u", ""), layer))
        elif child.type == "string_content":
            items.append((source.cut(child), layer))
        elif child.type != "string_end":
            items.append((child, layer))
    return [*items, (CLOSE, layer)]


def _typed(source: Source, node: Node, layer: Layer) -> list[_Item]:
    """Everything below is there for the type checker only."""
    children = node.children
    if not children:
        return [(source.cut(node), Layer.TYPING)]
    return _marked(node, [(child, Layer.TYPING) for child in children], Layer.TYPING)


def _without_colons(source: Source, node: Node, layer: Layer) -> list[_Item]:
    items: list[_Item] = [(child, layer) for child in node.children if child.type not in (":", "->")]
    return items if node.type in _TRANSPARENT else _marked(node, items, layer)


def _assignment(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    if node.child_by_field_name("type") is None:
        return None
    return _without_colons(source, node, layer)


def _is_field(assignment: Node) -> bool:
    """A bare ``x: int`` of a class body declares a field, anywhere else it declares nothing."""
    statement = assignment.parent
    block = statement.parent if statement is not None else None
    return block is not None and block.parent is not None and block.parent.type == "class_definition"


def _class(source: Source, node: Node, layer: Layer) -> list[_Item]:
    def kept(child: Node) -> bool:
        return child.type != ":" and not (child.type == "argument_list" and not child.named_child_count)

    return _marked(node, [(child, layer) for child in node.children if kept(child)], layer)


def _statement(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    inner = node.named_child(0) if node.named_child_count == 1 else None
    if inner is not None and inner.type in ("string", "concatenated_string"):
        return [(inner, Layer.DOC)]
    if inner is not None and inner.type == "assignment" and inner.child_by_field_name("right") is None:
        return None if _is_field(inner) else _typed(source, node, layer)
    if is_log_call(source, node):
        return [(child, Layer.LOGGING) for child in node.children]
    return None


def _pass(source: Source, node: Node, layer: Layer) -> list[_Item]:
    return [("pass", Layer.DOC)]


def _nothing(source: Source, node: Node, layer: Layer) -> list[_Item]:
    return []


def _call(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.named_child_count != 2:
        return None
    if source.folded(function) not in _CASTS:
        return None
    kind, value = arguments.named_children
    return [(OPEN + "cast", Layer.TYPING), (kind, Layer.TYPING), (CLOSE, Layer.TYPING), (value, layer)]


def _import(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    module = node.child_by_field_name("module_name") or node.child_by_field_name("name")
    typing = node.type == "future_import_statement" or (
        module is not None and source.folded(module).split(" ")[0] in _TYPING_MODULES
    )
    return _typed(source, node, layer) if typing else None


def _raise(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    """Arguments of an exception that are all text are a message."""
    call = node.named_child(0) if node.named_child_count else None
    arguments = call.child_by_field_name("arguments") if call is not None and call.type == "call" else None
    if call is None or arguments is None or layer is not Layer.CODE:
        return None
    if any(child.type not in ("string", "concatenated_string", "comment") for child in arguments.named_children):
        return None
    function = call.child_by_field_name("function")
    items: list[_Item] = [("raise", layer)]
    items.extend([(function, layer)] if function is not None else [])
    items.extend((child, Layer.LOGGING) for child in arguments.named_children)
    items.extend((child, layer) for child in node.named_children[1:])
    return _marked(node, items, layer)


def _assert(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    parts = [child for child in node.named_children if child.type != "comment"]
    if not parts or layer is not Layer.CODE:
        return None
    return _raised_if(source, parts[0], True, "assert", parts[1:])


def _if(source: Source, node: Node, layer: Layer) -> list[_Item] | None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is None or body is None or node.child_by_field_name("alternative") is not None:
        return None
    if source.folded(condition) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return _typed(source, node, layer)
    statements = [child for child in body.named_children if child.type != "comment"]
    if len(statements) != 1 or statements[0].type != "raise_statement" or layer is not Layer.CODE:
        return None
    raised = statements[0].named_children
    if len(raised) != 1:  # bare, or ``raise … from …``
        return None
    error, message = raised[0], raised[0].child_by_field_name("arguments")
    if error.type == "call":
        function = error.child_by_field_name("function")
        if function is None:
            return None
        error = function
    if source.folded(error) != "AssertionError":
        return None
    return _raised_if(source, condition, False, "raise", [] if message is None else message.named_children)


def _raised_if(source: Source, condition: Node, negated: bool, spelling: str, message: list[Node]) -> list[_Item]:
    items: list[_Item] = [(OPEN + "assertion", Layer.CODE), *_condition(source, condition, negated, 0)]
    items.append((spelling, Layer.ASSERT))
    items.extend((child, Layer.ASSERT) for child in message)
    return [*items, (CLOSE, Layer.CODE)]


def _condition(source: Source, node: Node, negated: bool, depth: int) -> list[_Item]:
    """A condition in negation normal form: ``not`` stands before atoms only, comparisons absorb it."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_child(0)
        if inner is None:
            break
        node = inner
    if depth < _MAX_CONDITION_DEPTH:
        argument = node.child_by_field_name("argument")
        if node.type == "not_operator" and argument is not None:
            return _condition(source, argument, not negated, depth + 1)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if node.type == "boolean_operator" and left is not None and right is not None and operator is not None:
            word = operator.type if not negated else {"and": "or", "or": "and"}[operator.type]
            parts = [*_condition(source, left, negated, depth + 1), *_condition(source, right, negated, depth + 1)]
            return [(OPEN + word, Layer.CODE), *parts, (CLOSE, Layer.CODE)]
    parts_ = node.children
    if node.type == "comparison_operator" and len(parts_) == 3 and parts_[1].type in _NEGATED:
        word = _NEGATED[parts_[1].type] if negated else parts_[1].type
        return [(parts_[0], Layer.CODE), (word, Layer.CODE), (parts_[2], Layer.CODE)]
    return [("not", Layer.CODE), (node, Layer.CODE)] if negated else [(node, Layer.CODE)]


_HANDLERS: dict[str, _Handler] = {
    "comment": _comment,
    "string": _string,
    "type": _typed,
    "type_parameter": _typed,
    "typed_parameter": _without_colons,
    "typed_default_parameter": _without_colons,
    "function_definition": _without_colons,
    "class_definition": _class,
    "assignment": _assignment,
    "expression_statement": _statement,
    "pass_statement": _pass,
    "line_continuation": _nothing,
    "call": _call,
    "import_statement": _import,
    "import_from_statement": _import,
    "future_import_statement": _import,
    "raise_statement": _raise,
    "assert_statement": _assert,
    "if_statement": _if,
}
