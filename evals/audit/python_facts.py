"""What Python's own parser says about one line of a file: its scope, and the statements that stand on it.

A scope follows the convention of the ledger: the innermost ``def`` or ``class`` around the line, decorators and header
included; ``<module>`` outside of all. The facts are deliberately shallow: whether a line *is* an import, a class header
with a base, an assignment to an attribute or an entry, a registering call or decorator, a method of a derived class, a
part of a list that a name is bound to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

MODULE = "<module>"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SETTERS = {"setattr", "object"}  # mock.patch.object among them
_FILLERS = {"append", "extend", "insert", "update", "add", "setdefault", "register"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(slots=True)
class LineFacts:
    """Facts of the statements that cover one line. Names are last components, as written or assigned."""

    imports: bool = False
    derived_classes: set[str] = field(default_factory=set)  # classes with a base whose header covers the line
    methods: set[str] = field(default_factory=set)  # functions and names set directly in such a class
    replaced: set[str] = field(default_factory=set)  # attributes and registries that get a value put into them
    called: set[str] = field(default_factory=set)  # callees and decorators
    listing: set[str] = field(default_factory=set)  # names bound to a list, set or tuple display that covers the line
    defined: set[str] = field(default_factory=set)  # functions and classes whose header covers the line


class PythonFile:
    """Raises SyntaxError for a file that Python cannot parse. Lines are 1-based."""

    def __init__(self, source: bytes) -> None:
        self._tree = ast.parse(source)
        self._scopes = list(_scopes(self._tree, ""))

    def scope_at(self, line: int) -> str:
        around = [(first, name) for first, last, name in self._scopes if first <= line <= last]
        return max(around)[1] if around else MODULE

    def facts_at(self, line: int) -> LineFacts:
        facts = LineFacts()
        for node in _covering(self._tree, line):
            if isinstance(node, ast.ClassDef) and node.bases:
                if line <= max(node.lineno, node.body[0].lineno - 1):
                    facts.derived_classes.add(node.name)
                facts.methods |= {name for part in node.body if _covers(part, line) for name in _set_in_class(part)}
            if isinstance(node, _DEFINITIONS):
                if line <= max(node.lineno, node.body[0].lineno - 1):
                    facts.defined.add(node.name)
                facts.called |= {name for part in node.decorator_list if _covers(part, line) for name in _callee(part)}
            else:
                _note(node, facts)
        return facts


def _covering(node: ast.AST, line: int) -> Iterator[ast.AST]:
    """Nodes whose lines hold ``line``, outermost first; those without lines of their own (arguments) are passed."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.expr) and not _covers(child, line):
            continue
        yield child
        yield from _covering(child, line)


def _scopes(node: ast.AST, around: str) -> Iterator[tuple[int, int, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _DEFINITIONS):
            name = f"{around}.{child.name}" if around else child.name
            yield _first_line(child), child.end_lineno or child.lineno, name
            yield from _scopes(child, name)
        else:
            yield from _scopes(child, around)


def _first_line(node: Definition) -> int:
    return min([node.lineno, *(part.lineno for part in node.decorator_list)])


def _covers(node: ast.stmt | ast.expr, line: int) -> bool:
    first = _first_line(node) if isinstance(node, _DEFINITIONS) else node.lineno
    return first <= line <= (node.end_lineno or node.lineno)


def _note(node: ast.AST, facts: LineFacts) -> None:
    match node:
        case ast.Import() | ast.ImportFrom():
            facts.imports = True
        case ast.Assign(targets=targets, value=value):
            facts.replaced |= {name for target in targets for name in _replaced(target)}
            facts.listing |= {name for target in targets for name in _lists(target, value)}
        case ast.AnnAssign(target=ast.Name() as target, value=value):
            facts.listing |= _lists(target, value)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            facts.replaced |= _replaced(target)
        case ast.Call(func=func, args=args):
            facts.called |= _callee(func)
            facts.replaced |= _filled(func, args)
        case _:
            pass


def _filled(func: ast.expr, args: list[ast.expr]) -> set[str]:
    """What a call replaces or fills: ``setattr(x, "name", f)``, ``registry.append(f)``, ``wraps(original)``."""
    called = "".join(_callee(func))
    if called in _SETTERS:
        return {str(part.value) for part in args[1:2] if isinstance(part, ast.Constant)}
    if called == "wraps":
        return {name for part in args[:1] for name in _names(part)[-1:]}
    if called in _FILLERS and isinstance(func, ast.Attribute):
        return set(_names(func.value)[-1:])
    return set()


def _replaced(target: ast.expr) -> set[str]:
    """What an assignment to ``target`` replaces: an attribute, or an entry (holder and key); never a plain name."""
    if isinstance(target, ast.Tuple | ast.List):
        return {name for part in target.elts for name in _replaced(part)}
    if isinstance(target, ast.Attribute):
        return {target.attr}
    if isinstance(target, ast.Subscript):
        key = [str(target.slice.value)] if isinstance(target.slice, ast.Constant) else _names(target.slice)
        return {*key, *_names(target.value)}
    return set()


def _lists(target: ast.expr, value: ast.expr | None) -> set[str]:
    return {target.id} if isinstance(target, ast.Name) and isinstance(value, ast.List | ast.Set | ast.Tuple) else set()


def _set_in_class(part: ast.stmt) -> set[str]:
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
        return {part.name}
    if isinstance(part, ast.Assign):
        return {target.id for target in part.targets if isinstance(target, ast.Name)}
    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
        return {part.target.id}
    return set()


def _callee(node: ast.expr) -> set[str]:
    """Last name of what is called, also through curried calls: ``register(op)(f)`` calls ``register``."""
    while isinstance(node, ast.Call):
        node = node.func
    return set(_names(node)[-1:])


def _names(node: ast.expr) -> list[str]:
    """Components of a dotted expression, outermost last; calls and entries inside it are looked through."""
    if isinstance(node, ast.Attribute):
        return [*_names(node.value), node.attr]
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Call):
        return _names(node.func)
    if isinstance(node, ast.Subscript):
        return _names(node.value)
    return []
