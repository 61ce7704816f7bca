"""Why a condition holds: the names it rests on and the ledger ids that prove them, and the registry of conditions.

A condition is a pure function ``Situation -> Ground | None``; ``None`` means that it does not hold. It registers under
its own function name, so the rule table can only name what exists. The Chinese meaning of every condition stands in
``prompts/rubric.yaml``; loading refuses a condition without a meaning and a meaning without a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reviewbot.couplings import place_id
from reviewbot.rubric.situation import Contact, Situation


@dataclass(frozen=True, slots=True)
class Ground:
    """``names`` are symbols, operators, flags, paths or words; ``ids`` are ledger ids. Both keep their first order."""

    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


Condition = Callable[[Situation], Ground | None]

CONDITIONS: dict[str, Condition] = {}


def condition(function: Condition) -> Condition:
    """Register ``function`` under its own name."""
    name = function.__name__
    if name in CONDITIONS:
        raise ValueError(f"condition {name} is defined twice")
    CONDITIONS[name] = function
    return function


def ground(names: Iterable[str] = (), ids: Iterable[str] = ()) -> Ground:
    return Ground(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(ids)))


def touching(contacts: Iterable[Contact], names: Callable[[Contact], Iterable[str]]) -> Ground | None:
    """The ground of all contacts for which ``names`` yields at least one name; ``None`` when there is no such.

    A place is cited once, by the strongest of its couplings that are such contacts.
    """
    found: list[str] = []
    ids: dict[str, str] = {}
    for contact in contacts:
        own = list(names(contact))
        if own:
            found += own
            ids.setdefault(place_id(contact.item.id), contact.item.id)
    return ground(found, ids.values()) if ids else None
