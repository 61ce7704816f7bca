"""A cursor over parsed JSON that knows where it stands: lenient about form, strict about type.

Forges mix forms: a number may come as ``12`` or ``"12"``, a boolean as ``true``, ``1`` or ``"true"``. Such are read;
everything else that is not what the forge documents is an ``UnreadableDeliveryError`` with the dotted key at fault.
Text loses lone surrogates and NUL, which no database keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from reviewbot.events import words
from reviewbot.events.errors import UnreadableDeliveryError

_NAME = r"(?!\.{1,2}(?:/|$))[\w.-]+"  # no step of a path
_REPOSITORY = re.compile(rf"{_NAME}(?:/{_NAME})+", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_DIGITS = re.compile(r"[0-9]{1,18}")
_MOST = 2**63 - 1  # what a database keeps in an integer column
_FLAGS: dict[object, bool] = {"true": True, "false": False, "1": True, "0": False, "": False, 1: True, 0: False}


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and its dotted ``path`` in the body, "" for the body itself."""

    content: dict[str, object]
    path: str = ""

    def has(self, key: str) -> bool:
        """Whether something stands there; null and {} count as nothing."""
        return self.content.get(key) not in (None, {})

    def at(self, key: str) -> Fields:
        """The object under ``key``."""
        value = self._value(key)
        return Fields(value, self.named(key)) if isinstance(value, dict) else self._wrong(key, "object")

    def objects(self, key: str) -> Iterator[Fields]:
        """The objects of a list; nothing when there is no list."""
        value = self.content.get(key)
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong(key, "list")
        for place, item in enumerate(value):
            if not isinstance(item, dict):
                raise _wrong(f"{self.named(key)}[{place}]", "object", item)
            yield Fields(item, f"{self.named(key)}[{place}]")

    def text(self, key: str) -> str:
        """Text that is not empty."""
        value = self._value(key)
        return _storable(value) if isinstance(value, str) and value else self._wrong(key, "text")

    def prose(self, key: str) -> str:
        """Text that may be empty, null or absent: titles, bodies, actions of events that have none."""
        value = self.content.get(key)
        if value is None:
            return ""
        return _storable(value) if isinstance(value, str) else self._wrong(key, "text")

    def number(self, key: str) -> int:
        """A positive integer, also as digits in text."""
        value = self._value(key)
        if isinstance(value, str) and _DIGITS.fullmatch(value):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST:
            return value
        return self._wrong(key, "number")

    def flag(self, key: str) -> bool:
        """A boolean in any of its forms; absent and null mean no."""
        value = self.content.get(key)
        if value is None:
            return False
        known = _FLAGS.get(value.lower() if isinstance(value, str) else value) if _is_plain(value) else None
        return self._wrong(key, "flag") if known is None else known

    def repository(self, key: str) -> str:
        """``owner/name``; AtomGit knows groups within groups."""
        value = self.text(key)
        return value if _REPOSITORY.fullmatch(value) else self._wrong(key, "repository")

    def sha(self, key: str) -> str:
        """A whole commit hash in lower case, SHA-1 or SHA-256."""
        value = self.text(key).lower()
        return value if _SHA.fullmatch(value) else self._wrong(key, "sha")

    def named(self, key: str) -> str:
        """The dotted name of a key of this object."""
        return f"{self.path}.{key}" if self.path else key

    def _value(self, key: str) -> object:
        if key not in self.content:
            raise UnreadableDeliveryError(words.key_missing(self.named(key)), self.named(key))
        return self.content[key]

    def _wrong(self, key: str, wanted: str) -> NoReturn:
        raise _wrong(self.named(key), wanted, self.content.get(key))


def _wrong(name: str, wanted: str, value: object) -> UnreadableDeliveryError:
    return UnreadableDeliveryError(words.key_wrong(name, words.WANTED[wanted], words.found(value)), name)


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int)


def _storable(text: str) -> str:
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
