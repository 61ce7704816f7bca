"""A change in words: what its author says, every file it touches, and its delta.

No file vanishes: a manifest that gets long names its files by folder. Sizes are told only of a whole diff.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname

from retrieval.models import ChangedFile, DefinitionChange, Delta, FileStatus, UpstreamChange
from reviewbot.drafting.model import words
from reviewbot.drafting.model.outside import told, told_line
from reviewbot.drafting.model.tokens import Count
from reviewbot.rubric.situation import Situation

_MANY_FILES = 30
_MOST_BODY = 600  # tokens
_MOST_TESTS = 12


def change_text(change: UpstreamChange, count: Count) -> str:
    """Number, title, state and description; the description whole lines up to its bound."""
    lines = [words.title(change.number, told_line(change.title))]
    if change.date:
        lines.append(words.date(told_line(change.date)))
    if change.labels:
        lines.append(words.labels([told_line(label) for label in change.labels]))
    if change.reverted:
        lines.append(words.REVERTED)
    if not change.diff_complete:
        lines.append(words.DIFF_PARTIAL)
    if change.test_names:
        lines.append(words.TESTS_NAMED + words.COMMA.join(map(told_line, change.test_names[:_MOST_TESTS])))
    return "\n".join([*lines, *_body(change.body, count)])


def _body(text: str, count: Count) -> Iterator[str]:
    lines = told(text).strip().splitlines()
    if not lines:
        yield words.NO_BODY
        return
    yield words.BODY
    room = _MOST_BODY
    for at, line in enumerate(lines):
        room -= count(line) + 1
        if room < 0:
            yield words.body_cut(len(lines) - at)
            return
        yield line


def manifest_text(change: UpstreamChange) -> str:
    """Every changed file, one a line, or one folder a line when there are many; then paths that no diff shows."""
    files = change.files
    if len(files) > _MANY_FILES:
        folders: dict[str, list[str]] = {}
        for file in files:
            folders.setdefault(dirname(file.path), []).append(_file(change, file, file.path.rpartition("/")[2]))
        lines = [f"{told_line(folder)}/ {words.COMMA.join(names)}" for folder, names in folders.items()]
    else:
        lines = [_file(change, file, file.path) for file in files]
    if change.other_paths:
        lines.append(words.OTHER_PATHS + words.COMMA.join(map(told_line, change.other_paths)))
    return "\n".join(lines) or words.NO_FILES


def _file(change: UpstreamChange, file: ChangedFile, name: str) -> str:
    parts = [f"{words.STATUS[file.status]} {told_line(name)}"]
    if file.old_path and file.status is not FileStatus.MODIFIED:
        parts.append(words.renamed_from(told_line(file.old_path)))
    if file.binary:
        parts.append(words.BINARY)
    elif change.diff_complete:
        parts.append(f" +{file.added} -{file.removed}")
    return "".join(parts)


def delta_text(situation: Situation, allowance: int, count: Count) -> str:
    """The delta in at most ``allowance`` tokens: what torch_npu is in contact with first, then the largest."""
    delta = situation.delta
    named = [*_named(delta), *(_definition(one) for one in ranked(situation))]
    shown: list[str] = []
    for at, line in enumerate(named):
        allowance -= count(line) + 1
        if allowance < 0:
            shown.append(words.delta_cut(len(named) - at))
            break
        shown.append(line)
    return "\n".join(shown) or words.NO_DELTA


def ranked(situation: Situation) -> list[DefinitionChange]:
    """Definitions by how much they matter here: in direct contact, in any contact, then by their size."""
    direct = {one.symbol for contact in situation.direct for one in (*contact.definitions, *contact.within)}
    near = {one.symbol for contact in situation.contacts for one in (*contact.definitions, *contact.within)}
    return sorted(
        situation.delta.definitions,
        key=lambda one: (one.symbol not in direct, one.symbol not in near, -(one.added + one.removed)),
    )


def _named(delta: Delta) -> Iterator[str]:
    if delta.devices:
        yield words.devices([told_line(name) for name in delta.devices])
    for flag in delta.configs:
        old, new = (None if value is None else told_line(value) for value in (flag.old, flag.new))
        yield words.flag(told_line(flag.flag), words.CHANGES[flag.kind], old, new)
    for operator in delta.operators:
        yield words.operator(told_line(operator.operator), operator.role.value, words.CHANGES[operator.kind])
    if delta.tests:
        yield words.tests([told_line(test.scope) for test in delta.tests[:_MOST_TESTS]], len(delta.tests))


def _definition(one: DefinitionChange) -> str:
    parts = [f"{words.CHANGES[one.kind]} {one.symbol}"]
    if one.old_symbol != one.symbol:
        parts.append(words.old_name(one.old_symbol))
    nature = words.NATURES[one.nature]
    if nature and nature not in words.CHANGES[one.kind]:
        parts.append(words.nature(nature))
    if one.signature_changes:
        parts.append(words.signature(_signature(one)))
    if one.operators:
        parts.append(words.registers(one.operators))
    return told_line("".join(parts))


def _signature(one: DefinitionChange) -> Sequence[str]:
    return [change.words for change in one.signature_changes]
