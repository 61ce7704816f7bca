"""A bare git repository made from the files of a tree, with ``git fast-import``: no checkout, no configuration.

Revision ``FIRST`` holds the tree, ``SECOND`` the same with one line more in one Python file.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.bench import words
from evals.errors import BenchError
from retrieval.git_repository import git_environment
from retrieval.source_tree import SourceTree

FIRST, SECOND = "refs/heads/first", "refs/heads/second"
_ADDED = b"\n\nADDED_BY_BENCH = 1\n"
_WHO = b"bench <bench@localhost> 1700000000 +0000"


def make_repository(tree: SourceTree, folder: Path) -> Path:
    """Writes the repository to ``folder`` and returns it. Raises `BenchError` when git cannot."""
    _git(folder.parent, "init", "--quiet", "--bare", "--template=", str(folder))
    _git(folder, "fast-import", "--quiet", stdin=b"".join(_stream(tree)))
    _git(folder, "symbolic-ref", "HEAD", FIRST)
    return folder


def grep(repository: Path, word: str) -> bytes:
    """What a person would run: the lines of the first revision that hold ``word`` as a whole word."""
    return _git(repository, "grep", "-w", "-F", "-n", "-e", word, FIRST, accepted=(0, 1))


def _stream(tree: SourceTree) -> Iterator[bytes]:
    paths = [file.path for file in tree.files()]
    yield b"commit %s\ncommitter %s\ndata 4\ntree\n" % (FIRST.encode(), _WHO)
    for path, data in tree.read_many(paths):
        yield _file(path, data)
    edited = _ordinary(tree, paths)
    yield b"commit %s\ncommitter %s\ndata 4\nedit\n" % (SECOND.encode(), _WHO)
    yield b"from %s\n" % FIRST.encode()
    yield _file(edited, tree.read(edited) + _ADDED)


def _file(path: str, data: bytes) -> bytes:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'M 100644 inline "%s"\ndata %d\n%s\n' % (quoted.encode(), len(data), data)


def _ordinary(tree: SourceTree, paths: Sequence[str]) -> str:
    """The Python file of the size that half of all bytes of code lie below: what is edited is rarely a small file."""
    sizes = sorted((len(tree.read(path)), path) for path in paths if path.endswith(".py"))
    if not sizes:
        raise BenchError(tree.name, words.NO_PYTHON)
    half, below = sum(size for size, _ in sizes) / 2, 0
    for size, path in sizes:
        below += size
        if below >= half:
            return path
    return sizes[-1][1]


def _git(folder: Path, *arguments: str, stdin: bytes = b"", accepted: Sequence[int] = (0,)) -> bytes:
    command = ["git", "-c", "safe.bareRepository=all", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, env=git_environment(folder.parent), input=stdin, capture_output=True, check=False
        )
    except OSError as error:
        raise BenchError("git", words.not_started(error)) from error
    if done.returncode not in accepted:
        raise BenchError(f"git {arguments[0]}", done.stderr.decode("utf-8", "replace").strip())
    return done.stdout
