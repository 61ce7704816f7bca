"""What a change does, in names: from the two sides of its files to a ``Delta``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from retrieval.change.sides import FileSides
from retrieval.delta.changes import Describer, changed_bodies
from retrieval.delta.configs import config_changes
from retrieval.delta.file_natures import devices_of, file_deltas
from retrieval.delta.fragments import fragments_of
from retrieval.delta.matching import Survey
from retrieval.delta.merging import merged
from retrieval.delta.operators import FragmentOperators, schema_changes
from retrieval.delta.tested import changed_test_cases
from retrieval.models import (
    ChangeKind,
    DefinitionChange,
    DefinitionKind,
    Delta,
    FileDelta,
    Language,
    Nature,
    OperatorChange,
    UpstreamChange,
)
from retrieval.symbols import language_of, module_of

_IMPORTANCE = (
    ChangeKind.REMOVED,
    ChangeKind.RENAMED,
    ChangeKind.MOVED,
    ChangeKind.RESIGNED,
    ChangeKind.REWRITTEN,
    ChangeKind.ADDED,
    ChangeKind.REFORMATTED,
)
_ASIDE = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})
_NATURES = list(Nature)


def compute_delta(change: UpstreamChange, sides: Sequence[FileSides]) -> Delta:
    """The delta of a change.

    ``sides`` are those of ``change.files`` (``retrieval.change.sides``). With both full files definitions are
    compared as a whole; a file without them is read from its hunks alone, and what these do not show is left out.
    Pure and deterministic; raises nothing on bad source text.
    """
    survey = Survey([fragment for item in sides for fragment in fragments_of(item)])
    operators = {id(fragment): FragmentOperators(fragment) for fragment in survey.fragments}
    verdicts = Describer(survey, operators).verdicts()
    definitions = merged(verdict.change for verdict in verdicts)
    files = file_deltas(change, {item.file.path: item.complete for item in sides}, survey, verdicts)
    return Delta(
        definitions=tuple(sorted(definitions, key=_importance)),
        operators=_operators(change, operators.values(), changed_bodies(verdicts, survey)),
        configs=config_changes(verdict.pair for verdict in verdicts if _is_real(verdict.change)),
        tests=changed_test_cases(definitions, change),
        files=files,
        modules=_modules(change, files),
        devices=devices_of(files, verdicts),
        natures=tuple(sorted({file.nature for file in files}, key=_NATURES.index)),
    )


def _importance(change: DefinitionChange) -> tuple[bool, bool, int, bool, int, str, int, str]:
    """Breaking signatures, then by kind, functions and classes before variables, much changed before little."""
    lines = change.new_lines or change.old_lines or (0, 0)
    return (
        change.nature in _ASIDE,
        not any(item.breaking for item in change.signature_changes),
        _IMPORTANCE.index(change.kind),
        change.definition is DefinitionKind.VARIABLE,
        -(change.added + change.removed),
        change.path,
        lines[0],
        change.qualname,
    )


def _is_real(change: DefinitionChange) -> bool:
    return change.kind is not ChangeKind.REFORMATTED and change.nature not in _ASIDE


def _operators(
    change: UpstreamChange, fragments: Iterable[FragmentOperators], bodies: Mapping[int, ChangeKind]
) -> tuple[OperatorChange, ...]:
    found = [item for fragment in fragments for item in fragment.changes(bodies)]
    found.extend(item for file in change.files for item in schema_changes(file))
    return tuple(dict.fromkeys(found))


def _modules(change: UpstreamChange, files: Iterable[FileDelta]) -> tuple[str, ...]:
    paths = [file.path for file in files if file.nature not in _ASIDE]
    old = {file.path: file.base_path for file in change.files}
    listed = [path for path in paths for path in (path, old.get(path, path))]
    return tuple(dict.fromkeys(module_of(path) for path in listed if language_of(path) is Language.PYTHON))
