"""Marks that a setting's annotation bears, read where its value is parsed and shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """Marks a key as an SQLAlchemy URL: a relative SQLite file is anchored like a path, a password is masked."""
