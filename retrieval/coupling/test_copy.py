"""`test_copy` 测试副本: a downstream test that was copied from a changed upstream test.

torch_npu keeps copies of upstream test files under the same or nearly the same path (``test/_mill/test_gears_npu.py``
for ``test/mill/test_gears.py``), and single test cases elsewhere. Two ways lead to a copy:

* by path: a file at the corresponding path, its *twin*. There the case of the same scope is the copy; so is the case of
  the same name when the twin lacks the class, which copies often rename. Without the case its class is named, without
  the class the file;
* by content: a case anywhere else whose body is alike. Where bodies are unknown, the same class and a telling name
  must do, or several telling names in one file.

The trap: names like ``test_basic`` stand in every second file, so outside a twin a name alone is no copy. Where the
bodies are known and unlike, it is none even in a twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from retrieval.copies.alignment import MIN_TOKENS, Piece, align
from retrieval.copies.candidates import worth_aligning
from retrieval.copies.state import copy_state
from retrieval.coupling.changed_tests import ChangedCase, ChangedTests
from retrieval.coupling.coupling import NO_DETAIL, Coupling, couple_fact
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.placed_code import PlacedCode
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.python_source import Scope
from retrieval.coupling.question import CHANGE_WEIGHT, Question
from retrieval.coupling.twin_paths import are_twins, twin_stems
from retrieval.delta.path_kinds import is_test_path
from retrieval.delta.texts import ChangedText
from retrieval.models import MODULE_SCOPE, ChangeKind, CopyState, CouplingDetail, EvidenceKind, Language, Relation
from retrieval.symbols import language_of

KIND = EvidenceKind.TEST_COPY

_PREFIX = "test"
# Words of a name, `test` included, at which it tells a case from others: of names with this many words the share that
# stands in two files of torch_npu's tests is 6 % (three words) and 2 % (four words); of two words it is 24 %.
_TELLING_IN_CLASS = 3
_TELLING_ALONE = 4
_SEVERAL = 2
# The least similarity of bodies under one name. Among test cases of one name in two files of torch_npu copies lie from
# 0.6 on, and few cases between 0.5 and 0.6: those were written after one pattern (``test_non_contig`` of unary and of
# binary functions). The bar is higher than that of other copies under an akin name: tests are made of the same calls.
_COPY_BAR = 0.6


def extract(file: PythonFile) -> Iterator[Fact]:
    """Test cases at top level and in top-level classes, those classes, and the file itself where it imports first.

    What makes a file a test is its path, which a fact does not know: product code yields facts for ``test_*`` too.
    """
    source, holders, found = file.source, dict.fromkeys([-1]), []
    for index, scope in enumerate(source.scopes):
        in_class = scope.parent >= 0 and source.scopes[scope.parent].is_class
        if scope.is_class or scope.qualname.count(".") != in_class:
            continue
        if scope.qualname.rpartition(".")[2].startswith(_PREFIX):
            found.append(index)
            holders[scope.parent] = None
    if not found:
        return
    first = min((item for item in file.bindings.imports if item.scope < 0), key=lambda item: item.line, default=None)
    if first is not None:
        yield Fact(KIND, MODULE_SCOPE, OWN, MODULE_SCOPE, (first.line,), first.token)
    for index in sorted({*holders, *found} - {-1}):
        yield _fact(file, source.scopes[index])


def _fact(file: PythonFile, scope: Scope) -> Fact:
    source, name = file.source, scope.qualname.rpartition(".")[2]
    named = scope.node.child_by_field_name("name")
    line = source.line_at((named or scope.node).start_byte)
    span = (source.line_at(scope.start), source.line_at(max(scope.start, scope.end - 1)))
    return Fact(KIND, name, f"{OWN}.{scope.qualname}", scope.qualname, (line,), name, span=span)


class _Match(NamedTuple):
    """A downstream case and the changed one it may be a copy of. ``alike`` is null where bodies cannot tell."""

    case: ChangedCase
    located: Located
    alike: float | None

    @property
    def same_scope(self) -> bool:
        return self.located.fact.scope in (self.case.scope, self.case.old_scope)

    @property
    def words(self) -> int:
        return len(list(filter(None, self.located.fact.name.split("_"))))


class _Bodies:
    """The bodies of changed cases and of downstream ones, each tokenised once."""

    def __init__(self, texts: Mapping[str, ChangedText], lookup: FactLookup) -> None:
        self._texts = texts
        self._placed = PlacedCode(lookup)
        self._sides: dict[str, Sequence[Piece]] = {}

    def alike(self, case: ChangedCase, located: Located) -> float | None:
        """How alike the bodies are, on the better of both sides; null where one is unknown or too short to tell."""
        sides, span = self._sides_of(case.symbol), located.fact.span
        if not sides or span is None:
            return None
        _, copy = self._placed.at(located.path, span)
        if len(copy) < MIN_TOKENS:
            return None
        return max(align(side, copy).similarity if worth_aligning(side, copy) else 0.0 for side in sides)

    def state(self, case: ChangedCase, located: Located) -> CopyState | None:
        text, span = self._texts.get(case.symbol), located.fact.span
        if text is None or span is None:
            return None
        return copy_state(text.old or "", text.new or "", self._placed.at(located.path, span)[0])

    def _sides_of(self, symbol: str) -> Sequence[Piece]:
        if symbol not in self._sides:
            texts = self._texts.get(symbol, ())
            pieces = [Piece(text, Language.PYTHON) for text in texts if text is not None]
            self._sides[symbol] = [piece for piece in pieces if len(piece) >= MIN_TOKENS]
        return self._sides[symbol]


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    known = [tests.path for tests in question.tests if tests.path]
    bodies = _Bodies(question.texts, lookup)
    for tests in question.tests:
        twins = _twins([tests.path] if tests.path else known, lookup)
        matches = _matches(tests, bodies, lookup)
        for path in dict.fromkeys((*twins, *matches)):
            facts = lookup.inside((path,), KIND) if path in twins else ()
            copies = _copies(matches.get(path, ()), facts, path in twins)
            yield from (_copy(match, bodies) for match in copies)
            yield from _around(tests, {match.case for match in copies}, facts)


def _twins(paths: Sequence[str], lookup: FactLookup) -> frozenset[str]:
    candidates = lookup.files_called(stem for path in paths for stem in twin_stems(path))
    return frozenset(one for one in candidates if any(are_twins(path, one) for path in paths))


def _matches(tests: ChangedTests, bodies: _Bodies, lookup: FactLookup) -> Mapping[str, Sequence[_Match]]:
    """Path → its test cases that go by the name of a changed one, but for those whose known body is unlike."""
    if tests.path and language_of(tests.path) is not Language.PYTHON:
        return {}
    by_name: dict[str, list[ChangedCase]] = {}
    for case in tests.cases:
        for name in case.names:
            by_name.setdefault(name, []).append(case)
    found: dict[str, list[_Match]] = {}
    for located in lookup.named(by_name, KIND) if by_name else ():
        if not is_test_path(located.path):
            continue
        for case in by_name[located.fact.name]:
            alike = bodies.alike(case, located)
            if alike is None or alike >= _COPY_BAR:
                found.setdefault(located.path, []).append(_Match(case, located, alike))
    return found


def _copies(matches: Sequence[_Match], facts: Sequence[Located], is_twin: bool) -> Sequence[_Match]:
    """The matches in one file that are copies; ``facts`` are those of the file if it is a twin."""
    if is_twin:
        scopes = {located.fact.scope for located in facts}
        return [match for match in matches if match.same_scope or not match.case.holders & scopes]
    alike = [match for match in matches if match.alike is not None]
    unknown = [match for match in matches if match.alike is None]
    in_class = [match for match in unknown if match.same_scope and match.case.holders]
    telling = {match.located.fact.name for match in unknown if match.words >= _TELLING_ALONE}
    if len(telling) >= _SEVERAL or len(in_class) >= _SEVERAL:
        return [*alike, *(one for one in unknown if one in in_class or one.words >= _TELLING_ALONE)]
    return [*alike, *(one for one in in_class if one.words >= _TELLING_IN_CLASS)]


def _copy(match: _Match, bodies: _Bodies) -> Coupling:
    case, located, alike = match
    detail = NO_DETAIL
    if alike is not None:
        detail = CouplingDetail(similarity=round(alike, 2), copy_state=bodies.state(case, located))
    return couple_fact(located, Relation.SAME_SYMBOL, case.symbol, CHANGE_WEIGHT[case.kind], detail=detail)


def _around(tests: ChangedTests, copied: set[ChangedCase], facts: Sequence[Located]) -> Iterator[Coupling]:
    """In a twin, given by its ``facts``: the classes of cases it has no copy of; the file where that leaves nothing."""
    by_scope = {located.fact.scope: located for located in facts}
    classes: dict[str, ChangedCase] = {}
    for case in tests.cases:
        for holder in case.holders & by_scope.keys() if case not in copied else ():
            classes.setdefault(holder, case)
    for holder, case in classes.items():
        yield couple_fact(by_scope[holder], Relation.ENCLOSING, case.symbol, CHANGE_WEIGHT[case.kind])
    if not copied and not classes and MODULE_SCOPE in by_scope and tests.path:
        weight = max((CHANGE_WEIGHT[case.kind] for case in tests.cases), default=CHANGE_WEIGHT[ChangeKind.REWRITTEN])
        yield couple_fact(by_scope[MODULE_SCOPE], Relation.SAME_MODULE, tests.module, weight, word=tests.module)
