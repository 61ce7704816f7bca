"""Builds tiny git repositories: same files in, same commit ids out, whatever the machine's git is told to do.

No global or system configuration is read, names and dates are fixed, inherited ``GIT_*`` variables are dropped.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

DAY = "2026-03-04"


def git_environment(date: str = f"{DAY}T05:06:07+00:00") -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return clean | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": date,
        "LC_ALL": "C",
    }


class GitRepo:
    """A repository with a work tree at ``path``, on branch ``main``, empty at first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "--template=", "-b", "main")

    def git(self, *arguments: str, date: str = f"{DAY}T05:06:07+00:00") -> str:
        """Runs git in the work tree and returns its output; a failure raises with git's message."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=git_environment(date), capture_output=True, check=False
        )
        if done.returncode != 0:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode("utf-8", "replace").rstrip("\n")

    def write(self, files: Mapping[str, bytes | str | None]) -> None:
        """Lays files in the work tree as given, byte for byte; None deletes."""
        for name, content in files.items():
            file = self.path / name
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)

    def rename(self, old: str, new: str) -> None:
        """Moves a file; the next commit records it."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        (self.path / old).rename(self.path / new)

    def commit(
        self,
        files: Mapping[str, bytes | str | None] | None = None,
        message: str = "Change something",
        *,
        date: str = f"{DAY}T05:06:07+00:00",
    ) -> str:
        """Commits ``files`` and whatever else differs in the work tree; returns the full commit id."""
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--no-verify", "--cleanup=verbatim", "-m", message, date=date)
        return self.git("rev-parse", "HEAD")

    def bare_clone(self, path: Path) -> Path:
        self.git("clone", "-q", "--bare", "--template=", str(self.path), str(path))
        return path
