"""What the change does, in clauses: signatures in words, renames old → new, what is added, removed and rewritten.

The clauses are ordered by how much they matter to somebody who calls or replaces the code: signatures, names, flags,
then bodies. Test code is left to the sentence on verification.
"""

from __future__ import annotations

from retrieval.models import ChangeKind, ConfigChange, DefinitionChange, Nature
from reviewbot.drafting.brief import Brief, by_size

_SILENT_NATURES = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})
_LONGEST_DEFAULT = 40
_FATES = {ChangeKind.ADDED: "act_operators_added", ChangeKind.REMOVED: "act_operators_removed"}


def acts(brief: Brief, most: int, names_each: int = 3) -> list[str]:
    """At most ``most`` clauses, the most important first; empty when nothing but test code could be read."""
    definitions = tuple(one for one in brief.delta.definitions if one.nature not in _SILENT_NATURES)
    clauses = [
        *_signatures(brief, definitions),
        *_names(brief, definitions),
        *(_flag(brief, one) for one in brief.delta.configs),
        *_bodies(brief, definitions, names_each),
        *_operators(brief),
    ]
    return list(dict.fromkeys(clauses))[:most]


def _signatures(brief: Brief, definitions: tuple[DefinitionChange, ...]) -> list[str]:
    say = brief.phrases.say
    resigned = [one for one in by_size(definitions) if one.signature_changes and one.nature is not Nature.TYPING]
    resigned.sort(key=lambda one: not any(change.breaking for change in one.signature_changes))
    return [
        say(
            "act_signature",
            name=one.qualname,
            words=brief.comma.join(change.words for change in one.signature_changes[:3]),
        )
        for one in resigned[:2]
    ]


def _names(brief: Brief, definitions: tuple[DefinitionChange, ...]) -> list[str]:
    say = brief.phrases.say
    clauses: list[str] = []
    for one in definitions:
        if one.kind is ChangeKind.RENAMED and one.old_qualname:
            clauses.append(say("act_renamed", old=one.old_qualname, new=one.qualname))
        elif one.kind is ChangeKind.MOVED and one.old_module:
            clauses.append(say("act_moved", name=one.qualname, old=one.old_module, new=one.module))
    return clauses[:2]


def _flag(brief: Brief, one: ConfigChange) -> str:
    say = brief.phrases.say
    written = all(value is not None and len(value) <= _LONGEST_DEFAULT for value in (one.old, one.new))
    if one.kind is ChangeKind.ADDED:
        short = one.new is not None and len(one.new) <= _LONGEST_DEFAULT
        return say("act_flag_added", flag=one.flag, new=one.new) if short else say("act_flag_added_bare", flag=one.flag)
    if one.kind is ChangeKind.REMOVED:
        return say("act_flag_removed", flag=one.flag)
    if written and one.old != one.new:
        return say("act_flag_changed", flag=one.flag, old=one.old, new=one.new)
    return say("act_flag_touched", flag=one.flag)


def _bodies(brief: Brief, definitions: tuple[DefinitionChange, ...], names_each: int) -> list[str]:
    phrases = brief.phrases
    signed = {one.symbol for one in definitions if one.signature_changes}
    flags = {one.flag for one in brief.delta.configs}
    clauses: list[str] = []
    for kind, phrase in (
        (ChangeKind.REWRITTEN, "act_rewritten"),
        (ChangeKind.ADDED, "act_added"),
        (ChangeKind.REMOVED, "act_removed"),
    ):
        own = [one for one in by_size(definitions) if one.kind is kind and one.symbol not in signed | flags]
        names = _without_members([one.qualname for one in own if one.nature is not Nature.TYPING])
        if names:
            clauses.append(phrases.say(phrase, names=phrases.joined(names, names_each)))
    if not clauses:
        clauses += _reformatted(brief, by_size(definitions), names_each)
    return clauses


def _reformatted(brief: Brief, definitions: list[DefinitionChange], names_each: int) -> list[str]:
    phrases = brief.phrases
    plain = [one for one in definitions if one.kind is ChangeKind.REFORMATTED or one.nature is Nature.TYPING]
    if not plain:
        return []
    nature = plain[0].nature
    names = phrases.joined([one.qualname for one in plain if one.nature is nature], names_each)
    return [phrases.say("act_reformatted", names=names, nature=phrases.words[nature])]


def _without_members(names: list[str]) -> list[str]:
    """A class stands for its members: ``Turbo`` for ``Turbo.boost``."""
    whole = set(names)
    return [name for name in names if not any(name.startswith(f"{other}.") for other in whole)]


def _operators(brief: Brief) -> list[str]:
    """``涉及 aten.spin 的 lowering``: the operators of one role and fate in one clause."""
    phrases = brief.phrases
    groups: dict[tuple[str, str], list[str]] = {}
    for one in brief.delta.operators:
        fate = _FATES.get(one.kind, "act_operators")
        groups.setdefault((fate, phrases.words[one.role]), []).append(one.operator)
    return [phrases.say(fate, names=phrases.joined(names), role=role) for (fate, role), names in groups.items()]
