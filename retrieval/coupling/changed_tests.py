"""The test files that a change touches, with the test cases it changes in each: what test copies are looked for by.

Built from a delta and from paths that no diff shows, pure. A case that is known by name alone has no file: its file is
the one with the empty path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangeKind, Delta, Nature
from retrieval.symbols import module_of


class ChangedCase(NamedTuple):
    """``scope`` is ``Class.test_name`` or ``test_name``, ``old_scope`` the same before a rename."""

    scope: str
    old_scope: str
    symbol: str
    kind: ChangeKind

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(scope.rpartition(".")[2] for scope in (self.scope, self.old_scope)))

    @property
    def holders(self) -> frozenset[str]:
        """The classes around it; empty for a test function."""
        return frozenset(filter(None, (scope.rpartition(".")[0] for scope in (self.scope, self.old_scope))))


class ChangedTests(NamedTuple):
    """One changed upstream test file. ``path`` is empty for cases whose file is not known."""

    path: str
    cases: tuple[ChangedCase, ...]

    @property
    def module(self) -> str:
        return module_of(self.path)


def changed_tests(delta: Delta, other_paths: Iterable[str] = ()) -> tuple[ChangedTests, ...]:
    """Files in the order of the delta, those that only ``other_paths`` names after them."""
    renamed = _old_scopes(delta)
    cases: dict[str, list[ChangedCase]] = {}
    for file in delta.files:
        if file.nature is Nature.TEST:
            cases.setdefault(file.path, [])
    for test in delta.tests:
        symbol = f"{module_of(test.path)}.{test.scope}" if test.path else test.scope
        case = ChangedCase(test.scope, renamed.get((test.path, test.scope), test.scope), symbol, test.kind)
        cases.setdefault(test.path, []).append(case)
    for path in filter(is_test_path, other_paths):
        cases.setdefault(path, [])
    return tuple(ChangedTests(path, tuple(found)) for path, found in cases.items())


def _old_scopes(delta: Delta) -> Mapping[tuple[str, str], str]:
    return {(one.path, one.qualname): one.old_qualname for one in delta.definitions if one.old_qualname is not None}
