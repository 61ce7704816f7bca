"""What the rules look at: one change, its delta and its ledger, joined once.

``Situation`` pairs every coupling of every evidence item with the changed definitions, operators and flags it is about
(a *contact*): an import of a removed name counts although the same scope also holds a stronger patch. Conditions are
predicates over it. Nothing is guessed here: a coupling whose symbol the delta does not name gets an empty contact, and
one of a weak relation stays weak however many there are.

The trap: ``relation`` says how close a place is, not whether the changed thing behaves differently. A direct contact
with a reformatted function is direct and harmless; conditions ask both questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from retrieval.closeness import DIRECT, UNCOUPLED
from retrieval.delta.path_kinds import is_test_path
from retrieval.models import (
    ChangeKind,
    ConfigChange,
    DefinitionChange,
    DefinitionKind,
    Delta,
    EvidenceItem,
    EvidenceKind,
    Ledger,
    Nature,
    OperatorChange,
    OperatorRole,
    Relation,
    UpstreamChange,
)
from reviewbot.couplings import further_couplings
from reviewbot.rubric.registrars import is_section

_COMPILED = frozenset({OperatorRole.LOWERING, OperatorRole.FALLBACK, OperatorRole.DECOMPOSITION})
_GONE = frozenset({ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED})
_BEHAVING = _GONE | {ChangeKind.RESIGNED, ChangeKind.REWRITTEN}
# Code of another device counts once torch_npu derives from it or calls it: then it runs on an NPU as well.
EXECUTED = frozenset({Nature.CODE, Nature.DEVICE})


def behaves_differently(definition: DefinitionChange) -> bool:
    """True when running or naming the old definition can give something else than before."""
    return definition.kind in _BEHAVING and definition.nature in EXECUTED


def is_new_code(definition: DefinitionChange) -> bool:
    return definition.kind is ChangeKind.ADDED and definition.nature in EXECUTED


def plain_operator(name: str) -> str:
    """``aten.expand`` of ``aten.expand.default``, ``aten::expand`` or ``torch.ops.aten.expand``."""
    parts = name.replace("::", ".").removeprefix("torch.ops.").split(".")
    return ".".join(parts[:2])


@lru_cache(maxsize=1 << 16)
def reachable(qualname: str) -> str:
    """What others can name of it: ``f`` of ``f.inner``, ``C.m`` of ``C.m.inner``. By PEP 8, classes are capitalised."""
    names = qualname.split(".")
    for at, name in enumerate(names):
        if not name.lstrip("_")[:1].isupper():
            return ".".join(names[: at + 1])
    return qualname


@dataclass(frozen=True, slots=True)
class Contact:
    """One coupling and what it touches in the delta; all tuples may be empty.

    ``item`` is the place with its strongest coupling (``E3``), or one further coupling of it (``E3.2``).
    ``definitions`` are those the item names, ``within`` the ones nested in a function that it names: a closure that
    is rewritten, added or removed changes what the function does, not how it is called.
    """

    item: EvidenceItem
    definitions: tuple[DefinitionChange, ...]
    within: tuple[DefinitionChange, ...]
    operators: tuple[OperatorChange, ...]
    configs: tuple[ConfigChange, ...]

    @property
    def named(self) -> tuple[DefinitionChange, ...]:
        """Definitions that behave differently and that the item names."""
        return tuple(definition for definition in self.definitions if behaves_differently(definition))

    @property
    def behaving(self) -> tuple[DefinitionChange, ...]:
        inner = (one for one in self.within if behaves_differently(one) or is_new_code(one))
        return self.named + tuple(inner)

    @property
    def changed_names(self) -> tuple[str, ...]:
        """What this place is in contact with and what is not as it was: qualnames, operators, flags."""
        names = [one.qualname for one in self.behaving]
        names += [one.operator for one in self.operators if one.kind is not ChangeKind.REFORMATTED]
        return (*names, *(one.flag for one in self.configs if one.kind is not ChangeKind.ADDED))

    @property
    def is_kernel_alone(self) -> bool:
        """A kernel that a backend lists, of an operator that changed for the compiler alone: it runs as before."""
        compiled = bool(self.operators) and all(one.role in _COMPILED for one in self.operators)
        return compiled and self.item.kind is EvidenceKind.REGISTRATION and is_section(self.item.detail)


@dataclass(frozen=True)
class Situation:
    change: UpstreamChange
    delta: Delta
    ledger: Ledger

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """Every coupling of the ledger: its items in order, each followed by its further couplings."""
        return tuple(self._contact(one) for item in self.ledger.items for one in (item, *further_couplings(item)))

    @cached_property
    def couplings(self) -> tuple[Contact, ...]:
        """Contacts with what changed or with what is near it."""
        return tuple(contact for contact in self.contacts if contact.item.relation not in UNCOUPLED)

    @cached_property
    def direct(self) -> tuple[Contact, ...]:
        """Contacts of torch_npu's product code with the very thing that changed."""
        return tuple(
            contact
            for contact in self.contacts
            if contact.item.relation in DIRECT
            and contact.item.kind not in (EvidenceKind.HOOK, EvidenceKind.TEST_COPY)
            and not is_test_path(contact.item.path)
            and not contact.is_kernel_alone
        )

    def direct_of(self, *kinds: EvidenceKind) -> tuple[Contact, ...]:
        return tuple(contact for contact in self.direct if contact.item.kind in kinds)

    @cached_property
    def essence(self) -> frozenset[Nature]:
        """Natures of the change without its accompanying tests, docs and build files; empty when it has no others."""
        return frozenset(self.delta.natures) - {Nature.TEST, Nature.DOCS, Nature.BUILD}

    @cached_property
    def definitions(self) -> tuple[DefinitionChange, ...]:
        """Those of the delta; a class that only gained variables counts as reformatted: they stand beside it."""
        gaining = self.gaining
        return tuple(
            one.model_copy(update={"kind": ChangeKind.REFORMATTED}) if one.symbol in gaining else one
            for one in self.delta.definitions
        )

    @cached_property
    def gaining(self) -> frozenset[str]:
        """Symbols of classes without a changed line of their own whose class variables, if listed, are all added."""
        kept = {
            one.symbol.rpartition(".")[0]
            for one in self.delta.definitions
            if one.definition is DefinitionKind.VARIABLE and one.kind is not ChangeKind.ADDED
        }
        return frozenset(
            one.symbol
            for one in self.delta.definitions
            if one.definition is DefinitionKind.CLASS
            and one.kind is ChangeKind.REWRITTEN
            and not one.added + one.removed
            and one.symbol not in kept
        )

    @cached_property
    def behaving(self) -> tuple[DefinitionChange, ...]:
        return tuple(definition for definition in self.definitions if behaves_differently(definition))

    def is_gone(self, definition: DefinitionChange) -> bool:
        """True when the old name of a removed, renamed or moved definition no longer works on the head side."""
        return definition.kind in _GONE and not self._old_name_lives(definition)

    def _old_name_lives(self, definition: DefinitionChange) -> bool:
        old = definition.old_symbol
        if any(other.symbol == old and other.kind is not ChangeKind.REMOVED for other in self.by_symbol.get(old, ())):
            return True  # a wrapper or alias of the old name was defined
        old_path = self._old_path(definition)
        word = re.compile(rf"(?<!\w){re.escape(definition.old_name)}(?!\w)")
        return any(word.search(line.partition("#")[0]) for line in self._added_lines(old_path))

    def _old_path(self, definition: DefinitionChange) -> str | None:
        """The head path of the file that used to hold the definition; ``None`` when the file itself went away."""
        if definition.old_module is None:
            return definition.path
        tail = definition.old_module.replace(".", "/")
        for file in self.change.files:
            if file.path in (f"{tail}.py", f"{tail}/__init__.py", definition.old_module):
                return file.path
        return None

    def _added_lines(self, path: str | None) -> Iterable[str]:
        """Lines that the change writes into ``path``: there an old name can only be a re-export, alias or wrapper."""
        for file in self.change.files:
            if file.path == path:
                for hunk in file.hunks:
                    yield from (line[1:] for line in hunk.lines if line[:1] == "+")

    @cached_property
    def by_symbol(self) -> Mapping[str, tuple[DefinitionChange, ...]]:
        """Definitions under their new and their old symbol."""
        return _grouped((symbol, one) for one in self.definitions for symbol in {one.symbol, one.old_symbol})

    @cached_property
    def _within(self) -> Mapping[str, tuple[DefinitionChange, ...]]:
        """Definitions local to a function, under the symbol of that function."""
        outer = ((reachable(one.qualname), one) for one in self.definitions)
        return _grouped((f"{one.module}.{name}", one) for name, one in outer if name != one.qualname)

    @cached_property
    def _by_operator(self) -> Mapping[str, tuple[DefinitionChange, ...]]:
        """Definitions that upstream registers for an operator, by their own word or by that of an operator change."""
        registered = {(one.path, one.qualname): plain_operator(one.operator) for one in self.delta.operators}
        pairs = [(plain_operator(name), one) for one in self.definitions for name in one.operators]
        pairs += [
            (registered[one.path, one.qualname], one)
            for one in self.definitions
            if (one.path, one.qualname) in registered
        ]
        return _grouped(dict.fromkeys(pairs))

    def _contact(self, item: EvidenceItem) -> Contact:
        """Only ``item.symbol`` counts: it is what kind, relation and detail belong to."""
        named, within = self.by_symbol.get(item.symbol, ()), self._within.get(item.symbol, ())
        configs = tuple(one for one in self.delta.configs if one.flag == item.symbol)
        if item.relation is not Relation.SAME_OPERATOR:
            return Contact(item, named, within, (), configs)
        operator = plain_operator(item.symbol)
        operators = tuple(one for one in self.delta.operators if plain_operator(one.operator) == operator)
        return Contact(item, named or self._by_operator.get(operator, ()), within, operators, configs)


def _grouped(pairs: Iterable[tuple[str, DefinitionChange]]) -> Mapping[str, tuple[DefinitionChange, ...]]:
    groups: dict[str, list[DefinitionChange]] = {}
    for key, one in pairs:
        groups.setdefault(key, []).append(one)
    return {key: tuple(group) for key, group in groups.items()}
