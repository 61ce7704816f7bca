"""What tells whether two answers come from the same code, the same records and the same diffs."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from retrieval.extraction import extractor_version
from retrieval.git_repository import git_environment
from reviewbot import __version__
from reviewbot.rubric import Rubric

_PACKAGES = ("retrieval", "reviewbot", "prompts")
#: Parts of ``reviewbot`` that only carry or keep what an analysis gives. All else counts, what is new included.
_NO_PART = {"cli", "records", "store", "__pycache__"}
#: A text that no answer depends on: it is read when answers are judged.
_JUDGES = "prompts/judge.md"
_SOURCES = (".py", ".yaml", ".toml", ".md")


class Commit(NamedTuple):
    """``id`` is null outside a git work tree that holds this code; ``dirty``: files of it differ from that commit."""

    id: str | None
    dirty: bool


def versions_of(rubric: Rubric, writer: Mapping[str, str]) -> dict[str, str]:
    """The versions of an analysis, and ``code``: a hash of all sources that an answer can depend on."""
    return {
        "reviewbot": __version__,
        "rubric": rubric.version,
        "extractor": extractor_version(),
        "code": code_version(),
        **writer,
    }


def code_version() -> str:
    """12 hex digits over the sources of ``retrieval``, ``reviewbot`` and ``prompts``, but for their surroundings."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for name, content in _sources(resources.files(package), package):
            digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:12]


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for part in sorted(folder.iterdir(), key=lambda one: one.name):
        if part.is_dir():
            if part.name not in _NO_PART:
                yield from _sources(part, f"{name}/{part.name}")
        elif part.name.endswith(_SOURCES) and f"{name}/{part.name}" != _JUDGES:
            yield f"{name}/{part.name}", part.read_bytes()


def digest_of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of_records(path: Path | None) -> str:
    """SHA-256 of a file of labelled records, of the one that ships without a path."""
    content = resources.files("evals.records").joinpath("dev.jsonl").read_bytes() if path is None else path.read_bytes()
    return hashlib.sha256(content).hexdigest()


def digest_of_inputs(diffs: Iterable[tuple[str, Path | None]]) -> str:
    """SHA-256 over (record id, diff) in the order given; a diff that is not there counts as absent, not as empty."""
    digest = hashlib.sha256()
    for record, path in diffs:
        content = path.read_bytes() if path is not None and path.is_file() else None
        told = "absent" if content is None else hashlib.sha256(content).hexdigest()
        digest.update(f"{record} {told}\n".encode())
    return digest.hexdigest()


def commit_of_code(folder: Path | None = None) -> Commit:
    """The commit of the work tree that this code runs from; ``folder`` is the root of its packages."""
    root = folder or Path(__file__).parents[2]
    # An installed copy may lie in a .venv inside some repository: then git does not track it.
    if _git(root, "ls-files", "--error-unmatch", "evals/__init__.py") is None:
        return Commit(None, False)
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "status", "--porcelain", "--", *_PACKAGES, "evals")
    return Commit(commit, bool(changed))


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, None when it fails or is not there."""
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, env=git_environment(), capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
