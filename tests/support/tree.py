"""Small downstream trees and indexes over them, for tests of the coupling index.

The invented upstream is the package ``torch._mill`` of ``tests.support.values``; its downstream is ``mill_npu``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import dedent

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.facts import Fact
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import KINDS, couplings
from retrieval.index import Index, open_index
from retrieval.models import ConfigChange, DefinitionChange, EvidenceKind, OperatorChange
from tests.support.memory_tree import MemoryTree
from tests.support.values import delta

Files = Mapping[str, str | bytes]
IndexOf = Callable[[Files], Index]


def code(text: str) -> str:
    """Indented source without its indentation and its first line end, so that line numbers start at 1."""
    return dedent(text).removeprefix("\n")


def content(files: Files) -> dict[str, bytes]:
    return {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}


class ReadCountingTree(MemoryTree):
    """Remembers which paths were read, in order."""

    name = "mill_npu"

    def __init__(self, files: Files) -> None:
        super().__init__(content(files))
        self.reads: list[str] = []

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        return super().read(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            yield path, self.read(path)


def memory_index(files: Files, cache_dir: Path, *, jobs: int = 1) -> Index:
    """An index over files in memory; the caller closes it."""
    return open_index(ReadCountingTree(files), cache_dir, jobs=jobs)


def lay(folder: Path, files: Files) -> Path:
    """Writes the files below ``folder`` and returns it."""
    for path, data in content(files).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder


def facts_of(source: str | bytes, kind: EvidenceKind) -> Sequence[Fact]:
    """Facts of one kind in one Python file."""
    file = PythonFile(source.encode() if isinstance(source, str) else source)
    (extract,) = [known.extract for known in KINDS if known.kind is kind]
    return tuple(extract(file)) if extract is not None else ()


def felt(
    index: Index, kind: EvidenceKind, *changes: DefinitionChange | OperatorChange | ConfigChange
) -> Sequence[Coupling]:
    """Couplings of one kind to the given changes."""
    found = couplings(question_of(delta(*changes)), index)
    return [coupling for coupling in found if coupling.kind is kind]


def places(found: Iterable[Coupling]) -> list[tuple[str, tuple[int, ...], str]]:
    """(scope, lines, token) of couplings, sorted and without repetitions."""
    return sorted({(coupling.scope, coupling.lines, coupling.token) for coupling in found})
