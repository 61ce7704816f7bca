"""When a copy first appeared downstream: the oldest commit that added its definition to the file it lies in.

One walk over the history of all the files at once; a rename of a file counts as its beginning. A copy whose definition
no commit of that history adds (shallow clones, names made by macros) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from retrieval.git_repository import GitRepository
from retrieval.models import Language
from retrieval.symbols import language_of

_LOG = ("-c", "core.quotePath=false", "log", "--format=%x00%H %cs", "--patch", "--unified=0", "--no-renames")
_SAFE = ("--no-ext-diff", "--no-textconv", "--no-color")
_DEFINED = {
    Language.PYTHON: re.compile(r"\+\s*(?:async\s+)?(?:def|class)\s+(\w+)"),
    Language.CPP: re.compile(r"\+[^(/;=]*?(?:class|struct)\s+(\w+)|\+[^(/;=]*?(\w+)\s*\("),
}


class FirstSeen(NamedTuple):
    commit: str
    day: str  # ISO 8601, of the commit


def first_seen(
    repository: GitRepository, revision: str, names: Iterable[tuple[str, str]]
) -> Mapping[tuple[str, str], FirstSeen]:
    """(path, name of a definition) → where it was first seen at or before ``revision``."""
    wanted = set(names)
    paths = sorted({path for path, _ in wanted})
    if not paths:
        return {}
    log = repository.run(*_LOG, *_SAFE, revision, "--", *(f":(top,literal){path}" for path in paths))
    found: dict[tuple[str, str], FirstSeen] = {}
    commit, path, before = FirstSeen("", ""), "", ""
    for line in log.decode("utf-8", "replace").split("\n"):
        if line.startswith("\0"):
            commit = FirstSeen(*line[1:].split(" ", 1))
        elif line.startswith("+++ ") and before.startswith("--- "):
            path = line[4:].partition("/")[2].rstrip("\t")  # git puts a tab behind a path with a blank in it
        elif line.startswith("+"):
            pattern = _DEFINED.get(language_of(path))
            match = pattern.match(line) if pattern is not None else None
            name = match[match.lastindex] if match is not None and match.lastindex is not None else ""
            if (path, name) in wanted:
                found[path, name] = commit  # the log goes back in time: the oldest stays
        before = line
    return found
