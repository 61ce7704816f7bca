"""The question a change puts to the coupling index: which symbols, operators, flags and modules to look for.

Built from a delta alone, pure. A changed definition inside a function is asked for as that function: nobody outside
can name what is local to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.delta.texts import ChangedText
from retrieval.models import ChangeKind, DefinitionChange, DefinitionKind, Delta, Nature, Relation

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


@dataclass(frozen=True)
class Target:
    """One upstream symbol that changed. ``holders`` are the classes (or functions) around it, innermost first."""

    change: DefinitionChange
    symbol: str
    old_symbol: str
    holders: tuple[str, ...]
    is_member: bool
    weight: float

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Last parts of the symbol (new and old) and of its holders: the keys to look facts up by."""
        dotted = (self.symbol, self.old_symbol, *self.holders)
        return tuple(dict.fromkeys(name.rpartition(".")[2] for name in dotted))

    @property
    def own_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name.rpartition(".")[2] for name in (self.symbol, self.old_symbol)))

    def relation_to(self, target: str) -> Relation | None:
        """How a resolved downstream name relates to this symbol; null when it names something else."""
        if target in (self.symbol, self.old_symbol):
            return Relation.SAME_SYMBOL
        if target in self.holders:
            return Relation.ENCLOSING
        if target.startswith((f"{self.symbol}.", f"{self.old_symbol}.")):
            return Relation.MEMBER
        return None


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


def question_of(delta: Delta, texts: Mapping[str, ChangedText] | None = None) -> Question:
    targets: dict[str, Target] = {}
    asked: list[DefinitionChange] = []
    operators: dict[str, float] = {change.operator: CHANGE_WEIGHT[change.kind] for change in delta.operators}
    for change in delta.definitions:
        if change.nature in (Nature.TEST, Nature.DOCS):
            continue
        asked.append(change)
        target = _target(change)
        known = targets.get(target.symbol)
        if known is None or target.weight > known.weight:
            targets[target.symbol] = target
        for operator in change.operators:
            operators[operator] = max(operators.get(operator, 0.0), target.weight)
    named = {name for target in targets.values() for name in target.names}
    return Question(
        targets=tuple(targets.values()),
        operators=operators,
        flags={config.flag: CHANGE_WEIGHT[config.kind] for config in delta.configs},
        touched=_touched(asked, named),
        modules=delta.modules,
        texts=texts or {},
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
    qualname = _outermost(change.qualname, change.definition)
    old_qualname = _outermost(change.old_qualname or change.qualname, change.definition)
    old_module = change.old_module or change.module
    return Target(
        change=change,
        symbol=f"{change.module}.{qualname}",
        old_symbol=f"{old_module}.{old_qualname}",
        holders=_holders(old_module, old_qualname),
        is_member="." in qualname,
        weight=CHANGE_WEIGHT[change.kind],
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


def _holders(module: str, qualname: str) -> tuple[str, ...]:
    names = qualname.split(".")
    return tuple(f"{module}.{'.'.join(names[:at])}" for at in range(len(names) - 1, 0, -1))
