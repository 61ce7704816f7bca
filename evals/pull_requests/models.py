"""A fetched pull request: facts in ``<number>.json``, the diff as GitHub gave it in ``<number>.diff`` beside it."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from enum import StrEnum

from retrieval.change import About
from retrieval.models import Frozen


class DiffOrigin(StrEnum):
    WHOLE = "diff"  # the diff of the pull request in one answer
    FILES = "files"  # put together from the list of files, where GitHub refuses the whole


class FetchedPull(Frozen):
    """``missing`` are changed files whose lines GitHub did not give (binary, or too large)."""

    number: int
    title: str
    body: str
    labels: tuple[str, ...]
    created: date
    base_sha: str
    head_sha: str
    changed_files: int
    additions: int
    deletions: int
    origin: DiffOrigin
    missing: tuple[str, ...]
    sha256: str
    fetched: datetime

    def about(self) -> About:
        """What a patch file alone cannot carry, for `retrieval.change.apply_about`."""
        return About(
            number=self.number,
            title=self.title,
            body=self.body,
            labels=self.labels,
            date=self.created.isoformat(),
            paths=self.missing,
            diff_complete=not self.missing,
        )


def fingerprint(diff: bytes) -> str:
    return hashlib.sha256(diff).hexdigest()
