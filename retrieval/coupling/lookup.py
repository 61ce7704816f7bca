"""What kinds may ask of the facts of one tree. `retrieval.index.Index` answers; tests may answer from a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from retrieval.coupling.facts import Fact
from retrieval.models import EvidenceKind, Language


class Located(NamedTuple):
    """A fact at its place: ``target`` is the fact's, made absolute for ``module``."""

    path: str
    module: str
    fact: Fact
    target: str
    owner: str


class FactLookup(Protocol):
    def named(self, names: Iterable[str], *kinds: EvidenceKind) -> Sequence[Located]:
        """Facts of ``kinds`` whose key is one of ``names``, by path and first line."""
        ...

    def under(self, module: str, *kinds: EvidenceKind) -> Sequence[Located]:
        """Facts of ``kinds`` whose target as written is ``module`` or lies below it."""
        ...

    def inside(self, paths: Iterable[str], *kinds: EvidenceKind, scope: str | None = None) -> Sequence[Located]:
        """Facts of ``kinds`` in files of the tree, or in one scope of theirs, by path and first line."""
        ...

    def home_of(self, name: str) -> str | None:
        """The longest front of an absolute name that is a module of the tree."""
        ...

    def paths_of(self, module: str) -> Sequence[str]:
        """The file of a module of the tree; empty when it has none of that name."""
        ...

    def files_called(self, stems: Iterable[str]) -> Sequence[str]:
        """Paths of the tree whose file name, without its suffix, is one of ``stems``."""
        ...

    def resembling(self, grams: Sequence[int], language: Language) -> Sequence[Located]:
        """The few definitions in ``language`` whose sketches share the rarest of ``grams``, by path and first line.

        How many are left out is not told: of many equal ones the first by path and line are taken.
        """
        ...

    def canonical(self, located: Located) -> str:
        """The fact's target with downstream re-exports followed to where a name was first imported from."""
        ...

    def bases_of(self, name: str) -> Sequence[Located]:
        """Subclass facts of the downstream class with the absolute name ``name``, in the order of its bases."""
        ...

    def defines(self, name: str) -> bool:
        """True when ``name`` lies in a module of this tree."""
        ...

    def canonical_name(self, target: str) -> str:
        """The same for a bare absolute name."""
        ...

    def text(self, path: str, first: int, last: int) -> str:
        """Lines ``first`` to ``last`` of a file of the tree."""
        ...

    def files_with(self, word: str) -> int:
        """Number of files of the tree, of any language, that hold ``word`` as a whole word."""
        ...
