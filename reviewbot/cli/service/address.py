"""The thread that a person names: a link of GitHub, GitHub Enterprise, AtomGit or GitCode, or a thread's own key."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from reviewbot.forges.models import ForgeKind, Thread, ThreadKind
from reviewbot.settings import Settings

_PATH = re.compile(
    r"/(?P<repository>[^/#\s:]+(?:/[^/#\s:]+)+?)(?:/-)?/(?P<word>pull|pulls|merge_requests|issues)/(?P<number>[1-9]\d{0,9})(?:/.*)?"
)
_ATOMGIT_HOSTS = frozenset({"atomgit.com", "gitcode.com"})


def thread_at(address: str, settings: Settings) -> Thread | None:
    """None for an address that no configured forge has. Hosts are those of the settings and the two names of AtomGit;
    the local forge has no links: ``local:owner/name#pull/7``.
    """
    address = address.strip()
    try:
        return Thread.parse(address)
    except ValueError:
        pass  # not a key: it may be a link
    forge, path = _forge_and_path(address, settings)
    found = _PATH.fullmatch(path)
    if forge is None or found is None:
        return None
    kind = ThreadKind.ISSUE if found["word"] == "issues" else ThreadKind.PULL
    return Thread(forge=forge, repository=found["repository"], kind=kind, number=int(found["number"]))


def _forge_and_path(address: str, settings: Settings) -> tuple[ForgeKind | None, str]:
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        host = parts.netloc.rpartition("@")[2].casefold().removeprefix("www.")
    except ValueError:
        return None, ""
    if parts.scheme not in {"http", "https"}:
        return None, ""
    if host == _web_host(settings.github.api_url):
        return ForgeKind.GITHUB, parts.path
    if host in _ATOMGIT_HOSTS or host == _web_host(settings.atomgit.api_url):
        return ForgeKind.ATOMGIT, parts.path
    return None, ""


def _web_host(api_url: str) -> str:
    """``api.github.com`` serves ``github.com``; an enterprise host serves both."""
    return urlsplit(api_url).netloc.casefold().removeprefix("api.")
