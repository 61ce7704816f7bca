"""How to do a run again: the command, and what has to be the same for it to give the same answers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from evals.report import words
from evals.run.models import Manifest


def run_command(manifest: Manifest) -> str:
    """The command line of the run. A batch's answers and settings of a model lie in files that it does not name."""
    parts = ["reviewbot", "eval", "run", "--name", manifest.name, "--engine", manifest.engine]
    if manifest.split is not None:
        parts += ["--split", manifest.split]
    if manifest.sample is not None:
        parts += ["--sample", str(manifest.sample), "--seed", str(manifest.seed)]
    if not manifest.pulled:
        parts.append("--no-pull-requests")
    return shlex.join(parts)


def facts(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Key and value, ``version.`` and ``parameter.`` in front of what a run may have any of; `words.manifest_name`
    names the keys. What the run did not have is left out.
    """
    told = manifest.model_dump(mode="json") | manifest.revisions.model_dump()
    told["pulled"] = len(manifest.pulled)
    if manifest.commit is not None:
        told["commit"] = words.commit(manifest.commit, dirty=manifest.dirty)
    yield from ((key, str(told[key])) for key in words.MANIFEST_NAMES if told[key] is not None)
    yield from ((f"version.{key}", value) for key, value in manifest.versions.items())
    yield from ((f"parameter.{key}", value) for key, value in manifest.parameters.items())
