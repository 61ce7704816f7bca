"""Fetched pull requests on disk. A pair of files counts once both are there and the diff is the one described."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from evals.errors import RealDataError
from evals.pull_requests import words
from evals.pull_requests.models import FetchedPull, fingerprint
from retrieval.change import apply_about, parse_patch
from retrieval.models import UpstreamChange


@dataclass(frozen=True, slots=True)
class PullRequestFolder:
    """``root`` need not exist before the first `keep`."""

    root: Path

    def diff(self, number: int) -> Path:
        return self.root / f"{number}.diff"

    def facts(self, number: int) -> Path:
        return self.root / f"{number}.json"

    def get(self, number: int) -> FetchedPull | None:
        """None when it was not fetched or its fetch was cut short. Raises `RealDataError` for a damaged file."""
        facts, diff = self.facts(number), self.diff(number)
        if not (facts.is_file() and diff.is_file()):
            return None
        try:
            pull = FetchedPull.model_validate_json(facts.read_bytes())
        except ValidationError as error:
            raise RealDataError(str(facts), words.DAMAGED) from error
        if fingerprint(diff.read_bytes()) != pull.sha256:
            raise RealDataError(str(diff), words.DAMAGED)
        return pull

    def keep(self, pull: FetchedPull, diff: bytes) -> None:
        """Both files or none: the facts come last, and each appears whole."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            _write(self.diff(pull.number), diff)
            _write(self.facts(pull.number), pull.model_dump_json(indent=1).encode())
        except OSError as error:
            raise RealDataError(str(self.root), words.not_writable(error)) from error

    def change(self, number: int) -> UpstreamChange | None:
        """The pull request as the product would read it, None when it was not fetched. Raises `ChangeError`."""
        pull = self.get(number)
        if pull is None:
            return None
        patch = parse_patch(self.diff(number).read_bytes(), str(self.diff(number)))
        named = patch.model_copy(update={"base_sha": pull.base_sha, "head_sha": pull.head_sha})
        return apply_about(named, pull.about())


def _write(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    unfinished.write_bytes(content)
    unfinished.replace(path)
