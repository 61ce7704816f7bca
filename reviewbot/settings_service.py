"""Sections of the settings that only the service reads: who listens, which forges, what is analysed, how fast.

Contract: as in `reviewbot.settings`; the Chinese descriptions are in ``reviewbot.service.words``. Times are seconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr

from retrieval.models import Frozen
from reviewbot.settings_marks import DatabaseUrl

_REPOSITORY = r"^[^\s#:/]+(/[^\s#:/]+)+$"
Repository = Annotated[str, Field(pattern=_REPOSITORY)]


class ServiceSettings(Frozen):
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=8080, ge=0, le=65535)
    body_limit: int = Field(default=25_000_000, ge=1_000)  # GitHub delivers up to 25 MB
    shutdown_seconds: float = Field(default=30.0, ge=0, le=3600)
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")


class QueueSettings(Frozen):
    """``url`` is the database of the jobs; empty: beside that of ``store.url``, on SQLite a file of its own, on
    PostgreSQL a schema of its own. Several processes need PostgreSQL. ``worker`` names this process.
    """

    url: Annotated[str, DatabaseUrl()] = ""
    worker: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    reviews_at_once: int = Field(default=2, ge=1, le=64)
    poll_seconds: float = Field(default=1.0, gt=0, le=60)
    sweep_seconds: float = Field(default=5.0, gt=0, le=600)
    lease_seconds: float = Field(default=120.0, gt=0, le=3600)
    keep_days: int = Field(default=30, ge=1, le=3650)


class ReviewSettings(Frozen):
    """What is reviewed and how it is shown. ``labels``: set one label per verdict, as ``label_*`` names them."""

    debounce_seconds: float = Field(default=20.0, ge=0, le=3600)
    most_subjects: int = Field(default=50, ge=1, le=10_000)
    most_diff_bytes: int = Field(default=20_000_000, ge=1_000)
    drafts: bool = False  # review draft pull requests too
    dry_run: bool = False  # print instead of posting
    labels: bool = False
    label_check: str = Field(default="upstream/check", min_length=1, max_length=50)
    label_test: str = Field(default="upstream/test", min_length=1, max_length=50)
    label_shim: str = Field(default="upstream/shim", min_length=1, max_length=50)


class MirrorSettings(Frozen):
    """Bare clones of both sides, fetched on a schedule; a revision is pinned for each analysis.

    Without a URL the paths of ``[downstream]`` and ``[upstream]`` are read as they are.
    """

    dir: Path | None = None
    downstream_url: str | None = Field(default=None, min_length=1)
    upstream_url: str | None = Field(default=None, min_length=1)
    fetch_seconds: float = Field(default=600.0, ge=10, le=86_400)
    stale_after_seconds: float = Field(default=7_200.0, ge=60)


class GithubSettings(Frozen):
    """An App (``app_id`` and its key) or a token. ``repositories`` are those answered; empty: any that is signed.

    While a secret is changed over, ``webhook_secret_previous`` counts too; ``webhook_secrets_file`` holds one a line.
    """

    api_url: str = Field(default="https://api.github.com", pattern=r"^https?://[^\s/]+")
    token: SecretStr | None = None
    token_file: Path | None = None
    app_id: int | None = Field(default=None, gt=0)
    app_key_file: Path | None = None
    login: str | None = Field(default=None, min_length=1)
    webhook_secret: SecretStr | None = None
    webhook_secret_previous: SecretStr | None = None
    webhook_secrets_file: Path | None = None
    repositories: tuple[Repository, ...] = ()
    writes_per_second: float = Field(default=1.0, gt=0, le=1_000)
    requests_per_second: float = Field(default=4.0, gt=0, le=1_000)
    timeout_seconds: float = Field(default=15.0, gt=0, le=300)


class AtomgitSettings(Frozen):
    """AtomGit or GitCode, by ``api_url``. The documented limit is 50 requests a minute and 4,000 an hour."""

    api_url: str = Field(default="https://api.atomgit.com/api/v5", pattern=r"^https?://[^\s/]+")
    token: SecretStr | None = None
    token_file: Path | None = None
    login: str | None = Field(default=None, min_length=1)
    webhook_secret: SecretStr | None = None
    webhook_secret_previous: SecretStr | None = None
    webhook_secrets_file: Path | None = None
    repositories: tuple[Repository, ...] = ()
    requests_per_minute: float = Field(default=50.0, gt=0, le=100_000)
    write_level: int = Field(default=40, ge=0, le=100)  # access_level from which a login counts as a writer
    timeout_seconds: float = Field(default=30.0, gt=0, le=300)


class LocalSettings(Frozen):
    """The forge that is a folder, for trying out: `reviewbot.forges.local` says what it holds."""

    dir: Path | None = None
    login: str = Field(default="reviewbot", min_length=1)


class FeedSettings(Frozen):
    """Upstream's own merged pull requests. Off while ``tracking`` names no thread.

    ``tracking`` and ``[branches] downstream`` are keyed by upstream base branch (``main``, ``release/2.14``).
    """

    repository: Repository = "pytorch/pytorch"


class BranchSettings(Frozen):
    """``downstream``: upstream base branch → torch_npu branch; ``tracking``: upstream base branch → the thread that is
    commented on, as ``atomgit:Ascend/pytorch#issue/12``.
    """

    downstream: dict[str, str] = Field(default_factory=lambda: {"main": "master"})
    tracking: dict[str, str] = Field(default_factory=dict)
