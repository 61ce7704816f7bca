"""Second part of the paragraph: what was found, each place by its ledger id, and what was searched in vain.

A sentence speaks of one kind of coupling and one upstream symbol; places that would get the same sentence share it.
Details (called back, parameters lacking) are said only when the ledger measured them: a null says nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from retrieval.models import MODULE_SCOPE, DefinitionKind, EvidenceKind, Relation
from reviewbot.drafting.brief import Brief
from reviewbot.drafting.piece import ESSENTIAL, Piece
from reviewbot.rubric.coupling_conditions import inherited_members
from reviewbot.rubric.signature_conditions import missing_parameters
from reviewbot.rubric.situation import DIRECT, Contact, is_test_path

_MOST_SENTENCES = 5
_MOST_IDS = 3
_MOST_MISSES = 5
_LONGEST_SIGNATURE = 60
_HOLE = "\0ids\0"
_ABOUT_CLASS = {
    EvidenceKind.IMPORT: "enclosing_import",
    EvidenceKind.REFERENCE: "enclosing_reference",
    EvidenceKind.PATCH: "enclosing_patch",
}


def findings(brief: Brief) -> list[Piece]:
    """The hit sentences, the most telling kept longest, then one sentence of counted misses."""
    groups: dict[str, list[Contact]] = {}
    for contact in brief.situation.contacts:
        groups.setdefault(_sentence(brief, contact), []).append(contact)
    key = {contact.item.id for contact in brief.key}
    ranked = sorted(groups.items(), key=lambda group: -_weight(group[1], key))[:_MOST_SENTENCES]
    chosen = {text for text, _ in ranked}
    pieces = [
        Piece(text.replace(_HOLE, brief.bracketed(contacts, _MOST_IDS)), _weight(contacts, key) - at)
        for at, (text, contacts) in enumerate((text, group) for text, group in groups.items() if text in chosen)
    ]
    return pieces + _misses(brief, alone=not pieces)


def _weight(contacts: list[Contact], key: set[str]) -> int:
    if contacts[0].item.id == "E1":
        return ESSENTIAL + 7
    if any(contact.item.id in key for contact in contacts):
        return 88
    return 60 if contacts[0].item.relation in DIRECT else 30


def _misses(brief: Brief, *, alone: bool) -> list[Piece]:
    misses = brief.ledger.misses[:_MOST_MISSES]
    if not misses:
        return []
    ids = brief.comma.join(f"[{miss.id}]" for miss in misses)
    return [Piece(brief.phrases.say("misses_alone" if alone else "misses", ids=ids), ESSENTIAL + 6 if alone else 50)]


# --- one sentence -----------------------------------------------------------------------------------------------------


def _sentence(brief: Brief, contact: Contact) -> str:
    """The sentence of one place with a hole for the ids, so that equal sentences can be told apart from others."""
    item = contact.item
    if item.kind is EvidenceKind.HOOK or item.relation not in DIRECT:
        return _near(brief, contact)
    if is_test_path(item.path) and item.kind is not EvidenceKind.TEST_COPY:
        return brief.phrases.say("own_test", ids=_HOLE, symbol=brief.name_of(item.symbol))
    return _DIRECT[item.kind](brief, contact)


def _near(brief: Brief, contact: Contact) -> str:
    say, item = brief.phrases.say, contact.item
    name = brief.name_of(item.symbol)
    if item.kind is EvidenceKind.SUBCLASS and item.relation is Relation.ENCLOSING:
        return _subclass(brief, contact)
    if item.relation is Relation.ENCLOSING and item.kind in _ABOUT_CLASS:
        return say(_ABOUT_CLASS[item.kind], ids=_HOLE, symbol=name)
    if item.relation is Relation.TOUCHED:
        return say("touched", ids=_HOLE, symbol=name)
    if item.relation is Relation.SAME_NAME:
        return say("same_name", ids=_HOLE, token=item.token)
    if item.relation is Relation.SAME_PACKAGE:
        return say("hook_package", ids=_HOLE, names=name)
    if item.relation in (Relation.SAME_MODULE, Relation.ENCLOSING):
        return say("hook_module", ids=_HOLE, names=name)
    return say("near", ids=_HOLE, symbol=name)


def _patch(brief: Brief, contact: Contact) -> str:
    say, item = brief.phrases.say, contact.item
    detail, name = item.detail, brief.name_of(item.symbol)
    if contact.definitions and all(one.definition is DefinitionKind.VARIABLE for one in contact.definitions):
        return say("patch_table", ids=_HOLE, symbol=name)
    replacement = detail.replacement.rpartition(".")[2] if detail.replacement else None
    if not replacement or replacement == name.rpartition(".")[2]:
        first = say("patch_bare", ids=_HOLE, symbol=name)
    else:
        phrase = "patch_wrapping" if detail.calls_original else "patch_with"
        first = say(phrase, ids=_HOLE, replacement=replacement, symbol=name)
    return brief.clauses([first, _called(brief, contact, "calls_original", "skips_original"), _accepts(brief, contact)])


def _override(brief: Brief, contact: Contact) -> str:
    item = contact.item
    first = brief.phrases.say("override", ids=_HOLE, scope=item.scope, symbol=brief.name_of(item.symbol))
    called = _called(brief, contact, "override_calls", "override_skips")
    return brief.clauses([first, called, _accepts(brief, contact)])


def _subclass(brief: Brief, contact: Contact) -> str:
    say, item = brief.phrases.say, contact.item
    base = brief.name_of(item.detail.base or item.symbol)
    first = say("subclass", ids=_HOLE, scope=item.scope, base=base)
    members = [name for name in inherited_members(brief.situation, item) if name != base]
    inherits = say("subclass_inherits", members=brief.phrases.joined(members)) if members else None
    return brief.clauses([first, inherits])


def _registration(brief: Brief, contact: Contact) -> str:
    say, item = brief.phrases.say, contact.item
    detail = item.detail
    if not detail.registrar:
        return brief.clauses([say("registration_plain", ids=_HOLE, operator=item.symbol), _accepts(brief, contact)])
    if not detail.replacement:
        first = say("registration_bare", ids=_HOLE, registrar=detail.registrar, operator=item.symbol)
        return brief.clauses([first, _accepts(brief, contact)])
    replacement = detail.replacement.rpartition(".")[2]
    first = say("registration", ids=_HOLE, registrar=detail.registrar, operator=item.symbol, replacement=replacement)
    return brief.clauses([first, _accepts(brief, contact)])


def _fork(brief: Brief, contact: Contact) -> str:
    first = brief.phrases.say("fork", ids=_HOLE, symbol=brief.name_of(contact.item.symbol))
    return brief.clauses([first, _accepts(brief, contact)])


def _reference(brief: Brief, contact: Contact) -> str:
    item = contact.item
    if item.scope == MODULE_SCOPE:
        return brief.phrases.say("reference", ids=_HOLE, symbol=brief.name_of(item.symbol))
    return brief.phrases.say("reference_in", ids=_HOLE, scope=item.scope, symbol=brief.name_of(item.symbol))


def _simple(phrase: str) -> Callable[[Brief, Contact], str]:
    def sentence(brief: Brief, contact: Contact) -> str:
        return brief.phrases.say(phrase, ids=_HOLE, symbol=brief.name_of(contact.item.symbol))

    return sentence


def _config(brief: Brief, contact: Contact) -> str:
    phrase = "flag_set" if contact.item.detail.access == "set" else "flag_read"
    return brief.phrases.say(phrase, ids=_HOLE, symbol=contact.item.symbol)


def _called(brief: Brief, contact: Contact, calls: str, skips: str) -> str | None:
    measured = contact.item.detail.calls_original
    return None if measured is None else brief.phrases.say(calls if measured else skips)


def _accepts(brief: Brief, contact: Contact) -> str | None:
    """What the signature of the downstream function says to the new one; nothing when no signature changed."""
    say, detail = brief.phrases.say, contact.item.detail
    resigned = [one for one in contact.named if one.signature_changes]
    missing = [name for one in resigned for name in missing_parameters(contact, one)]
    if missing:
        parameters = brief.phrases.joined(missing)
        signature = detail.downstream_signature
        if signature and len(signature) <= _LONGEST_SIGNATURE:
            return say("lacks", signature=signature, parameters=parameters)
        return say("lacks_bare", parameters=parameters)
    if resigned and detail.signature_matches is not None:
        return say("signature_same" if detail.signature_matches else "signature_differs")
    return None


_DIRECT: dict[EvidenceKind, Callable[[Brief, Contact], str]] = {
    EvidenceKind.FORK: _fork,
    EvidenceKind.PATCH: _patch,
    EvidenceKind.OVERRIDE: _override,
    EvidenceKind.REGISTRATION: _registration,
    EvidenceKind.SUBCLASS: _subclass,
    EvidenceKind.REFERENCE: _reference,
    EvidenceKind.IMPORT: _simple("import"),
    EvidenceKind.CONFIG: _config,
    EvidenceKind.TEST_COPY: _simple("test_copy"),
    EvidenceKind.HOOK: _near,
}
