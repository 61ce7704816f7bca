"""One hostile diff and what must come of it, and the words in which the corpus states that."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.models import ChangedFile


@dataclass(frozen=True)
class Reads:
    """The diff is read; one line per file as ``shape`` writes it. ``incomplete``: it says itself that it is a part."""

    name: str
    data: bytes
    files: tuple[str, ...]
    incomplete: bool = False


@dataclass(frozen=True)
class Refused:
    """One ``ChangeError`` at ``line`` that holds ``words``."""

    name: str
    data: bytes
    line: int
    words: str


def shape(file: ChangedFile) -> str:
    """``modified x.py +1 -2``, ``renamed a.py > b.py +0 -0``, then ``binary`` and ``100644>100755``."""
    name = file.path if file.old_path is None else f"{file.old_path} > {file.path}"
    modes = "" if file.old_mode == file.new_mode else f" {file.old_mode}>{file.new_mode}"
    return f"{file.status} {name} +{file.added} -{file.removed}{' binary' if file.binary else ''}{modes}"


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def git(path: str, *body: str, old: str = "a/", new: str = "b/") -> bytes:
    """A git section of one modified file."""
    return text(
        f"diff --git {old}{path} {new}{path}",
        "index 1111111..2222222 100644",
        f"--- {old}{path}",
        f"+++ {new}{path}",
        *body,
    )


ONE = ("@@ -1 +1 @@", "-x", "+y")
