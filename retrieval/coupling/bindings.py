"""What each name in a file stands for, scope by scope, as far as reading the file can tell.

Python's rules, without flow: a name bound anywhere in a function is local to all of it; class bodies are invisible to
their methods; a parameter shadows an import. A scope that both imports and assigns a name (``try: import x`` …
``except: x = None``) keeps the import. Aliases (``raw = ir.View.create``) and instances (``k = ir.View(…)``,
``def f(k: ir.View)``, ``self.k = ir.View(…)``) are followed one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.chains import dotted
from retrieval.coupling.facts import OWN
from retrieval.coupling.python_source import PythonSource

_LOCAL: tuple[str, ...] = ()  # bound, but to nothing that could be named


class Imported(NamedTuple):
    """One imported name. ``target`` is what it stands for, ``bound`` the name it gets; star imports bind ``*``."""

    target: str
    bound: str
    line: int
    scope: int
    token: str  # a word of the target that stands on ``line``


class Bindings:
    """``resolve`` answers null for a name nobody binds (a builtin, or a global from a star import)."""

    def __init__(self, source: PythonSource) -> None:
        self._source = source
        self._names: dict[int, dict[str, tuple[str, ...]]] = {}
        self._imported: set[tuple[int, str]] = set()
        self._globals: set[tuple[int, str]] = set()
        self.imports: list[Imported] = []
        self.stars: list[str] = []
        self._read_globals()
        self._read_imports()
        self._read_definitions()
        self._read_parameters()
        self._read_targets()
        self._read_assignments()

    def resolve(self, names: Sequence[str], scope: int) -> tuple[str, ...] | None:
        """Dotted targets of the chain ``names`` seen from ``scope``.

        An empty tuple means a local of unknown value; several targets come from alternative imports.
        """
        head, rest = names[0], names[1:]
        if head in ("self", "cls") and rest:
            return self._member(rest, scope)
        found = self._lookup(head, scope)
        if not found:
            return found
        return tuple(".".join((target, *rest)) for target in found)

    def enclosing_class(self, scope: int) -> int:
        """Index of the class whose method holds ``scope``, -1 when there is none."""
        while scope >= 0 and not self._source.scopes[scope].is_class:
            scope = self._source.scopes[scope].parent
        return scope

    def _member(self, rest: Sequence[str], scope: int) -> tuple[str, ...]:
        owner = self.enclosing_class(scope)
        if owner < 0:
            return _LOCAL
        known = self._names.get(owner, {}).get(f"self.{rest[0]}")
        if known and len(rest) > 1:
            return tuple(".".join((target, *rest[1:])) for target in known)
        return (".".join((OWN, self._source.scopes[owner].qualname, *rest)),)

    def _lookup(self, name: str, scope: int) -> tuple[str, ...] | None:
        at, innermost = scope, True
        while True:
            visible = at < 0 or innermost or not self._source.scopes[at].is_class
            if visible and (at, name) not in self._globals:
                found = self._names.get(at, {}).get(name)
                if found is not None:
                    return found
            if at < 0:
                return None
            at, innermost = (-1 if (at, name) in self._globals else self._source.scopes[at].parent), False

    def _bind(self, scope: int, name: str, targets: tuple[str, ...], *, imported: bool = False) -> None:
        if (scope, name) in self._globals:
            scope = -1
        names = self._names.setdefault(scope, {})
        if imported:
            if (scope, name) in self._imported:
                targets = tuple(dict.fromkeys(names[name] + targets))
            self._imported.add((scope, name))
        elif (scope, name) in self._imported:
            return
        elif names.get(name) and not targets:
            return  # the first nameable value stays known: `x = ir.View` … `x = None`
        names[name] = targets

    def _read_globals(self) -> None:
        for node in self._source.nodes("global"):
            scope = self._source.scope_at(node.start_byte)
            self._globals |= {(scope, self._source.text(name)) for name in node.named_children}

    def _read_imports(self) -> None:
        for node in self._source.nodes("import"):
            for name in node.named_children:
                self._read_plain_import(name, self._source.scope_at(node.start_byte))
        for node in self._source.nodes("import_from"):
            self._read_from_import(node, self._source.scope_at(node.start_byte))

    def _read_plain_import(self, node: Node, scope: int) -> None:
        source = self._source
        line = source.line_at(node.start_byte)
        if node.type == "aliased_import":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            if name is None or alias is None:
                return
            target, bound = _squeezed(source.text(name)), source.text(alias)
            self._bind(scope, bound, (target,), imported=True)
        else:
            target = _squeezed(source.text(node))
            bound = target.partition(".")[0]
            self._bind(scope, bound, (bound,), imported=True)
        self.imports.append(Imported(target, bound, line, scope, target.rpartition(".")[2]))

    def _read_from_import(self, node: Node, scope: int) -> None:
        source = self._source
        module_node = node.child_by_field_name("module_name")
        if module_node is None:
            return
        module = _squeezed(source.text(module_node))
        joint = "" if module.endswith(".") else "."
        for name in node.children_by_field_name("name"):
            alias = name.child_by_field_name("alias") if name.type == "aliased_import" else None
            named = name.child_by_field_name("name") if name.type == "aliased_import" else name
            if named is None:
                continue
            original = _squeezed(source.text(named))
            bound = source.text(alias) if alias is not None else original
            target = f"{module}{joint}{original}"
            self._bind(scope, bound, (target,), imported=True)
            self.imports.append(Imported(target, bound, source.line_at(name.start_byte), scope, original))
        if any(child.type == "wildcard_import" for child in node.children):
            self.stars.append(module)
            token = module.rpartition(".")[2]
            self.imports.append(Imported(module, "*", source.line_at(node.start_byte), scope, token or "import"))

    def _read_definitions(self) -> None:
        for scope in self._source.scopes:
            name = scope.qualname.rpartition(".")[2]
            self._bind(scope.parent, name, (f"{OWN}.{scope.qualname}",))

    def _read_parameters(self) -> None:
        source = self._source
        owners = {scope.node.start_byte: index for index, scope in enumerate(source.scopes)}
        for node in source.nodes("parameters"):
            function = node.parent
            scope = owners.get(function.start_byte, -1) if function is not None else -1
            for name, annotation in _parameters(source, node):
                self._bind(scope, name, self._instance(annotation, source.scopes[scope].parent if scope >= 0 else -1))
        for node in source.nodes("lambda"):
            scope = source.scope_at(node.start_byte)
            for name, _ in _parameters(source, node):
                if scope >= 0:
                    self._bind(scope, name, _LOCAL)

    def _instance(self, annotation: str, scope: int) -> tuple[str, ...]:
        names = dotted(annotation.strip("\"' ")) if annotation else None
        return (self.resolve(names, scope) or _LOCAL) if names else _LOCAL

    def _read_targets(self) -> None:
        for node in self._source.nodes("target"):
            for name in _identifiers(node):
                self._bind(self._source.scope_at(node.start_byte), self._source.text(name), _LOCAL)

    def _read_assignments(self) -> None:
        source = self._source
        for node in source.nodes("assignment"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None:
                continue
            scope = source.scope_at(node.start_byte)
            if left.type == "identifier":
                name = source.text(left)
                value = self._value(right, scope)
                own = scope < 0 and not value
                self._bind(scope, name, (f"{OWN}.{name}",) if own else value)
            elif left.type == "attribute":
                self._bind_member(left, self._value(right, scope), scope)
            else:
                for name_node in _identifiers(left):
                    self._bind(scope, source.text(name_node), _LOCAL)

    def _bind_member(self, left: Node, value: tuple[str, ...], scope: int) -> None:
        names = dotted(self._source.text(left))
        owner = self.enclosing_class(scope)
        if value and names is not None and len(names) == 2 and names[0] == "self" and owner >= 0:
            self._bind(owner, f"self.{names[1]}", value)

    def _value(self, right: Node | None, scope: int) -> tuple[str, ...]:
        """What an assigned expression stands for: an alias, or an instance (a call of a capitalised name)."""
        if right is None:
            return _LOCAL
        if right.type == "call":
            function = right.child_by_field_name("function")
            names = dotted(self._source.text(function)) if function is not None else None
            if names is None or not names[-1].lstrip("_")[:1].isupper():
                return _LOCAL
            return self.resolve(names, scope) or _LOCAL
        if right.type in ("identifier", "attribute"):
            names = dotted(self._source.text(right))
            return (self.resolve(names, scope) or _LOCAL) if names else _LOCAL
        return _LOCAL


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _parameters(source: PythonSource, node: Node) -> Iterator[tuple[str, str]]:
    """(name, annotation) of each parameter below a ``parameters`` node."""
    for child in node.named_children:
        annotation = child.child_by_field_name("type")
        named = child.child_by_field_name("name")
        for name in [named] if named is not None else _identifiers(child, stop="type"):
            yield source.text(name), source.text(annotation) if annotation is not None else ""


def _identifiers(node: Node, stop: str = "") -> Iterator[Node]:
    """Names bound by a target: subscripts and attributes bind none."""
    if node.type == "identifier":
        yield node
    elif node.type not in ("attribute", "subscript", "call", "type"):
        for child in node.named_children:
            if not stop or child.type != stop:
                yield from _identifiers(child, stop)
