"""Fetched pull requests that nobody fetched."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from evals.pull_requests.folder import PullRequestFolder
from evals.pull_requests.models import DiffOrigin, FetchedPull, fingerprint


def fetched_pull(number: int, diff: bytes = b"", **fields: Any) -> FetchedPull:
    """One file, one line, between the revisions ``b…`` and ``a…``; ``fields`` say otherwise."""
    given: dict[str, Any] = {
        "number": number,
        "title": "Turn twice",
        "body": "",
        "labels": (),
        "created": date(2026, 3, 4),
        "base_sha": "b" * 40,
        "head_sha": "a" * 40,
        "changed_files": 1,
        "additions": 1,
        "deletions": 1,
        "origin": DiffOrigin.WHOLE,
        "missing": (),
        "sha256": fingerprint(diff),
        "fetched": datetime(2026, 4, 1, tzinfo=UTC),
    }
    return FetchedPull(**(given | fields))


def keep_pull(root: Path, number: int, diff: bytes) -> None:
    """Lays the pull request where ``root``, a folder of real data, has it."""
    PullRequestFolder(root / "pull-requests").keep(fetched_pull(number, diff), diff)
