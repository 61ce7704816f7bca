"""Secrets of the settings, as they are used: said directly, or in a file of their own.

Contract: what is set directly comes first. Errors are ``SettingsError`` with key and file, never with a secret.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from reviewbot import words
from reviewbot.errors import SettingProblem, SettingsError


def secret_of(said: SecretStr | None, file: Path | None, key: str) -> str:
    """The one secret: as set, else the first line of its file, else "". ``key`` names the setting of the file."""
    if said is not None:
        return said.get_secret_value().strip()
    return "" if file is None else _lines(file, key)[0]


def secrets_of(said: tuple[SecretStr | None, ...], file: Path | None, key: str) -> tuple[str, ...]:
    """All secrets that count: those set, then every line of the file. Empty ones never do."""
    direct = [secret.get_secret_value().strip() for secret in said if secret is not None]
    lines = [] if file is None else _lines(file, key)
    return tuple(dict.fromkeys(secret for secret in (*direct, *lines) if secret))


def _lines(file: Path, key: str) -> list[str]:
    """The lines of the file that hold something, at least one."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        sentence = words.secret_file_unreadable(key, str(file), getattr(error, "strerror", None) or "UTF-8")
    else:
        if lines := [line.strip() for line in text.splitlines() if line.strip()]:
            return lines
        sentence = words.secret_file_empty(key, str(file))
    raise SettingsError((SettingProblem(key, str(file), sentence),))
