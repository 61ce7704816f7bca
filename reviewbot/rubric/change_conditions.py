"""Conditions about the change alone: what it amounts to, where it sits, what it says of itself."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangeKind, ConfigChange, DefinitionChange, Delta, Nature, OperatorRole
from reviewbot.models import CompileStage
from reviewbot.rubric.grounds import Ground, condition, ground
from reviewbot.rubric.situation import Situation
from reviewbot.rubric.vocabulary import claimed, load_vocabulary, stage_tag

_COSMETIC = frozenset({Nature.COMMENT, Nature.FORMAT, Nature.TYPING})
_OFF_VALUES = frozenset({"False", "None", "0", '""', "''", "()", "[]", "{}"})

#: Which stage of torch.compile a path belongs to.
STAGE_PATHS: dict[CompileStage, tuple[str, ...]] = {
    CompileStage.DYNAMO: ("torch/_dynamo/", "torch/csrc/dynamo/"),
    CompileStage.AOTAUTOGRAD: ("torch/_functorch/", "torch/_subclasses/", "torch/fx/experimental/proxy_tensor.py"),
    CompileStage.INDUCTOR: ("torch/_inductor/", "torch/csrc/inductor/"),
}

_STAGE_TAGS: dict[str, CompileStage] = {
    "dynamo": CompileStage.DYNAMO,
    "aot": CompileStage.AOTAUTOGRAD,
    "aotautograd": CompileStage.AOTAUTOGRAD,
    "functorch": CompileStage.AOTAUTOGRAD,
    "inductor": CompileStage.INDUCTOR,
}


@condition
def always(situation: Situation) -> Ground | None:
    return ground()


@condition
def reverted(situation: Situation) -> Ground | None:
    labelled = any(label.lower() == "reverted" for label in situation.change.labels)
    return ground() if situation.change.reverted or labelled else None


@condition
def diff_partial(situation: Situation) -> Ground | None:
    """The diff is a part or a reconstruction, or nothing at all could be read from it."""
    delta = situation.delta
    unread = not (delta.definitions or delta.operators or delta.configs or delta.files)
    return ground() if unread or not situation.change.diff_complete else None


@condition
def no_code(situation: Situation) -> Ground | None:
    """Only tests, documentation, CI or packaging."""
    natures = situation.delta.natures
    return ground(natures) if natures and not situation.essence else None


@condition
def cosmetic(situation: Situation) -> Ground | None:
    return _essence_within(situation, _COSMETIC)


@condition
def logging_only(situation: Situation) -> Ground | None:
    return _essence_within(situation, _COSMETIC | {Nature.LOGGING}, needs=Nature.LOGGING)


@condition
def rename_only(situation: Situation) -> Ground | None:
    return _essence_within(situation, _COSMETIC | {Nature.LOGGING, Nature.RENAME}, needs=Nature.RENAME)


@condition
def other_device(situation: Situation) -> Ground | None:
    """Only code of devices other than NPU."""
    found = _essence_within(situation, _COSMETIC | {Nature.LOGGING, Nature.DEVICE}, needs=Nature.DEVICE)
    return ground(situation.delta.devices) if found else None


@condition
def adds_only(situation: Situation) -> Ground | None:
    """Definitions, operators or flags are added, and nothing that existed behaves differently.

    A member or closure added to what existed does not count as an addition alone: it may override, or be called there.
    """
    delta = situation.delta
    added = [one.qualname for one in delta.definitions if one.kind is ChangeKind.ADDED]
    if _joins_existing(delta):
        return None
    added += [one.flag for one in delta.configs if one.kind is ChangeKind.ADDED]
    added += [one.operator for one in delta.operators if one.kind is ChangeKind.ADDED]
    parts: Iterable[ChangeKind] = (*(one.kind for one in delta.configs), *(one.kind for one in delta.operators))
    untouched = not situation.behaving and all(kind is ChangeKind.ADDED for kind in parts)
    return ground(added) if added and untouched else None


@condition
def off_by_default(situation: Situation) -> Ground | None:
    """A flag is added whose default leaves the new behaviour off."""
    flags = [one.flag for one in situation.delta.configs if _switched_off(one)]
    return ground(flags) if flags else None


@condition
def mostly_new(situation: Situation) -> Ground | None:
    """More lines go into added definitions than into the ones that existed."""
    new = [one for one in situation.delta.definitions if one.kind is ChangeKind.ADDED]
    old = [one for one in situation.delta.definitions if one.kind is not ChangeKind.ADDED]
    if not new or _size(new) <= _size(old):
        return None
    return ground(one.qualname for one in sorted(new, key=lambda one: -one.added))


@condition
def claims_addition(situation: Situation) -> Ground | None:
    return said(claimed(load_vocabulary().words.addition, situation.change))


@condition
def claims_refactor(situation: Situation) -> Ground | None:
    return said(claimed(load_vocabulary().words.refactor, situation.change))


@condition
def claims_cost(situation: Situation) -> Ground | None:
    """The title speaks of what compiling costs, not of what the compiled code does."""
    return said(claimed(load_vocabulary().words.cost, situation.change))


@condition
def claims_fix(situation: Situation) -> Ground | None:
    return said(load_vocabulary().words.fix.found(situation.change))


@condition
def silent_failure(situation: Situation) -> Ground | None:
    """The change speaks of silently wrong numbers or of memory outside its bounds."""
    return said(load_vocabulary().words.silent.found(situation.change))


@condition
def about_numbers(situation: Situation) -> Ground | None:
    """The title speaks of numbers or storage, not of how wrong they were."""
    return said(load_vocabulary().words.numbers.found(situation.change))


@condition
def process_breaks(situation: Situation) -> Ground | None:
    """The change speaks of a process that hangs, dies or eats its memory."""
    return said(load_vocabulary().words.breakdown.found(situation.change))


@condition
def behaviour_changes(situation: Situation) -> Ground | None:
    delta = situation.delta
    names = [one.qualname for one in situation.behaving]
    names += [one.operator for one in delta.operators if one.kind is not ChangeKind.REFORMATTED]
    names += [one.flag for one in delta.configs if one.kind is not ChangeKind.ADDED]
    if names:
        return ground(names)
    # A language that is not parsed: all that is known is that code of a file changed.
    paths = [one.path for one in delta.files if one.nature is Nature.CODE]
    return ground(paths) if paths else None


@condition
def in_dynamo(situation: Situation) -> Ground | None:
    return _in_stage(situation, CompileStage.DYNAMO)


@condition
def in_aotautograd(situation: Situation) -> Ground | None:
    return _in_stage(situation, CompileStage.AOTAUTOGRAD)


@condition
def in_inductor(situation: Situation) -> Ground | None:
    return _in_stage(situation, CompileStage.INDUCTOR)


@condition
def kernel_touched(situation: Situation) -> Ground | None:
    """An operator's schema or its C++ kernel changed."""
    roles = (OperatorRole.KERNEL, OperatorRole.SCHEMA)
    names = [one.operator for one in situation.delta.operators if one.role in roles]
    return ground(names) if names else None


def said(words: tuple[str, ...]) -> Ground | None:
    return ground(words) if words else None


def _essence_within(situation: Situation, allowed: frozenset[Nature], needs: Nature | None = None) -> Ground | None:
    essence = situation.essence
    if not essence or not essence <= allowed or (needs is not None and needs not in essence):
        return None
    # The natures of files say what lines are, not whether a name went away: typing-only never removes one.
    return None if needs is None and situation.behaving else ground(sorted(essence))


def _joins_existing(delta: Delta) -> bool:
    """Is a definition added inside a class or function that is not itself added?"""
    added = [one for one in delta.definitions if one.kind is ChangeKind.ADDED]
    new = {one.symbol for one in added}
    return any("." in one.qualname and one.symbol.rpartition(".")[0] not in new for one in added)


def _switched_off(config: ConfigChange) -> bool:
    return config.kind is ChangeKind.ADDED and (config.new or "").strip() in _OFF_VALUES


def _size(definitions: Iterable[DefinitionChange]) -> int:
    return sum(one.added + one.removed for one in definitions)


def _in_stage(situation: Situation, stage: CompileStage) -> Ground | None:
    """Most changed lines of torch.compile belong to ``stage``; of equals the earlier stage wins."""
    paths = _source_paths(situation)
    if not paths:
        tag = stage_tag(situation.change.title)
        return ground([tag]) if tag and _STAGE_TAGS[tag] is stage else None
    sizes = {file.path: file.added + file.removed for file in situation.delta.files}
    lines = {
        one: sum(max(sizes.get(path, 1), 1) for path in paths if path.startswith(prefixes))
        for one, prefixes in STAGE_PATHS.items()
    }
    if not any(lines.values()) or max(lines, key=lambda one: lines[one]) is not stage:
        return None
    return ground(path for path in paths if path.startswith(STAGE_PATHS[stage]))


def _source_paths(situation: Situation) -> list[str]:
    paths = {file.path for file in situation.change.files} | set(situation.change.other_paths)
    return sorted(path for path in paths | {file.path for file in situation.delta.files} if not is_test_path(path))
