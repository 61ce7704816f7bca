"""The base of all values."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable, and a misspelt field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
