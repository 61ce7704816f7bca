"""Test cases that a change adds, removes or changes, and those it is known to touch though no diff shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangeKind, DefinitionChange, DefinitionKind, TestCaseChange, UpstreamChange

_CASE = re.compile(r"test(?:_\w*|[A-Z0-9]\w*)?")
_NAMED = re.compile(r"(?:(?P<path>[^:\s]+\.\w+)::)?(?P<scope>\w+(?:(?:::|\.)\w+)*)(?:\[.*\])?")


def changed_test_cases(changes: Iterable[DefinitionChange], change: UpstreamChange) -> tuple[TestCaseChange, ...]:
    """Test functions and methods among the changed definitions, then ``change.test_names``.

    The names come without what happened to them and often without a path: they are ``REWRITTEN``, in the only test
    file of the change if it has only one, else with an empty path. A name that the diff shows is not repeated.
    """
    found = [
        TestCaseChange(path=item.path, scope=item.qualname, kind=item.kind)
        for item in changes
        if is_test_case(item) and item.kind is not ChangeKind.REFORMATTED
    ]
    known = {item.scope for item in found} | {item.scope.rpartition(".")[2] for item in found}
    paths = dict.fromkeys([*(file.path for file in change.files), *change.other_paths])
    test_files = [path for path in paths if is_test_path(path)]
    for name in change.test_names:
        match = _NAMED.fullmatch(name.strip())
        if match is None:
            continue
        scope = match["scope"].replace("::", ".")
        if scope in known:
            continue
        known.add(scope)
        path = match["path"] or (test_files[0] if len(test_files) == 1 else "")
        found.append(TestCaseChange(path=path, scope=scope, kind=ChangeKind.REWRITTEN))
    return tuple(found)


def is_test_case(change: DefinitionChange) -> bool:
    """``test_*`` functions of test files and of classes there; in C++, gtest cases."""
    if not is_test_path(change.path) or change.definition not in (DefinitionKind.FUNCTION, DefinitionKind.METHOD):
        return False
    parts = change.qualname.split(".")
    if change.path.endswith((".py", ".pyi")):
        return len(parts) <= 2 and _CASE.fullmatch(parts[-1]) is not None
    # TEST(Suite, case) { … } reads like a function of two unnamed parameters.
    macro = f"({', '.join(parts[-2:])})" in (change.signature, change.old_signature)
    return (len(parts) >= 2 and macro) or _CASE.fullmatch(parts[-1]) is not None
