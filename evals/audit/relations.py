"""Does the line itself show the relation that a ledger item or a sentence claims? Answered from ``ast`` facts alone.

Only what one line can show is judged: that it imports, derives, defines a method of a derived class, puts a value into
an attribute or registry, calls something that registers, stands in a list that is named for a registration, or defines
what replaces something. A list is no registration: who says that its line registers is wrong. ``None`` means that a
line cannot show it (a reference is any use of a word; a fork or a test copy is a matter of two files).
"""

from __future__ import annotations

import re

from evals.audit.export import ExportedItem
from evals.audit.python_facts import LineFacts

_REGISTERING = re.compile(r"register|fallback|lowering|decomp|constraint|impl|define|override|layout|realize")
_LISTING = re.compile(r"fallback|lowering|decomp|constraint|realize|meta|fake_impl", re.IGNORECASE)


def claimed(item: ExportedItem) -> str:
    """What the ledger claims of the item's lines: its kind, or that they stand in a list."""
    return "listing" if item.kind == "registration" and item.detail.listed else item.kind


def shows(kind: str, item: ExportedItem, facts: LineFacts) -> bool | None:
    """Whether a line with ``facts`` shows a coupling of ``kind`` to the item's symbol."""
    match kind:
        case "import":
            return facts.imports
        case "subclass":
            return bool(facts.derived_classes)
        case "override":
            return item.symbol.rpartition(".")[2] in facts.methods or item.token in facts.methods
        case "patch":
            return bool(facts.replaced & {item.token, item.symbol.rpartition(".")[2]})
        case "registration":
            registering = {name for name in facts.called | facts.replaced if _REGISTERING.search(name)}
            return not item.detail.listed and _by_registrar(item, registering)
        case "listing":
            return item.detail.listed and _by_registrar(item, {name for name in facts.listing if _LISTING.search(name)})
        case "hook" if item.relation == "replacement":
            return item.token in facts.defined
        case _:
            return None


def _by_registrar(item: ExportedItem, names: set[str]) -> bool:
    return item.detail.registrar in names if item.detail.registrar else bool(names)
