"""What a qualified or bare C++ name in a file stands for, as far as the file tells.

Read are ``using a::b::C;``, ``using C = a::b::C;``, ``typedef``, ``namespace n = a::b;`` and ``using namespace a::b;``,
wherever they stand; the namespaces around the name; and what the file defines itself, which hides the rest. A name that
none of this explains keeps the parts it was written with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.naming import UPSTREAM_ROOTS

_PATH = rb"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*"
_DECLARED = re.compile(
    rb"\busing\s+namespace\s+(?P<space>" + _PATH + rb")\s*;"
    rb"|\busing\s+(?P<used>" + _PATH + rb")\s*;"
    rb"|\b(?:using|namespace)\s+(?P<alias>[A-Za-z_]\w*)\s*=\s*(?:typename\s+)?(?P<named>" + _PATH + rb")"
    rb"\s*(?:<[^;{}]*>)?\s*;"
    rb"|\btypedef\s+(?P<typed>" + _PATH + rb")\s+(?P<name>[A-Za-z_]\w*)\s*;"
)

_MOST_SPACES = 32  # in which a name is looked up: people nest a third as deep, and each costs as much as it is long


def parts_of(path: bytes) -> tuple[str, ...]:
    """``a :: b::C`` as its parts; a leading ``::`` gives an empty first one."""
    return tuple(part.strip() for part in path.decode("utf-8", "replace").split("::"))


class NameTable:
    def __init__(self, file: CppFile) -> None:
        self._file = file
        self._aliases: dict[str, tuple[str, ...]] = {}
        self._used: list[str] = []
        self._known: dict[tuple[int, tuple[str, ...]], tuple[str, ...]] = {}  # by innermost scope and name
        for match in _DECLARED.finditer(file.code):
            if match["space"]:
                self._used.append(".".join(part for part in parts_of(match["space"]) if part))
            elif match["used"]:
                parts = tuple(part for part in parts_of(match["used"]) if part)
                if len(parts) > 1:
                    self._aliases.setdefault(parts[-1], parts)
            else:
                alias, named = match["alias"] or match["name"], match["named"] or match["typed"]
                parts = tuple(part for part in parts_of(named) if part)
                if len(parts) > 1:
                    self._aliases.setdefault(alias.decode(), parts)

    def resolve(self, parts: Sequence[str], at: int) -> tuple[str, ...]:
        """Dotted names that ``parts`` at byte ``at`` may stand for; none when the file says that it is downstream's.

        Several come from several upstream namespaces in sight. A name that none of this explains stays as written: its
        front may be missing.
        """
        key = self._file.innermost_at(at), tuple(parts)
        if key not in self._known:
            self._known[key] = self._resolve(parts, at)
        return self._known[key]

    def _resolve(self, parts: Sequence[str], at: int) -> tuple[str, ...]:
        if not parts[0]:
            return (".".join(parts[1:]),)
        head, rest = parts[0], tuple(parts[1:])
        spaces = self._spaces(at)
        if head in self._aliases:
            return (".".join((*self._aliases[head], *rest)),)
        own = self._own(head, spaces)
        if own is not None:
            # A namespace that downstream opens too may still be upstream's.
            shared = rest and own in self._file.namespaces and _is_upstream(own)
            return (".".join((own, *rest)),) if shared else ()
        if rest and not head[:1].isupper():  # a namespace
            return (".".join(parts),)
        sight = [space for space in spaces if space in self._file.namespaces][:1] + self._used
        sight = [space for space in dict.fromkeys(sight) if _is_upstream(space)]
        return tuple(".".join((space, *parts)) for space in sight) or (".".join(parts),)

    def own(self, parts: Sequence[str], at: int) -> str | None:
        """The dotted name of what this file defines under ``parts``."""
        found = self._own(parts[0], self._spaces(at)) if parts[0] else None
        return None if found is None else ".".join((found, *parts[1:]))

    def _own(self, head: str, spaces: Sequence[str]) -> str | None:
        defined, namespaces = self._file.defined, self._file.namespaces
        for name in (*(f"{space}.{head}" for space in spaces), head):
            if name in defined or (name in namespaces and "." in name):
                return name
        return None

    def _spaces(self, at: int) -> list[str]:
        """Dotted prefixes in which a name at a byte is looked up, innermost first."""
        found: dict[str, None] = {}
        for scope in self._file.around(at):
            space = scope.qualname
            while space and space not in found:  # the prefixes of a known one are known
                found[space] = None
                if len(found) == _MOST_SPACES:
                    return list(found)
                space = space.rpartition(".")[0]
        return list(found)


def _is_upstream(space: str) -> bool:
    return space.partition(".")[0] in UPSTREAM_ROOTS
