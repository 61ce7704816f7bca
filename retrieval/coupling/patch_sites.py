"""Where a file puts something of its own into an object of another module: every form of assignment patch.

``ir.View.create = f`` · ``setattr(ir.View, "create", f)`` · ``ir.View.__dict__["create"] = f`` ·
``registry[key] = f`` · ``registry.append(f)`` and its like · ``@functools.wraps(ir.View.create)``.

The trap: ``k = ir.View(…)`` followed by ``k.layout = x`` changes one object, not the class. Such instances, and what
hangs off them, are no sites; neither are the file's own names and config flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.config import is_flag
from retrieval.coupling.facts import OWN
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.python_source import Call

# Methods that fill a registry, and how many arguments they take at most: `ops.add(a, b)` adds two numbers.
_FILLING = {"append": 1, "extend": 1, "insert": 2, "update": 9, "add": 1, "setdefault": 2, "register": 9}
_SEQUENCES = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple", "list"})
_PLAIN = frozenset({"identifier", "attribute"})


class Site(NamedTuple):
    """``target`` is replaced by ``value`` (null for ``wraps``); the last line of ``at`` holds ``token``.

    ``is_entry`` tells a registry that gets a further entry: then there is no one original.
    """

    target: str
    value: Node | None
    at: Node
    token: str
    is_entry: bool = False


def patch_sites(file: PythonFile) -> Iterator[Site]:
    """Every site, assignments first, each group in source order. Alternative imports give one site each."""
    for _, left, right in file.source.assignments:
        if left.type == "identifier":  # most assignments; such a name is the file's own
            continue
        for target, value in _pairs(left, right):
            yield from _assigned(file, target, value)
    for call in file.source.calls:
        yield from _called(file, call)


def _pairs(left: Node, right: Node | None) -> Iterator[tuple[Node, Node]]:
    """(target, value) of an assignment: the innermost value of ``a = b = c``, pairwise for ``a, b = c, d``."""
    while right is not None and right.type == "assignment":
        right = right.child_by_field_name("right")
    if right is None:
        return
    if left.type not in _SEQUENCES:
        yield left, right
        return
    values = right.named_children if right.type in _SEQUENCES else []
    matched = len(values) == len(left.named_children)
    for at, target in enumerate(left.named_children):
        yield target, values[at] if matched else right


def _assigned(file: PythonFile, target: Node, value: Node) -> Iterator[Site]:
    if target.type == "attribute":
        yield from _sites(file, target, value)
    elif target.type == "subscript":
        holder, key = target.child_by_field_name("value"), target.child_by_field_name("subscript")
        if holder is None or key is None or holder.type not in _PLAIN:
            return
        names = file.names(holder)
        if names is not None and names[-1] == "__dict__":
            literal = file.source.literal(key)
            owner = holder.child_by_field_name("object")
            if literal is not None and owner is not None:
                yield from _members(file, owner, literal, value)
        else:
            yield from _sites(file, holder, value, is_entry=True)


def _called(file: PythonFile, call: Call) -> Iterator[Site]:
    if call.callee in _FILLING:
        holder = call.function.child_by_field_name("object")
        if holder is not None and _replaced(file, holder):
            values = _values(call)
            if values and len(values) <= _FILLING[call.callee]:
                yield from _sites(file, holder, values[-1], is_entry=True)
    elif call.callee in ("setattr", "object", "wraps"):
        positional = _positional(call)
        if call.callee == "wraps" and positional:
            yield from _sites(file, positional[0], None)
        elif len(positional) >= 3 and _sets_attribute(file, call):
            literal = file.source.literal(positional[1])
            if literal is not None:
                yield from _members(file, positional[0], literal, positional[2])


def _sets_attribute(file: PythonFile, call: Call) -> bool:
    """``setattr`` itself, or ``patch.object`` of a mocking library."""
    names = file.names(call.function)
    return names is not None and (names == ("setattr",) or names[-2:] == ("patch", "object"))


def _values(call: Call) -> list[Node]:
    """The arguments; of ``update(key=f)`` the values."""
    values = (child.child_by_field_name("value") for child in call.arguments.named_children)
    return _positional(call) or [value for value in values if value is not None]


def _positional(call: Call) -> list[Node]:
    return [child for child in call.arguments.named_children if child.type not in ("keyword_argument", "comment")]


def _sites(file: PythonFile, chain: Node, value: Node | None, *, is_entry: bool = False) -> Iterator[Site]:
    """The object that ``chain`` names is replaced or filled."""
    for target, name in _replaced(file, chain):
        yield Site(target, value, chain, name, is_entry)


def _replaced(file: PythonFile, chain: Node) -> Sequence[tuple[str, str]]:
    """(target, last name) of what the chain ``chain`` stands for, as far as that can be replaced or filled."""
    targets = file.resolve(chain)
    names = file.names(chain) if targets else None
    if names is None or not any(map(_replaceable, targets)) or _is_instance(file, names, chain):
        return ()
    return [(target, names[-1]) for target in targets if _replaceable(target)]


def _members(file: PythonFile, owner: Node, name: Node, value: Node) -> Iterator[Site]:
    """The member of ``owner`` that the string ``name`` names is replaced."""
    member, names = file.source.text(name), file.names(owner)
    if not member.isidentifier() or names is None or _is_instance(file, (*names, member), owner):
        return
    for target in file.resolve(owner):
        if _replaceable(f"{target}.{member}"):
            yield Site(f"{target}.{member}", value, name, member)


def _is_instance(file: PythonFile, names: tuple[str, ...], at: Node) -> bool:
    return file.bindings.holds_instance(names, file.source.naming_scope_at(at.start_byte), at.start_byte)


def _replaceable(target: str) -> bool:
    """A member of an imported module or class, but not of what such a member holds (``V.graph.x``)."""
    names = target.lstrip(".").split(".")
    if target.startswith(OWN) or len(names) < 2 or is_flag(target) or not names[0]:
        return False
    # By its name `torch._C` looks like a class, and is a module.
    classes = [at for at, name in enumerate(names) if name.lstrip("_")[:1].isupper() and name != "_C"]
    return not classes or len(names) - 1 - classes[-1] <= 1
