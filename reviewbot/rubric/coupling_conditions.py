"""Conditions that torch_npu feels a change although nothing breaks: replaced, derived, called, or merely near."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangeKind, CopyState, DefinitionKind, EvidenceItem, EvidenceKind, Relation
from reviewbot.couplings import each_coupling
from reviewbot.rubric.grounds import Ground, condition, ground, touching
from reviewbot.rubric.registrars import bypasses, is_compiled, replaces, stands_for_kernel
from reviewbot.rubric.situation import Contact, Situation

_REWORKED = frozenset({ChangeKind.REWRITTEN, ChangeKind.RESIGNED, ChangeKind.RENAMED, ChangeKind.MOVED})

_COME_OR_GONE = frozenset({ChangeKind.ADDED, ChangeKind.REMOVED})


def _changed(contact: Contact) -> Iterable[str]:
    return contact.changed_names


@condition
def uncoupled(situation: Situation) -> Ground | None:
    """The search found no coupling, near or far; places that only share words with the change are none."""
    if situation.couplings or situation.ledger.totals.cut:
        return None
    misses = situation.ledger.misses
    return ground((miss.pattern for miss in misses), (miss.id for miss in misses))


@condition
def coupled(situation: Situation) -> Ground | None:
    return touching(situation.direct, lambda contact: [contact.item.symbol])


@condition
def behaviour_coupled(situation: Situation) -> Ground | None:
    """A direct contact with something that behaves differently now and is not bypassed by a fallback."""
    return touching(situation.direct, lambda contact: () if _bypassed(contact) else contact.changed_names)


@condition
def coupled_harmless(situation: Situation) -> Ground | None:
    """Direct contacts, each with something known of the change, none of which behaves differently now."""
    known = all(one.definitions or one.within or one.operators or one.configs for one in situation.direct)
    if not known or any(one.changed_names for one in situation.direct):
        return None
    return coupled(situation)


@condition
def class_gains_members(situation: Situation) -> Ground | None:
    """A direct contact with a class that only gained members: whether upstream uses them there takes a reader."""
    return touching(
        situation.direct,
        lambda contact: (one.qualname for one in contact.definitions if one.symbol in situation.gaining),
    )


@condition
def only_near(situation: Situation) -> Ground | None:
    """There are places coupled to what is near the change, none in direct contact with it."""
    if situation.direct:
        return None
    return touching(situation.couplings, lambda contact: [contact.item.symbol])


@condition
def signatures_kept(situation: Situation) -> Ground | None:
    """Nothing torch_npu is in direct contact with was re-signed, removed, renamed or moved."""
    touched = [one for contact in situation.direct for one in contact.named]
    kept = all(one.kind is ChangeKind.REWRITTEN for one in touched)
    return ground(one.qualname for one in touched) if kept else None


@condition
def fork_of_changed(situation: Situation) -> Ground | None:
    """A copy of what changed, unless the copy already holds the new code."""
    forks = situation.direct_of(EvidenceKind.FORK)
    return touching((one for one in forks if one.item.detail.copy_state is not CopyState.ALREADY_SYNCED), _changed)


@condition
def registration_replaces(situation: Situation) -> Ground | None:
    """torch_npu registers its own implementation of an operator whose implementation of that role was reworked."""

    def replaced(contact: Contact) -> Iterable[str]:
        by = contact.item.detail
        return (one.operator for one in contact.operators if one.kind in _REWORKED and replaces(by, one.role))

    return touching(situation.direct_of(EvidenceKind.REGISTRATION), replaced)


@condition
def registration_bypasses(situation: Situation) -> Ground | None:
    """torch_npu sends the operator to its fallback: the reworked lowering is never reached."""
    return touching(situation.direct_of(EvidenceKind.REGISTRATION), _bypassed)


@condition
def registration_intercepted(situation: Situation) -> Ground | None:
    """Upstream adds or removes an implementation of an operator that torch_npu registers for itself."""
    registrations = situation.direct_of(EvidenceKind.REGISTRATION)
    return touching(
        (one for one in registrations if is_compiled(one.item.detail)),
        lambda contact: (one.operator for one in contact.operators if one.kind in _COME_OR_GONE),
    )


@condition
def operator_elsewhere(situation: Situation) -> Ground | None:
    """torch_npu lists, uses or registers in another role an operator whose implementation changed."""
    return touching(situation.direct_of(EvidenceKind.REGISTRATION, EvidenceKind.REFERENCE), _named_operators)


@condition
def patch_replaces(situation: Situation) -> Ground | None:
    """A function, method or class that changed is replaced, and the original is not seen to be called."""
    return touching(_patches(situation, lambda calls: calls is not True), _replaced)


@condition
def patch_wraps(situation: Situation) -> Ground | None:
    return touching(_patches(situation, lambda calls: calls is True), _replaced)


@condition
def override_of_changed(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.OVERRIDE), _changed)


@condition
def override_of_added(situation: Situation) -> Ground | None:
    """Upstream adds a member under a name that a torch_npu subclass already uses."""
    return touching(
        situation.direct_of(EvidenceKind.OVERRIDE),
        lambda contact: (one.qualname for one in contact.definitions if one.kind is ChangeKind.ADDED),
    )


@condition
def inherits_changed(situation: Situation) -> Ground | None:
    """A torch_npu subclass of the very class that changed."""
    return touching(situation.direct_of(EvidenceKind.SUBCLASS), _changed)


@condition
def inherits_enclosing(situation: Situation) -> Ground | None:
    """A torch_npu subclass of the class around a changed member, of which the ledger shows no override."""
    heirs = (
        one
        for one in situation.contacts
        if one.item.kind is EvidenceKind.SUBCLASS
        and one.item.relation is Relation.ENCLOSING
        and not is_test_path(one.item.path)
    )
    return touching(heirs, lambda contact: inherited_members(situation, contact.item))


@condition
def flag_default_read(situation: Situation) -> Ground | None:
    return _flag_default(situation, is_set=False)


@condition
def flag_default_set(situation: Situation) -> Ground | None:
    return _flag_default(situation, is_set=True)


@condition
def uses_changed(situation: Situation) -> Ground | None:
    """Imported, called, or a changed table that torch_npu writes into; operators are ``operator_elsewhere``."""
    users = situation.direct_of(EvidenceKind.REFERENCE, EvidenceKind.IMPORT, EvidenceKind.PATCH)
    return touching(users, lambda contact: [] if contact.item.relation is Relation.SAME_OPERATOR else _changed(contact))


@condition
def tests_use_changed(situation: Situation) -> Ground | None:
    """Only torch_npu's own tests, or its copies of upstream tests, name what changed."""
    if situation.direct:
        return None
    tests = (
        one
        for one in situation.contacts
        if one.item.relation in (Relation.SAME_SYMBOL, Relation.MEMBER, Relation.SAME_OPERATOR)
        and (is_test_path(one.item.path) or one.item.kind is EvidenceKind.TEST_COPY)
    )
    return touching(tests, _changed)


@condition
def kernel_registered(situation: Situation) -> Ground | None:
    """torch_npu registers the kernel of an operator whose schema changed."""
    return touching(
        situation.direct_of(EvidenceKind.REGISTRATION),
        lambda contact: (one.operator for one in contact.operators if stands_for_kernel(contact.item.detail, one.role)),
    )


def inherited_members(situation: Situation, item: EvidenceItem) -> list[str]:
    """Changed members of the base class at ``item`` that no override of the ledger answers for."""
    bases = {*_own_symbols(item), *([item.detail.base] if item.detail.base else [])}
    overridden = {
        symbol
        for contact in situation.contacts
        if contact.item.kind is EvidenceKind.OVERRIDE
        and contact.item.path == item.path
        and contact.item.scope.startswith(f"{item.scope}.")
        for symbol in _own_symbols(contact.item)
    }
    return [
        one.qualname
        for one in situation.behaving
        if one.symbol not in overridden
        and any(one.symbol == base or one.symbol.startswith(f"{base}.") for base in bases)
    ]


def _own_symbols(item: EvidenceItem) -> tuple[str, ...]:
    """Symbols of the coupling that gave the item its kind, as far as they are known apart from those of others."""
    return (item.symbol, *each_coupling(item)[0].symbols)


def _patches(situation: Situation, calls: Callable[[bool | None], bool]) -> Iterable[Contact]:
    return (
        contact
        for contact in situation.direct_of(EvidenceKind.PATCH)
        if contact.item.relation is Relation.SAME_SYMBOL and calls(contact.item.detail.calls_original)
    )


def _replaced(contact: Contact) -> Iterable[str]:
    return (one.qualname for one in contact.behaving if one.definition is not DefinitionKind.VARIABLE)


def _bypassed(contact: Contact) -> list[str]:
    by = contact.item.detail
    return [one.operator for one in contact.operators if one.kind in _REWORKED and bypasses(by, one.role)]


def _named_operators(contact: Contact) -> Iterable[str]:
    elsewhere = contact.item.relation is Relation.SAME_OPERATOR and not _bypassed(contact)
    return contact.changed_names if elsewhere else ()


def _flag_default(situation: Situation, *, is_set: bool) -> Ground | None:
    flags = (one for one in situation.direct_of(EvidenceKind.CONFIG) if (one.item.detail.access == "set") is is_set)
    return touching(flags, lambda contact: (one.flag for one in contact.configs if one.kind is ChangeKind.REWRITTEN))
