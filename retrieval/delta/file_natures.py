"""What the change of each file amounts to, from its path, its changed definitions and the code outside of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from retrieval.definitions import Token
from retrieval.delta.changes import Verdict
from retrieval.delta.fragments import Block, Fragment, Side, statements_touching
from retrieval.delta.matching import Survey
from retrieval.delta.natures import NameMap, difference, strongest
from retrieval.delta.path_kinds import device_of_path, nature_of_path
from retrieval.models import ChangedFile, FileDelta, FileStatus, Language, Nature, UpstreamChange
from retrieval.python_imports import imports_in
from retrieval.symbols import language_of, rules_of

_TYPING = ("typing.", "typing_extensions.", "collections.abc.")
_LOGGING = ("logging", "warnings")
_OTHERS = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})


def file_deltas(
    change: UpstreamChange, complete: dict[str, bool], survey: Survey, verdicts: Sequence[Verdict]
) -> tuple[FileDelta, ...]:
    """One per changed file, then one per further path that is known to belong to the change, without lines."""
    natures: dict[str, list[Nature]] = {}
    for verdict in verdicts:
        natures.setdefault(verdict.pair.head.fragment.file.path, []).append(verdict.change.nature)
    for fragment in survey.fragments:
        natures.setdefault(fragment.file.path, []).extend(_outside(fragment, survey))
    deltas = [
        FileDelta(
            path=file.path,
            language=language_of(file.path),
            nature=_nature(file, natures.get(file.path, [])),
            added=file.added,
            removed=file.removed,
            complete=complete.get(file.path, False),
        )
        for file in change.files
    ]
    known = {file.path for file in change.files}
    deltas.extend(
        FileDelta(
            path=path,
            language=language_of(path),
            nature=nature_of_path(path) or Nature.CODE,
            added=0,
            removed=0,
            complete=False,
        )
        for path in dict.fromkeys(change.other_paths)
        if path not in known
    )
    return tuple(deltas)


def devices_of(files: Iterable[FileDelta], verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Devices whose code is all that changes, tests and the like aside; empty when any file is more than that."""
    code = [file for file in files if file.nature not in _OTHERS]
    if any(file.nature is not Nature.DEVICE for file in code):
        return ()
    found = {device for file in code if (device := device_of_path(file.path)) is not None}
    found.update(verdict.device for verdict in verdicts if verdict.device is not None)
    return tuple(sorted(found))


def _nature(file: ChangedFile, natures: Sequence[Nature]) -> Nature:
    by_path = nature_of_path(file.path)
    if by_path in _OTHERS:
        return by_path
    if natures:
        nature = strongest(natures)
    elif file.hunks or file.binary or file.status in (FileStatus.ADDED, FileStatus.DELETED):
        # Only blank lines of a language that is read, anything of one that is not.
        read = language_of(file.path) is not Language.OTHER and not file.binary and bool(file.hunks)
        nature = Nature.FORMAT if read else Nature.CODE
    else:
        nature = Nature.RENAME if file.status in (FileStatus.RENAMED, FileStatus.COPIED) else Nature.FORMAT
    return Nature.DEVICE if by_path is Nature.DEVICE and nature in (Nature.CODE, Nature.LOGGING) else nature


def _outside(fragment: Fragment, survey: Survey) -> list[Nature]:
    """Natures of what changed outside all definitions."""
    free: set[int] = set()
    fresh: set[int] = set()
    natures: list[Nature] = []
    for side, lines in ((fragment.old, free), (fragment.new, fresh)):
        if side is None:
            continue
        owners = survey.owners(side)
        lines.update(owners.free)
        natures.extend([Nature.COMMENT] if owners.remarks else [])
    blocks = [block for block in fragment.blocks if _holds(block, free, fresh)]
    if blocks:
        natures.append(_difference(fragment, blocks, survey.names))
    return natures


def _holds(block: Block, free: set[int], fresh: set[int]) -> bool:
    return any(line in free for line in range(block.old_start, block.old_end)) or any(
        line in fresh for line in range(block.new_start, block.new_end)
    )


def _difference(fragment: Fragment, blocks: Sequence[Block], names: NameMap) -> Nature:
    old_imports, old_tokens = _module_code(fragment.old, [(b.old_start, b.old_end) for b in blocks])
    new_imports, new_tokens = _module_code(fragment.new, [(b.new_start, b.new_end) for b in blocks])
    return strongest([_imports(old_imports, new_imports, names), difference(old_tokens, new_tokens, names)])


def _module_code(side: Side | None, ranges: Sequence[tuple[int, int]]) -> tuple[Counter[str], list[Token]]:
    """Imported names, and the tokens of the other statements without the definitions in them."""
    imports: Counter[str] = Counter()
    tokens: list[Token] = []
    if side is None:
        return imports, tokens
    skip = {definition.whole.id for definition in side.definitions}
    package = side.path.endswith(("/__init__.py", "/__init__.pyi"))
    for node in statements_touching(side, ranges):
        if node.id in skip or _holds_only(node, skip):
            continue
        if side.source.language is Language.PYTHON and node.type in ("import_statement", "import_from_statement"):
            bound = imports_in(side.source, side.module, package=package, node=node)
            imports.update(f"{target} {alias}" for alias, target in bound)
        else:
            tokens.extend(rules_of(side.source.language).tokens(side.source, node, skip))
    return imports, tokens


def _holds_only(node: Node, skip: set[int]) -> bool:
    """An expression statement that is an assignment is told as its variable."""
    return node.type == "expression_statement" and bool(node.children) and all(c.id in skip for c in node.children)


def _imports(old: Counter[str], new: Counter[str], names: NameMap) -> Nature:
    changed = [*(old - new), *(new - old)]
    if not changed:
        return Nature.FORMAT
    if all(item.startswith(_TYPING) for item in changed):
        return Nature.TYPING
    if all(item.split(" ")[0].split(".")[0] in _LOGGING or item.startswith(_TYPING) for item in changed):
        return Nature.LOGGING
    if names and sorted(names.apply(sorted(old.elements()))) == sorted(names.apply(sorted(new.elements()))):
        return Nature.RENAME
    return Nature.CODE
