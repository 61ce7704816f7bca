"""Everything a check may ask: the change, its delta, the ledger, the labels and the names that exist.

Contract: built once per draft; checks are functions ``(sentence, context) -> iterable of Finding`` and change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from retrieval.models import MODULE_SCOPE, Delta, EvidenceItem, Ledger, Miss, UpstreamChange
from reviewbot.couplings import citable, each_coupling
from reviewbot.legible import legible
from reviewbot.models import Labels
from reviewbot.verification.lexicon import Lexicon, load_lexicon
from reviewbot.verification.names import ChangeNames, NameLookup, fits, item_dotted, item_names, item_words, part_of
from reviewbot.verification.reading import PathMention, Sentence, read_sentence


@dataclass(frozen=True)
class Context:
    """``names`` widens ``known`` (change, delta, ledger) by the two pinned trees."""

    change: UpstreamChange
    delta: Delta
    ledger: Ledger
    labels: Labels
    names: NameLookup

    @cached_property
    def known(self) -> ChangeNames:
        return ChangeNames(self.change, self.delta, self.ledger)

    @property
    def lexicon(self) -> Lexicon:
        return load_lexicon()

    @cached_property
    def items(self) -> dict[str, EvidenceItem]:
        """What an id stands for: the place with all its couplings, or (``E3.2``) one further coupling alone."""
        return citable(self.ledger)

    @cached_property
    def misses(self) -> dict[str, Miss]:
        return {miss.id: miss for miss in self.ledger.misses}

    def cited_items(self, ids: Iterable[str]) -> tuple[EvidenceItem, ...]:
        return tuple(self.items[one] for one in ids if one in self.items)

    def cited_misses(self, ids: Iterable[str]) -> tuple[Miss, ...]:
        return tuple(self.misses[one] for one in ids if one in self.misses)

    @cached_property
    def _couplings(self) -> dict[str, tuple[EvidenceItem, ...]]:
        return {one: each_coupling(item) for one, item in self.items.items()}

    def couplings(self, items: Iterable[EvidenceItem]) -> tuple[EvidenceItem, ...]:
        """The couplings of cited places, each alone."""
        return tuple(coupling for item in items for coupling in self._couplings[item.id])

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Plain words that are symbols here: last names of what changed or is coupled, scopes, and what was counted."""
        named = {one.rpartition(".")[2] for one in self.known.definitions}
        named |= {symbol.rpartition(".")[2] for item in self.items.values() for symbol in item.symbols}
        named |= {part for item in self.ledger.items for part in item.scope.split(".") if part != MODULE_SCOPE}
        named |= {miss.pattern for miss in self.ledger.misses} | {count.pattern for count in self.ledger.counts}
        return frozenset(named - set(self.lexicon.raw.common_words))

    @cached_property
    def coupled(self) -> frozenset[str]:
        """Every symbol that some place of the ledger is coupled to."""
        return frozenset(symbol for item in self.items.values() for symbol in item.symbols)

    def read(self, text: str) -> Sentence:
        return read_sentence(text, self.vocabulary, legible(self.change.title))

    # --- whose path, whose name

    @cached_property
    def _downstream_roots(self) -> frozenset[str]:
        """First folders of the downstream tree that the change has no file in."""
        roots = {item.path.partition("/")[0] for item in self.ledger.items if "/" in item.path}
        roots |= {"torch_npu", self.ledger.downstream}
        return frozenset(roots - {path.partition("/")[0] for path in self.known.change_paths})

    def is_downstream(self, path: str) -> bool:
        """``path`` is written as one of the downstream tree: by its first folder, or because only the ledger has it."""
        if "/" in path and path.partition("/")[0] in self._downstream_roots:
            return True
        in_ledger = any(fits(path, known) for known in self.known.ledger_paths)
        return in_ledger and not self.in_change(path)

    def in_change(self, path: str) -> bool:
        return any(fits(path, known) for known in self.known.change_paths)

    @cached_property
    def _item_words(self) -> dict[str, frozenset[str]]:
        return {one.id: item_words(one) for one in self._whole_and_alone()}

    @cached_property
    def _item_dotted(self) -> dict[str, frozenset[str]]:
        return {one.id: item_dotted(one) for one in self._whole_and_alone()}

    def _whole_and_alone(self) -> Iterator[EvidenceItem]:
        for item in self.items.values():
            yield item
            yield from self.couplings([item])

    def item_knows(self, item: EvidenceItem, name: str) -> bool:
        """``name`` occurs in a cited item: one of its words, or a run of its dotted names; an overload may follow."""
        if "." not in name:
            return name in self._item_words[item.id]
        dotted = self._item_dotted[item.id]
        overload = name.startswith(("aten.", "prims.")) and name.count(".") > 1
        bases = (name, name.rpartition(".")[0]) if overload else (name,)
        return any(part_of(base, known) for base in bases for known in dotted)

    def item_goes_by(self, item: EvidenceItem, name: str) -> bool:
        """``name`` is part of the place's scope, of what it is coupled to or of what it puts in place."""
        return any(part_of(name, known) for known in item_names(item))

    def implementers(self, operator: str) -> tuple[str, ...]:
        """Changed definitions that implement ``operator`` (``aten.expand``) upstream."""
        named = [one.symbol for one in self.delta.definitions if operator in one.operators]
        changed = [one for one in self.delta.operators if one.operator == operator]
        named += [
            definition.symbol
            for definition in self.delta.definitions
            if any(one.path == definition.path and one.qualname == definition.qualname for one in changed)
        ]
        return tuple(named)

    def miss_knows(self, miss: Miss, name: str) -> bool:
        """``name`` is or ends in what was counted, or lies in it; a member of it takes a proof of its own."""
        return f".{name}".endswith(f".{miss.pattern}") or part_of(name, miss.symbol)

    def miss_counts(self, miss: Miss, name: str) -> bool:
        """That ``name`` has no occurrence follows from the miss: it is the counted word, or holds it."""
        return part_of(miss.pattern, name)

    def is_plain(self, name: str) -> bool:
        """Product names and public entry points, which are no symbols to be proved, but where the ledger has one."""
        return name == self.ledger.downstream or (name in self.lexicon.raw.plain_words and name not in self.vocabulary)

    def tests_of(self, mention: PathMention) -> bool:
        """The test named behind ``::`` belongs to the change (a case, or the class around one)."""
        return mention.test is None or any(part_of(mention.test, test) for test in self.known.tests)
