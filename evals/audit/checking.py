"""Checks one exported record against the tree: first its ledger, then its printed text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from evals import words
from evals.audit.claims import Clause, PrintedPlace, clauses
from evals.audit.export import ExportedItem, ExportedRecord
from evals.audit.faults import Fault, FaultKind
from evals.audit.python_facts import PythonFile
from evals.audit.relations import claimed, shows
from evals.audit.tree_text import TreeText


@dataclass(frozen=True, slots=True)
class Audited:
    """What was checked in the printed text of one record, and everything found wrong in text and ledger."""

    name: str
    places: int
    misses: int
    relations: int
    faults: tuple[Fault, ...]


class Auditor:
    """Holds one tree; files are parsed and words searched once."""

    def __init__(self, tree: TreeText) -> None:
        self._tree = tree
        self._counts: dict[str, tuple[int, int]] = {}
        self._parsed: dict[str, tuple[PythonFile, ...]] = {}

    def audit(self, record: ExportedRecord) -> Audited:
        printed = [*clauses(record.record.summary), *clauses(record.record.analysis)]
        places = [(clause, place) for clause in printed for place in clause.places]
        faults = [
            *self._ledger_faults(record),
            *(fault for clause, place in places for fault in self._place_faults(record, clause, place)),
            *(fault for clause in printed for fault in self._miss_faults(record, clause)),
            *self._coverage_faults(record, printed),
        ]
        return Audited(
            name=record.name,
            places=len(places),
            misses=sum(len(clause.misses) for clause in printed),
            relations=sum(len(clause.relations) for clause, _ in places),
            faults=tuple(faults),
        )

    def _ledger_faults(self, record: ExportedRecord) -> Iterator[Fault]:
        for item in record.ledger.couplings:
            for line in item.lines:
                yield from self._line_faults(record.name, item, line)
            facts = [python.facts_at(line) for python in self._python_of(item.path) for line in item.lines]
            judged = [shows(claimed(item), item, one) for one in facts]
            if judged and not any(judged) and None not in judged:
                yield Fault(FaultKind.WRONG_RELATION, record.name, f"{item.id} {item.path}:{item.lines[0]}", item.kind)
        for miss in record.ledger.misses:
            if self._count(miss.pattern) != (0, 0):
                yield self._false(FaultKind.FALSE_MISS, record.name, miss.pattern)
        for count in record.ledger.counts:
            if self._count(count.pattern) != (count.lines, count.files):
                yield self._false(FaultKind.FALSE_COUNT, record.name, count.pattern)

    def _line_faults(self, name: str, item: ExportedItem, line: int) -> Iterator[Fault]:
        """Whether one line of an item exists, lies in its scope and, where it must, holds its token."""
        where = f"{item.path}:{line}"
        lines = self._tree.lines(item.path)
        if lines is None or not 1 <= line <= len(lines):
            yield Fault(FaultKind.NO_SUCH_LINE, name, where)
            return
        for python in self._python_of(item.path):
            if python.scope_at(line) != item.scope:
                yield Fault(FaultKind.WRONG_SCOPE, name, where, words.found_scope(python.scope_at(line)))
        merged = len(item.symbols) > 1
        if not self._tree.has_word_on(item.path, line, item.token) and not (merged and line != item.lines[0]):
            yield Fault(FaultKind.WORD_ABSENT, name, where, item.token)

    def _place_faults(self, record: ExportedRecord, clause: Clause, place: PrintedPlace) -> Iterator[Fault]:
        lines = self._tree.lines(place.path)
        if lines is None or not 1 <= place.line <= len(lines):
            yield Fault(FaultKind.NO_SUCH_LINE, record.name, str(place))
            return
        items = [item for item in record.ledger.couplings if item.path == place.path and place.line in item.lines]
        if not items:
            yield Fault(FaultKind.NOT_IN_LEDGER, record.name, str(place))
            return
        wanted = {word for item in items for word in (item.token, *(_last(symbol) for symbol in item.symbols))}
        if not any(self._tree.has_word_on(place.path, place.line, word) for word in wanted):
            yield Fault(FaultKind.WORD_ABSENT, record.name, str(place), ", ".join(sorted(wanted)))
        for python in self._python_of(place.path):
            facts = python.facts_at(place.line)
            kinds = [kind for word in clause.relations for kind in words.RELATION_KINDS[word]]
            if kinds and not any(shows(kind, item, facts) for kind in kinds for item in items):
                yield Fault(FaultKind.WRONG_RELATION, record.name, str(place), ", ".join(clause.relations))

    def _miss_faults(self, record: ExportedRecord, clause: Clause) -> Iterator[Fault]:
        for denied in clause.misses:
            if not denied:
                yield Fault(FaultKind.UNKNOWN_MISS, record.name, clause.text)
            for word in denied:
                if self._count(word) != (0, 0):
                    yield self._false(FaultKind.FALSE_MISS, record.name, word)

    def _coverage_faults(self, record: ExportedRecord, printed: list[Clause]) -> Iterator[Fault]:
        if record.ledger.items:
            top = record.ledger.items[0]
            if not any(place.path == top.path and place.line in top.lines for one in printed for place in one.places):
                yield Fault(FaultKind.TOP_ITEM_NOT_CITED, record.name, f"{top.id} {top.path}")
        elif not any(clause.misses for clause in printed):
            yield Fault(FaultKind.NO_MISS_STATED, record.name, "")

    def _false(self, kind: FaultKind, name: str, word: str) -> Fault:
        return Fault(kind, name, word, words.found_count(*self._count(word)))

    def _count(self, word: str) -> tuple[int, int]:
        if word not in self._counts:
            self._counts[word] = self._tree.count(word)
        return self._counts[word]

    def _python_of(self, path: str) -> tuple[PythonFile, ...]:
        """The parsed file, or nothing for what is no Python or what Python itself refuses (templates)."""
        if path not in self._parsed:
            self._parsed[path] = ()
            if path.endswith((".py", ".pyi")) and path in self._tree.files:
                with suppress(SyntaxError):
                    self._parsed[path] = (PythonFile(self._tree.files[path]),)
        return self._parsed[path]


def _last(symbol: str) -> str:
    return symbol.rpartition(".")[2]
