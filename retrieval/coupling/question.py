"""The question a change puts to the coupling index: which symbols, operators, flags and modules to look for.

Built from a delta alone, pure. A changed definition inside a function is asked for as that function: nobody outside
can name what is local to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from retrieval.coupling.changed_tests import ChangedTests, changed_tests
from retrieval.coupling.cpp import asking
from retrieval.coupling.cpp.naming import MARK
from retrieval.coupling.facts import last_part
from retrieval.delta.texts import ChangedText
from retrieval.models import ChangeKind, DefinitionChange, DefinitionKind, Delta, Language, Nature, Relation
from retrieval.symbols import module_of

# How much a changed definition matters for ranking, by what happened to it.
CHANGE_WEIGHT = {
    ChangeKind.REMOVED: 1.0,
    ChangeKind.RENAMED: 1.0,
    ChangeKind.RESIGNED: 1.0,
    ChangeKind.MOVED: 0.9,
    ChangeKind.REWRITTEN: 0.9,
    ChangeKind.ADDED: 0.6,
    ChangeKind.REFORMATTED: 0.4,
}
MAX_TOUCHED = 40
_SOURCES = "torch/"
_HIGHER_ORDER = "torch._higher_order_ops"  # each module there holds the operator of its name


@dataclass(frozen=True)
class Target:
    """One upstream symbol that changed. ``holders`` are the classes (or functions) around it, innermost first.

    ``through`` are upstream classes that inherit it unchanged (`retrieval.coupling.lineage`).
    ``known_as`` are the names, new and old, that facts have for it; those of C++ and of its holders know no file.
    """

    change: DefinitionChange
    symbol: str
    old_symbol: str
    holders: tuple[str, ...]
    is_member: bool
    weight: float
    known_as: tuple[str, ...]
    through: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Last parts of the symbol (new and old) and of its holders: the keys to look facts up by."""
        dotted = (*self.known_as, *self.holders)
        return tuple(dict.fromkeys(map(last_part, dotted)))

    def of_upstream(self, holder: str) -> str:
        """A holder as the delta writes symbols: behind the module, for C++ the path, of its file."""
        qualname = holder.removeprefix(MARK)
        return holder if qualname == holder else f"{self.change.old_module or self.change.module}.{qualname}"

    @property
    def own_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name.rpartition(".")[2] for name in (self.symbol, self.old_symbol)))

    def relation_to(self, target: str) -> Relation | None:
        """How a resolved downstream name relates to this symbol; null when it names something else."""
        if self.change.language is Language.CPP:
            return asking.relation_in_cpp(target, self.known_as, self.holders)
        if target in (self.symbol, self.old_symbol):
            return Relation.SAME_SYMBOL
        holder, _, name = target.rpartition(".")
        if self.is_member and holder in self.through and name in self.own_names:
            return Relation.MEMBER
        if target in self.holders:
            return Relation.ENCLOSING
        if target.startswith((f"{self.symbol}.", f"{self.old_symbol}.")):
            return Relation.MEMBER
        return None


class Consumer(NamedTuple):
    """An upstream function that runs the changed ``target``. ``unique``: few upstream functions have its name."""

    symbol: str
    target: str
    weight: float
    unique: bool


@dataclass(frozen=True)
class Question:
    """``operators`` and ``flags`` map to their weight, ``touched`` to the weight of a name that changed lines use,
    ``texts`` the symbols of changed definitions to their source.
    """

    targets: tuple[Target, ...]
    operators: Mapping[str, float] = field(default_factory=dict)
    flags: Mapping[str, float] = field(default_factory=dict)
    touched: Mapping[str, float] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    texts: Mapping[str, ChangedText] = field(default_factory=dict)
    tests: tuple[ChangedTests, ...] = ()
    beside: tuple[str, ...] = ()  # modules of the change that no diff shows
    consumers: tuple[Consumer, ...] = ()


def question_of(
    delta: Delta, texts: Mapping[str, ChangedText] | None = None, other_paths: Iterable[str] = ()
) -> Question:
    """``other_paths`` are files of the change that no diff shows."""
    other_paths = tuple(other_paths)
    targets: dict[str, Target] = {}
    asked: list[DefinitionChange] = []
    operators: dict[str, float] = {}
    for changed in delta.operators:
        operators[changed.operator] = max(operators.get(changed.operator, 0.0), CHANGE_WEIGHT[changed.kind])
    for change in delta.definitions:
        if change.nature in (Nature.TEST, Nature.DOCS):
            continue
        asked.append(change)
        target = _target(change)
        name = target.known_as[0]  # of C++, a declaration and its definition go by one
        if name not in targets or _says(target) > _says(targets[name]):
            targets[name] = target
        for operator in change.operators:
            operators[operator] = max(operators.get(operator, 0.0), target.weight)
    beside = [module_of(path) for path in other_paths if path.startswith(_SOURCES) and path.endswith(".py")]
    for module in (*delta.modules, *beside):
        package, _, name = module.rpartition(".")
        if package == _HIGHER_ORDER:
            operators.setdefault(f"higher_order.{name}", CHANGE_WEIGHT[ChangeKind.REFORMATTED])
    named = {name for target in targets.values() for name in target.names}
    return Question(
        targets=tuple(targets.values()),
        operators=operators,
        flags={config.flag: CHANGE_WEIGHT[config.kind] for config in delta.configs},
        touched=_touched(asked, named),
        modules=tuple(dict.fromkeys((*delta.modules, *asking.changed_headers(delta)))),
        texts=texts or {},
        tests=changed_tests(delta, other_paths),
        beside=tuple(module for module in beside if module not in delta.modules),
    )


def _touched(changes: Sequence[DefinitionChange], named: Collection[str]) -> dict[str, float]:
    """The rarest touched name of each definition, then the second of each, and so on: every definition has a say."""
    found: dict[str, float] = {}
    for rank in range(max((len(change.touched) for change in changes), default=0)):
        for change in changes:
            name = change.touched[rank] if rank < len(change.touched) else ""
            if name and name.rpartition(".")[2] not in named and len(found) < MAX_TOUCHED:
                found.setdefault(name, CHANGE_WEIGHT[change.kind])
    return found


def _target(change: DefinitionChange) -> Target:
    if change.language is Language.CPP:
        return _cpp_target(change)
    qualname = _outermost(change.qualname, change.definition)
    old_qualname = _outermost(change.old_qualname or change.qualname, change.definition)
    old_module = change.old_module or change.module
    symbol, old_symbol = f"{change.module}.{qualname}", f"{old_module}.{old_qualname}"
    return Target(
        change=change,
        symbol=symbol,
        old_symbol=old_symbol,
        holders=_holders(old_module, old_qualname),
        is_member="." in qualname,
        weight=CHANGE_WEIGHT[change.kind],
        known_as=(symbol, old_symbol),
    )


def _says(target: Target) -> tuple[float, int]:
    """How much a change to one symbol says; of C++ the definition says more than a declaration in another file."""
    first, last = target.change.new_lines or target.change.old_lines or (0, 0)
    return target.weight, last - first if target.change.language is Language.CPP else 0


def _cpp_target(change: DefinitionChange) -> Target:
    holders = asking.classes_around(change)
    return Target(
        change=change,
        symbol=change.symbol,
        old_symbol=change.old_symbol,
        holders=holders,
        is_member=bool(holders),
        weight=CHANGE_WEIGHT[change.kind],
        known_as=asking.known_as(change),
    )


def _outermost(qualname: str, kind: DefinitionKind) -> str:
    """``f.inner`` → ``f``, ``C.m.inner`` → ``C.m``; methods, classes and top-level names stay.

    What holds a method or a class variable is a class whatever its name (``class triton`` in a config module). Of the
    other names a qualname does not tell functions from classes; PEP 8 does, and PyTorch follows it.
    """
    names = qualname.split(".")
    in_class = kind in (DefinitionKind.METHOD, DefinitionKind.VARIABLE)
    for at, name in enumerate(names[: -2 if in_class else -1]):
        if not name.lstrip("_")[:1].isupper():
            return ".".join(names[: at + 1])
    return qualname


def reachable_name(qualname: str) -> str:
    """What code outside can name of a function's qualname: ``f`` of ``f.inner``, ``C.m`` of ``C.m.inner``."""
    return _outermost(qualname, DefinitionKind.FUNCTION)


def _holders(module: str, qualname: str) -> tuple[str, ...]:
    names = qualname.split(".")
    return tuple(f"{module}.{'.'.join(names[:at])}" for at in range(len(names) - 1, 0, -1))
