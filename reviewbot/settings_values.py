"""Reads one value for one key: from TOML (its type must be right), from text (parsed), or as a typed flag.

Contract: each reader takes the field, the value and the directory that relative paths start from, and returns the
value as the section holds it, or a ``Refusal`` that says in Chinese what was expected. It never quotes a secret.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import SecretStr, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from reviewbot import words
from reviewbot.settings import MASK
from reviewbot.settings_marks import DatabaseUrl

_SHOWN_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Refusal:
    """``expected`` is a Chinese phrase, ``shown`` the value as it may be shown."""

    expected: str
    shown: str


def read_toml(field: FieldInfo, value: object, base: Path) -> object:
    """A TOML value. ``limit = "20"`` is wrong: a file has types, so they must be right."""
    try:
        text = json.dumps(value, default=_no_date)
    except TypeError:
        return Refusal(words.EXPECTED_NO_DATE, str(value))
    # Strict JSON mode accepts text for paths and enumerations, and nothing else by conversion.
    return _read(field, value, base, lambda adapter: adapter.validate_json(text, strict=True))


def read_text(field: FieldInfo, value: object, base: Path) -> object:
    """Text of an environment variable: ``20`` is a number, ``["a", "b"]`` a list."""
    text = str(value)
    result = _read(field, text, base, lambda adapter: adapter.validate_strings(text))
    if isinstance(result, Refusal) and text.lstrip()[:1] in {"[", "{"}:
        return _read(field, text, base, lambda adapter: adapter.validate_json(text))
    return result


def read_typed(field: FieldInfo, value: object, base: Path) -> object:
    """A flag, already converted by the command line parser; bounds still count."""
    return _read(field, value, base, lambda adapter: adapter.validate_python(value))


def _read(field: FieldInfo, raw: object, base: Path, validate: Callable[[TypeAdapter[Any]], object]) -> object:
    annotation: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    try:
        value = validate(adapter)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return Refusal(words.expected_value(first["type"], first.get("ctx", {})), _shown(field, raw))
    if isinstance(value, Path):
        return base / value.expanduser() if raw != "" else Refusal(words.EXPECTED_PATH, '""')
    if isinstance(value, str) and any(isinstance(mark, DatabaseUrl) for mark in field.metadata):
        return _anchored_url(value, base)
    return value


def _anchored_url(url: str, base: Path) -> str:
    """``sqlite:///data/x.db`` names a file relative to the process; make it mean what a relative path means."""
    scheme, separator, name = url.partition(":///")
    if not separator or scheme.partition("+")[0] != "sqlite" or not name or name == ":memory:":
        return url
    return f"{scheme}:///{base / Path(name).expanduser()}"


def _shown(field: FieldInfo, raw: object) -> str:
    secret = field.annotation is SecretStr or "SecretStr" in str(field.annotation)
    if secret or any(isinstance(mark, DatabaseUrl) for mark in field.metadata):
        return MASK
    text = json.dumps(raw, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def _no_date(value: object) -> object:
    assert isinstance(value, (datetime.date, datetime.time))
    raise TypeError(str(value))
