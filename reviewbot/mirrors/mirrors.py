"""Both sides as the service reads them: a mirror where a URL is set, else the folder of the settings as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from retrieval.git_repository import GitRepository
from retrieval.source_tree import is_repository
from reviewbot.mirrors import words
from reviewbot.mirrors.clone import BareClone
from reviewbot.mirrors.errors import MirrorError
from reviewbot.settings import Settings


class Side(StrEnum):
    DOWNSTREAM = "downstream"
    UPSTREAM = "upstream"


@dataclass(frozen=True, slots=True)
class Mirrors:
    """``clones`` are those with a URL, ``folders`` where each side is read. Safe for threads and for processes."""

    clones: dict[Side, BareClone]
    folders: dict[Side, Path]
    stale_after: float

    def location(self, side: Side) -> Path:
        """Where the side is read. Raises ``MirrorError`` for one that is not set."""
        if side not in self.folders:
            raise MirrorError(side, words.unset(side))
        return self.folders[side]

    def has(self, side: Side) -> bool:
        return side in self.folders

    def fetch(self, side: Side, *refspecs: str) -> None:
        """Fetch where there is something to fetch from; a folder that people keep themselves is left alone."""
        if side in self.clones:
            self.clones[side].fetch(*refspecs)

    def fetch_all(self) -> tuple[MirrorError, ...]:
        """Fetch every mirror; what failed is returned, so that one side does not hold up the other."""
        failed = []
        for side in self.clones:
            try:
                self.fetch(side)
            except MirrorError as error:
                failed.append(error)
        return tuple(failed)

    def pin(self, side: Side, revision: str) -> str:
        """The full id of the commit that a SHA, branch or tag names now; fetched for when it is not at hand.

        A branch is fetched for first, since it moves. A folder or wheel without history has no revisions: "" then, and
        the files are read as they are. Raises ``MirrorError`` when nobody knows the revision.
        """
        location = self.location(side)
        if side in self.clones:
            if not _is_sha(revision) or self.clones[side].find(revision) is None:
                self.fetch(side)
        elif not is_repository(location):
            return ""
        repository = GitRepository(location)
        if not repository.knows(revision):
            raise MirrorError(side, words.revision_unknown(side, revision))
        return repository.resolve(revision)

    def unready(self, now: float) -> tuple[str, ...]:
        """A sentence for each mirror that was never fetched, or not for too long. ``now`` in seconds since 1970."""
        told = []
        for side, clone in self.clones.items():
            fetched = clone.fetched_at()
            if fetched is None:
                told.append(words.never_fetched(side))
            elif now - fetched > self.stale_after:
                told.append(words.stale(side, int(now - fetched) // 60))
        return tuple(told)


def open_mirrors(settings: Settings, header_for: Callable[[str], str] = lambda _url: "") -> Mirrors:
    """The mirrors of the settings; nothing is fetched yet. ``header_for`` gives the HTTP header that a URL needs."""
    home = settings.mirrors.dir or settings.cache.dir / "mirrors"
    urls = {Side.DOWNSTREAM: settings.mirrors.downstream_url, Side.UPSTREAM: settings.mirrors.upstream_url}
    paths = {Side.DOWNSTREAM: settings.downstream.path, Side.UPSTREAM: settings.upstream.clone}
    clones = {
        side: BareClone(side, url, home / f"{side}.git", header=header_for(url)) for side, url in urls.items() if url
    }
    folders = {side: path for side, path in paths.items() if path is not None}
    folders |= {side: clone.folder for side, clone in clones.items()}
    return Mirrors(clones, folders, settings.mirrors.stale_after_seconds)


def _is_sha(revision: str) -> bool:
    return len(revision) in {40, 64} and all(letter in "0123456789abcdef" for letter in revision)
