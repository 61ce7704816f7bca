"""Config flags that a change adds, removes or gives another default.

A flag is a variable of a module called ``config`` or ``*_config``, at its top level or in a class there
(``class triton:``), or a top-level variable anywhere that reads the environment or is a ``Config(…)``. Names with a
leading underscore are bookkeeping. A renamed or moved flag is the old one removed and the new one added, since that
is what a reader of the old one meets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from retrieval.delta.pairing import Located, Pair
from retrieval.models import ChangeKind, ConfigChange, DefinitionKind

_CONFIG_MODULE = re.compile(r"(?:.*\.)?(?:\w+_)?config")
_FLAG_VALUE = re.compile(r"\b(?:getenv|environ|Config)\b\s*[(.\[]")


def config_changes(pairs: Iterable[Pair]) -> tuple[ConfigChange, ...]:
    """Changed flags among definitions that changed by more than their looks, in their order."""
    return tuple(change for pair in pairs for change in _changes(pair))


def _changes(pair: Pair) -> Iterator[ConfigChange]:
    old = _flag(pair.old)
    new = _flag(pair.new)
    if old is not None and new is not None and old[0] == new[0]:
        if old[1] != new[1]:
            yield _change(new[0], ChangeKind.REWRITTEN, old[1], new[1], pair.head)
        return
    if old is not None and pair.old is not None:
        yield _change(old[0], ChangeKind.REMOVED, old[1], None, pair.old)
    if new is not None and pair.new is not None:
        yield _change(new[0], ChangeKind.ADDED, None, new[1], pair.new)


def _change(flag: str, kind: ChangeKind, old: str | None, new: str | None, place: Located) -> ConfigChange:
    return ConfigChange(flag=flag, kind=kind, old=old, new=new, path=place.side.path)


def _flag(located: Located | None) -> tuple[str, str | None] | None:
    """(dotted flag, default as written) of a definition that is one."""
    if located is None:
        return None
    definition, module = located.definition, located.side.module
    if definition.kind is not DefinitionKind.VARIABLE or definition.name.startswith("_"):
        return None
    value = definition.header().value
    reads_environment = value is not None and definition.outer is None and _FLAG_VALUE.search(value) is not None
    if not _CONFIG_MODULE.fullmatch(module) and not reads_environment:
        return None
    return f"{module}.{definition.qualname}", value
