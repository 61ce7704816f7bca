"""One evidence place as the makings of a sentence: which phrase says it, with which names, and what hangs on it.

Places whose ``Line`` is the same but for scope and name share one sentence. Details (called back, parameters lacking)
are said only when the ledger measured them: a null says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retrieval.closeness import DIRECT
from retrieval.delta.path_kinds import is_test_path
from retrieval.models import MODULE_SCOPE, CopyState, DefinitionKind, EvidenceKind, Relation
from reviewbot.drafting.brief import Brief
from reviewbot.rubric.coupling_conditions import inherited_members
from reviewbot.rubric.signature_conditions import missing_parameters
from reviewbot.rubric.situation import Contact

_LONGEST_SIGNATURE = 60
_ABOUT_CLASS = {
    EvidenceKind.IMPORT: "enclosing_import",
    EvidenceKind.REFERENCE: "enclosing_reference",
    EvidenceKind.PATCH: "enclosing_patch",
}
_ABOUT_CONSUMER = {EvidenceKind.IMPORT: "consumer_import", EvidenceKind.PATCH: "consumer_patch"}


class Line(NamedTuple):
    """``values`` fill the phrase, ``tail`` are further clauses; in ``scope`` and ``name`` places may differ."""

    phrase: str
    values: tuple[tuple[str, str], ...] = ()
    tail: tuple[str, ...] = ()
    scope: str = ""
    name: str = ""

    @property
    def shared(self) -> tuple[object, ...]:
        return (self.phrase, self.values, self.tail)


def line_of(brief: Brief, contact: Contact) -> Line:
    """How to say the place of ``contact``."""
    item = contact.item
    if item.kind is EvidenceKind.HOOK or item.relation not in DIRECT:
        return _near(brief, contact)
    line = _DIRECT[item.kind](brief, contact)
    if is_test_path(item.path) and item.kind is not EvidenceKind.TEST_COPY:
        return line._replace(tail=(*line.tail, brief.phrases.say("in_tests")))
    return line


def is_near(contact: Contact) -> bool:
    """True for a place that is not in direct contact with what changed."""
    return contact.item.kind is EvidenceKind.HOOK or contact.item.relation not in DIRECT


def _near(brief: Brief, contact: Contact) -> Line:
    item = contact.item
    name = brief.name_of(item.symbol)
    if item.kind is EvidenceKind.TEST_COPY:
        return Line("test_class" if item.relation is Relation.ENCLOSING else "test_file", name=name)
    match item.relation:
        case Relation.ENCLOSING if item.kind is EvidenceKind.SUBCLASS:
            return _subclass(brief, contact)
        case Relation.ENCLOSING if item.kind in _ABOUT_CLASS and "." in name:
            return Line(_ABOUT_CLASS[item.kind], name=name.rpartition(".")[0])
        case Relation.ENCLOSING:
            return Line("hook_class", name=name)
        case Relation.TOUCHED:
            return Line("touched", name=name)
        case Relation.SAME_NAME:
            return Line("same_name", name=item.token)
        case Relation.SIBLING if item.kind is EvidenceKind.REGISTRATION:
            return Line("sibling_listed" if item.detail.listed else "sibling", name=name)
        case Relation.REPLACEMENT:
            return Line("replacement", name=name)
        case Relation.CONSUMER:
            return Line(_ABOUT_CONSUMER.get(item.kind, "consumer"), name=name)
        case Relation.HEIR:
            return Line("heir", name=name)
        case Relation.AKIN:
            return Line("akin", name=item.token)
        case Relation.ABOUT:
            return Line("about", name=item.token)
        case Relation.SAME_MODULE:
            return Line("hook_module", name=name)
        case Relation.SAME_PACKAGE:
            return Line("hook_package", name=name)
        case _:
            return Line("near", name=name)


def _patch(brief: Brief, contact: Contact) -> Line:
    detail, name = contact.item.detail, brief.name_of(contact.item.symbol)
    if contact.definitions and all(one.definition is DefinitionKind.VARIABLE for one in contact.definitions):
        return Line("patch_table", (("symbol", name),))
    tail = (*_called(brief, contact, "calls_original", "skips_original"), *_accepts(brief, contact))
    replacement = detail.replacement.rpartition(".")[2] if detail.replacement else ""
    if replacement in ("", name.rpartition(".")[2]):
        return Line("patch_bare", (("symbol", name),), tail)
    phrase = "patch_wrapping" if detail.calls_original else "patch_with"
    return Line(phrase, (("symbol", name), ("replacement", replacement)), tail)


def _override(brief: Brief, contact: Contact) -> Line:
    tail = (*_called(brief, contact, "override_calls", "override_skips"), *_accepts(brief, contact))
    return Line("override", (("symbol", brief.name_of(contact.item.symbol)),), tail, scope=contact.item.scope)


def _subclass(brief: Brief, contact: Contact) -> Line:
    item = contact.item
    base = brief.name_of(item.detail.base or item.symbol)
    members = [name for name in inherited_members(brief.situation, item) if name != base]
    tail = (brief.phrases.say("subclass_inherits", members=brief.phrases.joined(members)),) if members else ()
    return Line("subclass", (("base", base),), tail, scope=item.scope)


def _registration(brief: Brief, contact: Contact) -> Line:
    item, tail = contact.item, _accepts(brief, contact)
    if not item.detail.registrar:
        return Line("registration_plain", (("operator", item.symbol),), tail)
    values = (("operator", item.symbol), ("registrar", item.detail.registrar))
    if item.detail.listed:
        return Line("registration_listed", values, tail)
    if not item.detail.replacement:
        return Line("registration_bare", values, tail)
    return Line("registration", (*values, ("replacement", item.detail.replacement.rpartition(".")[2])), tail)


_COPY = {
    CopyState.CARRIES_OLD_CODE: "copy_carries_old_code",
    CopyState.ALREADY_SYNCED: "copy_already_synced",
    CopyState.DIVERGED: "copy_diverged",
}


def _fork(brief: Brief, contact: Contact) -> Line:
    say, detail = brief.phrases.say, contact.item.detail
    registered = detail.registrar if EvidenceKind.REGISTRATION in contact.item.kinds else None
    by = (say("copy_registered", registrar=registered),) if registered else ()
    copy = (say(_COPY[detail.copy_state]),) if detail.copy_state is not None else ()
    return Line("fork", (("symbol", brief.name_of(contact.item.symbol)),), (*by, *copy, *_accepts(brief, contact)))


def _test_copy(brief: Brief, contact: Contact) -> Line:
    state = contact.item.detail.copy_state
    copy = (brief.phrases.say(_COPY[state]),) if state is not None else ()
    return Line("test_copy", (("symbol", brief.name_of(contact.item.symbol)),), copy)


def _reference(brief: Brief, contact: Contact) -> Line:
    scope = contact.item.scope
    values = (("symbol", brief.name_of(contact.item.symbol)),)
    return Line("reference", values) if scope == MODULE_SCOPE else Line("reference_in", values, scope=scope)


def _config(brief: Brief, contact: Contact) -> Line:
    phrase = "flag_set" if contact.item.detail.access == "set" else "flag_read"
    return Line(phrase, (("symbol", contact.item.symbol),))


def _plain(phrase: str) -> Callable[[Brief, Contact], Line]:
    def line(brief: Brief, contact: Contact) -> Line:
        return Line(phrase, (("symbol", brief.name_of(contact.item.symbol)),))

    return line


def _called(brief: Brief, contact: Contact, calls: str, skips: str) -> tuple[str, ...]:
    measured = contact.item.detail.calls_original
    return () if measured is None else (brief.phrases.say(calls if measured else skips),)


def _accepts(brief: Brief, contact: Contact) -> tuple[str, ...]:
    """What the signature of the downstream function says to the new one; nothing when no signature changed."""
    say, detail = brief.phrases.say, contact.item.detail
    resigned = [one for one in contact.named if one.signature_changes]
    missing = [name for one in resigned for name in missing_parameters(contact, one)]
    if missing:
        parameters = brief.phrases.joined(missing)
        signature = detail.downstream_signature
        if signature and len(signature) <= _LONGEST_SIGNATURE:
            return (say("lacks", signature=signature, parameters=parameters),)
        return (say("lacks_bare", parameters=parameters),)
    if resigned and detail.signature_matches is not None:
        return (say("signature_same" if detail.signature_matches else "signature_differs"),)
    return ()


_DIRECT: dict[EvidenceKind, Callable[[Brief, Contact], Line]] = {
    EvidenceKind.FORK: _fork,
    EvidenceKind.PATCH: _patch,
    EvidenceKind.OVERRIDE: _override,
    EvidenceKind.REGISTRATION: _registration,
    EvidenceKind.SUBCLASS: _subclass,
    EvidenceKind.REFERENCE: _reference,
    EvidenceKind.IMPORT: _plain("import"),
    EvidenceKind.CONFIG: _config,
    EvidenceKind.TEST_COPY: _test_copy,
    EvidenceKind.HOOK: _near,
}
