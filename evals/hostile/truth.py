"""Whether a mutated claim is false, read off the tree: plain text and ``ast``, nothing of index or verifier.

Contract: the answer errs towards "may be true". A name counts as present in a whole file when one line of it holds the
word, so that what is left as false is false beyond argument; what was left out is counted by the caller.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path

from evals.audit import TreeText
from evals.audit.export import ExportedDetail, ExportedItem
from evals.audit.python_facts import PythonFile
from evals.audit.relations import shows
from evals.hostile.scene import Place, last


class Facts:
    """Both trees as text. Files are parsed once; the upstream one is read when first asked."""

    def __init__(self, downstream: TreeText, upstream: Path) -> None:
        self.downstream = downstream
        self._upstream_root = upstream
        self._parsed: dict[str, PythonFile | None] = {}
        self._held: dict[tuple[str, str], tuple[int, ...]] = {}
        self._counts: dict[str, int] = {}

    @cached_property
    def upstream(self) -> TreeText:
        return TreeText.read(self._upstream_root)

    def lines_with(self, path: str, word: str) -> tuple[int, ...]:
        """1-based lines of a downstream file that hold ``word`` as a whole word."""
        if (path, word) not in self._held:
            lines = self.downstream.lines(path) or []
            near = [number for number, line in enumerate(lines, 1) if word.encode() in line]
            held = tuple(number for number in near if self.downstream.has_word_on(path, number, word))
            self._held[path, word] = held
        return self._held[path, word]

    def holds(self, path: str, name: str) -> bool:
        """The file speaks of ``name``: its last part stands in it."""
        return bool(self.lines_with(path, last(name)))

    def length(self, path: str) -> int:
        return len(self.downstream.lines(path) or ())

    def occurs(self, word: str) -> bool:
        """Anywhere in the downstream tree."""
        if word not in self._counts:
            self._counts[word] = self.downstream.count(word)[0]
        return self._counts[word] > 0

    def is_invented(self, word: str) -> bool:
        return not self.occurs(word) and self.upstream.count(word) == (0, 0)

    def may_show(self, kind: str, place: Place) -> bool:
        """Some line of the place, or of its file that names the same thing, shows a coupling of ``kind``."""
        python = self._python(place.path)
        if python is None:
            return True
        detail = ExportedDetail(registrar=None, listed=False)
        item = ExportedItem(
            id=place.id,
            kind=kind,
            path=place.path,
            scope=place.scope,
            lines=place.lines,
            token=place.token,
            symbol=place.symbol,
            symbols=(place.symbol,),
            detail=detail,
        )
        near = {*place.lines, *self.lines_with(place.path, place.token)}
        return any(shows(kind, item, python.facts_at(line)) for line in near)

    def _python(self, path: str) -> PythonFile | None:
        if path not in self._parsed:
            self._parsed[path] = None
            if path.endswith(".py") and path in self.downstream.files:
                with suppress(SyntaxError):
                    self._parsed[path] = PythonFile(self.downstream.files[path])
        return self._parsed[path]
