"""The forge that the settings describe, by its kind; what they lack is one sentence.

Contract: the forges of a process that ask the same address share their buckets. Every worker thread opens its own, and
the limits are those of an account.
"""

from __future__ import annotations

from functools import cache

from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.forges import words
from reviewbot.forges.models import ForgeKind
from reviewbot.forges.pacing import Bucket
from reviewbot.forges.protocol import Forge
from reviewbot.settings import Settings

_NEEDED = {ForgeKind.LOCAL: "local.dir", ForgeKind.ATOMGIT: "atomgit.token"}


def open_forge(kind: ForgeKind, settings: Settings) -> Forge:
    """Nothing is asked of it yet; the caller closes it. Raises ``SettingsError`` for one that cannot be opened.

    GitHub can be read without a token, as far as its limit for strangers goes.
    """
    if kind is ForgeKind.GITHUB:
        from reviewbot.forges.github import GithubForge

        if settings.github.app_id is not None and settings.github.app_key_file is None:
            raise _lacking("github.app_key_file", kind)
        github = settings.github
        return GithubForge(
            github,
            writes=_bucket(github.api_url, "writes", github.writes_per_second, 1.0),
            requests=_bucket(github.api_url, "requests", github.requests_per_second, 1.0),
        )
    if kind is ForgeKind.ATOMGIT and (settings.atomgit.token or settings.atomgit.token_file):
        from reviewbot.forges.atomgit import AtomgitForge

        atomgit = settings.atomgit
        return AtomgitForge(atomgit, bucket=_bucket(atomgit.api_url, "requests", atomgit.requests_per_minute, 60.0))
    if kind is ForgeKind.LOCAL and settings.local.dir is not None:
        from reviewbot.forges.local import LocalForge

        return LocalForge(settings.local)
    raise _lacking(_NEEDED[kind], kind)


@cache
def _bucket(api_url: str, what: str, limit: float, period: float) -> Bucket:
    return Bucket(limit, period)


def _lacking(key: str, kind: ForgeKind) -> SettingsError:
    return SettingsError((SettingProblem(key, "", words.forge_unset(kind, key)),))
