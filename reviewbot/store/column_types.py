"""Column types that keep a value exactly, whatever a diff or a source file put into it.

Trap: text from outside may hold a lone surrogate (an undecodable byte) or a NUL, which databases refuse. ``AnyText``
writes such a character as ``U+FDD0`` (a code point Unicode reserves for internal use) and four hex digits, and reads it
back; all other text is stored as it is. JSON columns need no care: JSON escapes what is not ASCII.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, Enum, Text, TypeDecorator

_ESCAPE = "\ufdd0"
_REFUSED = re.compile(f"[\ud800-\udfff\x00{_ESCAPE}]")
_ESCAPED = re.compile(f"{_ESCAPE}([0-9a-f]{{4}})")


class AnyText(TypeDecorator[str]):
    """Text without limit of length or content."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or (value.isascii() and "\x00" not in value):
            return value
        return _REFUSED.sub(lambda found: f"{_ESCAPE}{ord(found[0]):04x}", value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or _ESCAPE not in value:
            return value
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC; SQLite keeps no zone, so one is put back on reading."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


def closed(enumeration: type[StrEnum], name: str) -> Enum:
    """Text limited by a CHECK constraint to the values of ``enumeration``; ``name`` is the column's name."""
    return Enum(
        enumeration,
        native_enum=False,
        create_constraint=True,
        validate_strings=True,
        name=name,
        length=32,  # room for longer names later: widening a column is a migration of its own
        values_callable=lambda members: [member.value for member in members],
    )
