"""Logs of the service: one line an event, JSON unless a person reads along; ids bound as context; no secrets.

All code logs through ``logging``; structlog gives the context and the form. ``bound`` puts ids (delivery, review,
analysis) on every line logged inside it, also by libraries. Loggers that uvicorn and dbos set up for themselves are
emptied, so that their lines pass here, too.

Redaction is the last thing before a line is written: every known secret and everything that looks like one goes, from
values, keys, arguments and tracebacks alike.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from urllib.parse import quote, unquote, urlsplit

import structlog
from pydantic import SecretStr
from structlog.typing import EventDict, ProcessorReturnValue

from reviewbot.render.secrets import redact
from reviewbot.settings import MASK, Settings, setting_fields, value_of

#: Loggers with handlers of their own; dbos also stops its lines from going further.
_FOREIGN = ("uvicorn", "uvicorn.error", "uvicorn.access", "dbos")
_SECRET_FILES = ("token_file", "tokens_file", "key_file", "secrets_file")
#: Shorter ones would blot out ordinary words; no forge gives such.
_LEAST = 6


def configure_logs(level: str, secrets: Iterable[str], stream: TextIO | None = None) -> None:
    """Sets up the root logger, replacing its handlers. ``stream`` is standard error if not given."""
    out = stream or sys.stderr
    redactor = Redactor(secrets)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    rendered: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if out.isatty() else structlog.processors.JSONRenderer(_dumps)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, redactor, rendered],
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in _FOREIGN:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


@contextmanager
def bound(**ids: str | int) -> Iterator[None]:
    """``with bound(delivery=key, review=id):`` for this thread or task, and what it awaits."""
    with structlog.contextvars.bound_contextvars(**ids):
        yield


class Redactor:
    """A structlog processor that leaves no secret in any value."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {form for secret in secrets if len(secret) >= _LEAST for form in (secret, quote(secret, safe=""))}
        self._known = sorted(known, key=len, reverse=True)  # one secret may begin another

    def __call__(self, _logger: object, _method: str, event: EventDict) -> ProcessorReturnValue:
        return {self.text(str(key)): self._value(value) for key, value in event.items()}

    def text(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, MASK)
        return redact(text)

    def _value(self, value: object) -> object:
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, dict):
            return {self.text(str(key)): self._value(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._value(item) for item in value]
        return self.text(value if isinstance(value, str) else repr(value))


def secrets_in(settings: Settings) -> tuple[str, ...]:
    """Every secret of the settings: set directly, in a file of its own, or as the password of a URL.

    A file that cannot be read is passed over: whoever needs it says so.
    """
    found: list[str] = []
    for key, _field in setting_fields():
        value = value_of(settings, key)
        if isinstance(value, SecretStr):
            found.append(value.get_secret_value())
        elif isinstance(value, Path) and key.endswith(_SECRET_FILES):
            found += _lines(value)
        elif isinstance(value, str) and "://" in value and "@" in value:
            found.append(unquote(urlsplit(value).password or ""))
    return tuple(dict.fromkeys(stripped for secret in found if (stripped := secret.strip())))


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _dumps(event: object, **_options: object) -> str:
    return json.dumps(event, ensure_ascii=False, default=repr)
