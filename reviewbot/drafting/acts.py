"""What the change does, in clauses: signatures in words, renames old → new, what is added, removed and rewritten.

The clauses are ordered by how much they matter to somebody who calls or replaces the code: signatures, names, flags,
then bodies; of equals, what torch_npu is in contact with comes before what it is not. What is local to a function is
told as a change of that function. Test code is left to the sentence on verification.
"""

from __future__ import annotations

from retrieval.models import (
    ChangeKind,
    ConfigChange,
    DefinitionChange,
    Nature,
    OperatorChange,
    SignatureChange,
    SignatureChangeKind,
)
from reviewbot.drafting.brief import Brief
from reviewbot.rubric.situation import reachable

_SURFACE = frozenset({Nature.COMMENT, Nature.FORMAT, Nature.TYPING, Nature.LOGGING})
_LONGEST_DEFAULT = 40
_SIGNATURE_PHRASES = {
    SignatureChangeKind.PARAMETER_ADDED: "act_signature_added",
    SignatureChangeKind.PARAMETER_REMOVED: "act_signature",
}
_BODY_PHRASES = {
    ChangeKind.REWRITTEN: "act_rewritten",
    ChangeKind.RESIGNED: "act_rewritten",
    ChangeKind.ADDED: "act_added",
    ChangeKind.REMOVED: "act_removed",
}
_FATES = {ChangeKind.ADDED: "act_operators_added", ChangeKind.REMOVED: "act_operators_removed"}


def acts(brief: Brief, most: int, names_each: int = 3) -> list[str]:
    """At most ``most`` clauses, the most important first; empty when nothing but test code could be read."""
    definitions = brief.told
    clauses = [
        *_signatures(brief, definitions),
        *_names(brief, definitions),
        *(_flag(brief, one) for one in brief.delta.configs),
        *_bodies(brief, definitions, names_each),
        *_operators(brief, definitions),
    ]
    return list(dict.fromkeys(clauses))[:most]


def _signatures(brief: Brief, definitions: list[DefinitionChange]) -> list[str]:
    resigned = _resigned(definitions)
    resigned.sort(key=lambda one: not any(change.breaking for change in one.signature_changes))
    return [_signature(brief, one) for one in resigned[:2]]


def call_changes(one: DefinitionChange) -> tuple[SignatureChange, ...]:
    """Signature changes that a caller can feel: a return type is an annotation."""
    return tuple(change for change in one.signature_changes if change.kind is not SignatureChangeKind.RETURN_CHANGED)


def _resigned(definitions: list[DefinitionChange]) -> list[DefinitionChange]:
    """Those that others can call and whose new signature is more than annotations."""
    resigned = [one for one in definitions if call_changes(one) and one.nature not in _SURFACE]
    return [one for one in resigned if reachable(one.qualname) == one.qualname]


def _signature(brief: Brief, one: DefinitionChange) -> str:
    changes = call_changes(one)[:3]
    phrase = _SIGNATURE_PHRASES.get(changes[0].kind, "act_signature_of")
    words = brief.comma.join(change.words for change in changes)
    return brief.phrases.say(phrase, name=_with_role(brief, one), words=words)


def _with_role(brief: Brief, one: DefinitionChange) -> str:
    """``expand 的 lowering`` for a function that upstream registers for an operator."""
    roles = [change.role for change in brief.delta.operators if _implements(one, change)]
    if not roles:
        return one.qualname
    return brief.phrases.say("act_role", name=one.qualname, role=brief.phrases.words[roles[0]])


def _implements(one: DefinitionChange, change: OperatorChange) -> bool:
    return (change.path, change.qualname) == (one.path, one.qualname)


def _names(brief: Brief, definitions: list[DefinitionChange]) -> list[str]:
    say = brief.phrases.say
    clauses: list[str] = []
    for one in definitions:
        if reachable(one.qualname) != one.qualname:
            continue
        if one.kind is ChangeKind.RENAMED and one.old_qualname:
            clauses.append(say("act_renamed", old=one.old_qualname, new=one.qualname))
        elif one.kind is ChangeKind.MOVED and one.old_module not in (None, one.module):
            clauses.append(say("act_moved", name=one.qualname, old=one.old_module, new=one.module))
        elif one.kind is ChangeKind.MOVED and one.old_qualname not in (None, one.qualname):
            clauses.append(say("act_moved_within", old=one.old_qualname, new=one.qualname))
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


def _bodies(brief: Brief, definitions: list[DefinitionChange], names_each: int) -> list[str]:
    phrases = brief.phrases
    told = {one.symbol for one in _resigned(definitions)} | {one.flag for one in brief.delta.configs}
    names: dict[str, list[str]] = {phrase: [] for phrase in _BODY_PHRASES.values()}
    for one in definitions:
        inner = reachable(one.qualname) != one.qualname
        kind = ChangeKind.REWRITTEN if inner and one.kind is not ChangeKind.REFORMATTED else one.kind
        if kind in _BODY_PHRASES and one.symbol not in told and one.nature not in _SURFACE:
            names[_BODY_PHRASES[kind]].append(reachable(one.qualname))
    added = set(names["act_added"])
    names["act_rewritten"] = [name for name in names["act_rewritten"] if name not in added]
    clauses = [
        phrases.say(phrase, names=phrases.joined(_without_members(own), names_each))
        for phrase, own in names.items()
        if own
    ]
    return clauses or _reformatted(brief, definitions, names_each)


def _reformatted(brief: Brief, definitions: list[DefinitionChange], names_each: int) -> list[str]:
    phrases = brief.phrases
    plain = [one for one in definitions if one.kind is ChangeKind.REFORMATTED or one.nature in _SURFACE]
    if not plain:
        return []
    nature = plain[0].nature
    names = phrases.joined([one.qualname for one in plain if one.nature is nature], names_each)
    return [phrases.say("act_reformatted", names=names, nature=phrases.words[nature])]


def _without_members(names: list[str]) -> list[str]:
    """A class stands for its members: ``Turbo`` for ``Turbo.boost``."""
    whole = set(names)
    return [name for name in names if whole.isdisjoint(_owners(name))]


def _owners(name: str) -> list[str]:
    """``a`` and ``a.b`` of ``a.b.c``."""
    parts = name.split(".")
    return [".".join(parts[:at]) for at in range(1, len(parts))]


def _operators(brief: Brief, definitions: list[DefinitionChange]) -> list[str]:
    """``涉及 aten.spin 的 lowering``: the operators of one role and fate in one clause, unless a signature told it."""
    phrases, told = brief.phrases, _resigned(definitions)[:2]
    groups: dict[tuple[str, str], list[str]] = {}
    for one in brief.delta.operators:
        if any(_implements(definition, one) for definition in told):
            continue
        fate = _FATES.get(one.kind, "act_operators")
        groups.setdefault((fate, phrases.words[one.role]), []).append(one.operator)
    return [phrases.say(fate, names=phrases.joined(names), role=role) for (fate, role), names in groups.items()]
