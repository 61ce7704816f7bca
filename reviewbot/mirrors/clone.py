"""One bare clone: made, fetched, asked for a revision. The network is touched here and nowhere else.

Contract: GitPython starts git with an environment of ours: ``GIT_DIR`` is said (an inherited one would point elsewhere;
GitPython cannot drop it), no prompt, no transport but those of ``_PROTOCOLS``. Several processes may share a folder: a
lock file keeps them from fetching at once, and who waited for a fetch that began after it asked need not fetch again.
Errors are ``MirrorError``; addresses in them bear no user and no password.
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from retrieval.git_repository import GitRepository
from reviewbot.mirrors import words
from reviewbot.mirrors.errors import MirrorError

_PROTOCOLS = "https:http:ssh:file"
#: Branches and tags as they are over there; what is gone there goes here, so that a renamed branch is no clash.
_EVERYTHING = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


class BareClone:
    """``name`` is what people call it, ``url`` where it comes from, ``folder`` where it is kept.

    ``header`` is one HTTP header for the fetch, as a rule an authorisation: it goes by the environment, not by the
    command line, which every user of the machine can read.
    """

    def __init__(
        self, name: str, url: str, folder: Path, *, header: str = "", timeout: float = 1800.0, patience: float = 600.0
    ) -> None:
        self.name = name
        self.folder = folder
        self._url = url
        self._header = header
        self._timeout = timeout
        self._patience = patience

    def fetch(self, *refspecs: str) -> None:
        """Bring everything up to date, or only ``refspecs`` (``refs/pull/7/head``). Makes the clone when there is none.

        Raises ``MirrorError``, ``passing``: whatever git says of a network may be different later.
        """
        asked = time.time()
        with self._alone():
            if not refspecs and (fetched := self.fetched_at()) is not None and fetched >= asked:
                return
            started = time.time()
            self._run(*(refspecs or _EVERYTHING), prune=not refspecs)
            if not refspecs:
                os.utime(self._touched(), (started, started))

    def fetched_at(self) -> float | None:
        """When the last whole fetch that succeeded began, in seconds since 1970; None before the first."""
        try:
            return self._stamp.stat().st_mtime
        except FileNotFoundError:
            return None

    def find(self, revision: str) -> str | None:
        """The full id of the commit that ``revision`` names here, None when the clone does not have it."""
        if not (self.folder / "HEAD").exists():
            return None
        repository = GitRepository(self.folder)
        return repository.resolve(revision) if repository.knows(revision) else None

    @property
    def _stamp(self) -> Path:
        return self.folder / "reviewbot-fetched"

    def _touched(self) -> Path:
        self._stamp.touch()
        return self._stamp

    def _run(self, *refspecs: str, prune: bool) -> None:
        from git import Git
        from git.exc import GitError

        git = Git(self.folder)
        git.update_environment(**self._environment())
        arguments = ["--no-tags", "--no-auto-maintenance", "--force", "--quiet", *(["--prune"] if prune else [])]
        try:
            if not (self.folder / "HEAD").exists():
                git.init("--bare", "--quiet", "--template=")
            git.fetch(*arguments, "--", self._url, *refspecs, kill_after_timeout=self._timeout)
        except (GitError, OSError) as error:
            raise self._failed(error) from error

    def _environment(self) -> Mapping[str, str]:
        environment = {
            "GIT_DIR": str(self.folder.resolve()),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "true",
            "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
            "LC_ALL": "C",
        }
        settings = {"http.extraHeader": self._header} if self._header else {}
        # A redirect to another host would carry the header there.
        settings["http.followRedirects"] = "false"
        environment["GIT_CONFIG_COUNT"] = str(len(settings))
        for number, (key, value) in enumerate(settings.items()):
            environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return environment

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        deadline = time.monotonic() + self._patience
        with (self.folder / "reviewbot-lock").open("w") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise MirrorError(self.name, words.busy(self.name, self._patience), passing=True) from None
                    time.sleep(0.05)
            yield

    def _failed(self, error: Exception) -> MirrorError:
        said = getattr(error, "stderr", "") or str(error)
        lines = [line.strip(" '\t") for line in str(said).splitlines()]
        told = [line for line in lines if line.startswith(("fatal:", "error:"))] or [line for line in lines if line]
        reason = _CREDENTIALS.sub("", told[0] if told else type(error).__name__)
        return MirrorError(self.name, words.fetch_failed(self.name, reason), passing=True)
