"""Everything the parts of a draft look at: the situation, what the rules made of it, and the phrases to say it with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from retrieval.models import DefinitionChange, Delta, Ledger, Nature, UpstreamChange
from reviewbot.drafting.phrases import Consequence, Phrases
from reviewbot.models import RELATION_WORDS, FiredRule, Prior, RuleGroup, Verdict
from reviewbot.rubric.situation import Contact, Situation

_ITEM_ID = re.compile(r"\[(E\d+(?:\.\d+)?)\]")
_ASIDE = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})
_PROPER = re.compile(r"_*[A-Z]")


@dataclass(frozen=True)
class Brief:
    situation: Situation
    prior: Prior
    phrases: Phrases

    @property
    def change(self) -> UpstreamChange:
        return self.situation.change

    @property
    def delta(self) -> Delta:
        return self.situation.delta

    @property
    def ledger(self) -> Ledger:
        return self.situation.ledger

    @cached_property
    def rule(self) -> FiredRule:
        """The rule that gave the verdict."""
        return next(rule for rule in self.prior.rules if rule.group is RuleGroup.VERDICT)

    @property
    def consequence(self) -> Consequence:
        return self.phrases.rules[self.rule.id]

    @cached_property
    def key(self) -> tuple[Contact, ...]:
        """The couplings the verdict rests on, in the order of the ledger."""
        return self.behind(RuleGroup.VERDICT)

    def behind(self, group: RuleGroup) -> tuple[Contact, ...]:
        """The couplings that the rule of ``group`` named in its reasons."""
        reasons = [because for rule in self.prior.rules if rule.group is group for because in rule.because]
        ids = {one for because in reasons for one in _ITEM_ID.findall(because)}
        return tuple(contact for contact in self.situation.contacts if contact.item.id in ids)

    @property
    def comma(self) -> str:
        return self.phrases.phrases["comma"]

    def clauses(self, parts: Iterable[str | None]) -> str:
        """The parts that are there as clauses of one sentence."""
        return self.phrases.phrases["clauses"].join(part for part in parts if part)

    @property
    def calls_for_action(self) -> bool:
        """A verdict that asks for a run or for code, also when a revert took it back to Check."""
        return self.prior.labels.verdict is not Verdict.CHECK or self.consequence.effect is not None

    def name_of(self, symbol: str) -> str:
        """``Gear.turn`` of ``torch._mill.gears.Gear.turn``; operators and flags stay as they are.

        A name that is a relation word (``config.patch``) keeps what stands before it: bare, it would claim a relation.
        """
        name = self._name_of(symbol)
        return ".".join(symbol.split(".")[-2:]) if name.lower() in RELATION_WORDS else name

    def _name_of(self, symbol: str) -> str:
        changed = self.situation.by_symbol.get(symbol, ())
        if any(one.symbol == symbol for one in changed):
            return next(one.qualname for one in changed if one.symbol == symbol)
        if changed:
            return changed[0].old_qualname or changed[0].qualname
        whole = {one.operator for one in self.delta.operators} | {one.flag for one in self.delta.configs}
        return symbol if symbol in whole else short_name(symbol)

    @cached_property
    def told(self) -> list[DefinitionChange]:
        """Definitions worth naming, ranked: product code under a name that says something."""
        product = (one for one in self.delta.definitions if one.nature not in _ASIDE)
        return self.ranked(one for one in product if one.name.strip("_"))

    def ranked(self, definitions: Iterable[DefinitionChange]) -> list[DefinitionChange]:
        """What torch_npu is in direct contact with first, then the largest change; of equals the order of the delta."""
        touched = {one.symbol for contact in self.situation.direct for one in (*contact.definitions, *contact.within)}
        return sorted(definitions, key=lambda one: (one.symbol not in touched, -(one.added + one.removed)))

    def bracketed(self, contacts: Iterable[Contact], most: int) -> str:
        """``[E1]、[E4]``: the ids of at most ``most`` places."""
        ids = list(dict.fromkeys(contact.item.id for contact in contacts))[:most]
        return self.comma.join(f"[{one}]" for one in ids)


def short_name(symbol: str) -> str:
    """From the first capitalised part on (a class), else the last part; two-part names (operators) whole."""
    parts = symbol.split(".")
    if len(parts) <= 2:
        return symbol
    for at, part in enumerate(parts):
        if _PROPER.match(part):
            return ".".join(parts[at:])
    return parts[-1]
