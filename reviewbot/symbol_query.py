"""What is coupled to one upstream symbol? The question of ``reviewbot index query``, put as a change of that symbol.

A symbol is asked for as if it had been rewritten, so the answer is what a change to it would be coupled to, misses and
counts included; what merely shares its words is left out. Only the name is known, so its parts are told apart by PEP 8,
which PyTorch follows: the first part that starts with a capital begins the qualname, otherwise the last part alone is
the qualname.
"""

from __future__ import annotations

import re

from retrieval.evidence import build_ledger
from retrieval.index import Index
from retrieval.models import (
    ChangeKind,
    ConfigChange,
    DefinitionChange,
    DefinitionKind,
    Delta,
    Ledger,
    OperatorChange,
    OperatorRole,
    UpstreamChange,
)
from reviewbot import words
from reviewbot.errors import OptionsError

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", re.ASCII)
_UNLIMITED_TOKENS = 1_000_000_000


def ask(index: Index, symbol: str, *, limit: int) -> Ledger:
    """At most ``limit`` places coupled to ``symbol``; a dotted name, an operator or a config flag.

    Raises ``OptionsError`` for anything else.
    """
    delta = delta_of(symbol)
    return build_ledger(delta, UpstreamChange(), index, by_affinity=False, limit=limit, token_budget=_UNLIMITED_TOKENS)


def delta_of(symbol: str) -> Delta:
    """The delta of a change that rewrites ``symbol`` and nothing else."""
    if not _DOTTED.fullmatch(symbol):
        raise OptionsError(words.no_symbol(symbol), ("SYMBOL",))
    parts = symbol.split(".")
    if parts[0] != "torch" and len(parts) <= 3 and parts[0] == parts[0].lower():
        name = ".".join(parts[:2])  # without its overload
        role, kind = OperatorRole.LOWERING, ChangeKind.REWRITTEN
        return Delta(operators=(OperatorChange(operator=name, role=role, kind=kind, path="", qualname=parts[1]),))
    if "config" in parts[1:-1]:
        return Delta(configs=(ConfigChange(flag=symbol, kind=ChangeKind.REWRITTEN, path=""),))
    at = next((at for at, part in enumerate(parts) if part.lstrip("_")[:1].isupper()), len(parts) - 1)
    module, qualname = ".".join(parts[:at]), ".".join(parts[at:])
    definition = DefinitionChange(
        kind=ChangeKind.REWRITTEN, definition=_kind(parts[at:]), path="", module=module, qualname=qualname
    )
    return Delta(definitions=(definition,))


def _kind(names: list[str]) -> DefinitionKind:
    if names[-1].lstrip("_")[:1].isupper():
        return DefinitionKind.CLASS
    return DefinitionKind.METHOD if len(names) > 1 else DefinitionKind.FUNCTION
