"""Every setting of the program: one frozen object, built once at the edge and passed on as a value.

Contract: a key is ``section.name``; its type, bounds and default stand here and nowhere else, its one-line Chinese
description in ``reviewbot.words.SETTING_HELP`` (a test keeps both lists equal). A later part adds its settings by
adding a section class and one field of ``Settings``: file, environment, ``config show`` and ``config init`` follow by
themselves. Precedence and provenance live in ``reviewbot.settings_sources``.

Trap: a section must stay flat. A value may be a list or table, a section may not hold a section.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr
from pydantic.fields import FieldInfo

from retrieval.models import Frozen
from reviewbot.settings_marks import DatabaseUrl
from reviewbot.settings_service import (
    AtomgitSettings,
    BranchSettings,
    FeedSettings,
    GithubSettings,
    LocalSettings,
    MirrorSettings,
    QueueSettings,
    ReviewSettings,
    ServiceSettings,
)

APPLICATION = "reviewbot"
#: What stands in for a secret wherever settings are shown.
MASK = "******"


class ColorMode(StrEnum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def _default_cache_dir() -> Path:
    return Path(platformdirs.user_cache_dir(APPLICATION, appauthor=False))


def _default_store_url() -> str:
    return f"sqlite:///{Path(platformdirs.user_data_dir(APPLICATION, appauthor=False)) / 'reviewbot.db'}"


class Capability(StrEnum):
    """How an endpoint is held to the shape of an answer: found out by asking, the strictest first, or said."""

    AUTO = "auto"
    JSON_SCHEMA = "json_schema"
    FUNCTION_CALLING = "function_calling"
    JSON_MODE = "json_mode"
    PROMPTED = "prompted"  # by the words of the prompt alone


class CacheSettings(Frozen):
    dir: Path = Field(default_factory=_default_cache_dir)


class StoreSettings(Frozen):
    url: Annotated[str, DatabaseUrl()] = Field(default_factory=_default_store_url, min_length=1)


class DownstreamSettings(Frozen):
    """The torch_npu tree. ``revision`` is for git repositories; without it HEAD is meant."""

    path: Path | None = None
    revision: str | None = Field(default=None, min_length=1)


class UpstreamSettings(Frozen):
    """The PyTorch trees of both sides: ``base`` and ``head`` are revisions of ``clone``, the others are folders."""

    clone: Path | None = None
    base: str | None = Field(default=None, min_length=1)
    head: str | None = Field(default=None, min_length=1)
    base_dir: Path | None = None
    head_dir: Path | None = None


class LedgerSettings(Frozen):
    limit: int = Field(default=20, ge=1, le=1000)
    token_budget: int = Field(default=6000, ge=200, le=1_000_000)


class IndexSettings(Frozen):
    """``jobs`` is the number of parsing processes, 0 meaning one for each processor. ``upstream``: read the code of the
    upstream base as well, to find who runs what changed.
    """

    jobs: int = Field(default=0, ge=0, le=256)
    upstream: bool = True


class ModelSettings(Frozen):
    """The model that writes drafts, at any endpoint that speaks OpenAI's protocol; without a name there is none.

    Prices are for a million tokens, in ``currency``; caps are in the same currency and need prices to hold.
    ``records`` is the team's table, from which similar records are shown; ``investigate`` lets the model ask for
    look-ups before it drafts, at the price of a second request. Whether either helps was not measured yet.
    ``prompt_tokens`` is how long a prompt is meant to be, ``context_tokens`` what the model can hold with its answer.
    """

    base_url: str = Field(default="https://api.openai.com/v1", pattern=r"^https?://[^\s/]+")
    name: str | None = Field(default=None, min_length=1)
    api_key: SecretStr | None = None
    api_key_file: Path | None = None
    fallbacks: tuple[str, ...] = ()
    capability: Capability = Capability.AUTO
    temperature: float = Field(default=0.0, ge=0, le=2)
    timeout_seconds: float = Field(default=120.0, gt=0, le=3600)
    retries: int = Field(default=2, ge=0, le=10)
    context_tokens: int = Field(default=32_000, ge=1_000, le=10_000_000)
    prompt_tokens: int = Field(default=10_000, ge=500, le=1_000_000)
    max_output_tokens: int = Field(default=2_500, ge=100, le=200_000)
    price_in: float | None = Field(default=None, ge=0)
    price_cached: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)
    currency: str = Field(default="CNY", min_length=1, max_length=8)
    cost_per_analysis: float | None = Field(default=None, gt=0)
    cost_per_day: float | None = Field(default=None, gt=0)
    spare_plain_cases: bool = True
    investigate: bool = False
    records: Path | None = None


class OutputSettings(Frozen):
    color: ColorMode = ColorMode.AUTO


class Settings(Frozen):
    cache: CacheSettings = Field(default_factory=CacheSettings)
    store: StoreSettings = Field(default_factory=StoreSettings)
    downstream: DownstreamSettings = Field(default_factory=DownstreamSettings)
    upstream: UpstreamSettings = Field(default_factory=UpstreamSettings)
    ledger: LedgerSettings = Field(default_factory=LedgerSettings)
    index: IndexSettings = Field(default_factory=IndexSettings)
    model: ModelSettings = Field(default_factory=ModelSettings)
    service: ServiceSettings = Field(default_factory=ServiceSettings)
    queue: QueueSettings = Field(default_factory=QueueSettings)
    review: ReviewSettings = Field(default_factory=ReviewSettings)
    mirrors: MirrorSettings = Field(default_factory=MirrorSettings)
    github: GithubSettings = Field(default_factory=GithubSettings)
    atomgit: AtomgitSettings = Field(default_factory=AtomgitSettings)
    local: LocalSettings = Field(default_factory=LocalSettings)
    feed: FeedSettings = Field(default_factory=FeedSettings)
    branches: BranchSettings = Field(default_factory=BranchSettings)
    output: OutputSettings = Field(default_factory=OutputSettings)


def setting_fields() -> Iterator[tuple[str, FieldInfo]]:
    """Every key with its field, in the order of declaration."""
    for section, outer in Settings.model_fields.items():
        assert isinstance(outer.annotation, type)
        assert issubclass(outer.annotation, Frozen)
        for name, field in outer.annotation.model_fields.items():
            yield f"{section}.{name}", field


def value_of(settings: Settings, key: str) -> Any:
    """The value under a dotted key; ``AttributeError`` for a key that does not exist."""
    section, _, name = key.partition(".")
    return getattr(getattr(settings, section), name)


def shown_value(settings: Settings, key: str) -> str | int | float | bool | None:
    """The value as people and logs may see it: secrets masked, lists in JSON, paths and enumerations as text."""
    value = value_of(settings, key)
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if isinstance(value, str) and any(isinstance(mark, DatabaseUrl) for mark in dict(setting_fields())[key].metadata):
        return mask_password(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (tuple, dict)) else str(value)


_PASSWORD_PARAMETER = re.compile(r"(?<=[?&])(?P<name>\w*password)=[^&#]*", re.IGNORECASE)


def mask_password(url: str) -> str:
    """The URL with ``MASK`` for the password of its user part and for ``password=`` parameters, else unchanged."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return MASK  # not a URL one can take apart, so there is no saying what it holds
    if password:
        head, _, tail = url.rpartition("@")
        url = f"{head[: len(head) - len(password)]}{MASK}@{tail}"
    return _PASSWORD_PARAMETER.sub(rf"\g<name>={MASK}", url)
