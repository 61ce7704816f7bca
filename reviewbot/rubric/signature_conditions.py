"""Conditions that torch_npu's code can no longer be called, named or found: what leads to Shim."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.models import ChangeKind, DefinitionChange, EvidenceKind, SignatureChangeKind
from reviewbot.rubric.grounds import Ground, condition, touching
from reviewbot.rubric.registrars import is_compiled, replaces
from reviewbot.rubric.situation import Contact, Situation

_NEW_NAMES = frozenset({SignatureChangeKind.PARAMETER_ADDED, SignatureChangeKind.PARAMETER_RENAMED})
#: Changes after which callers of the new signature pass arguments an old implementation cannot take as they come.
_RESHAPED = frozenset(
    {
        SignatureChangeKind.PARAMETER_REMOVED,
        SignatureChangeKind.PARAMETER_RENAMED,
        SignatureChangeKind.PARAMETER_REORDERED,
        SignatureChangeKind.KIND_CHANGED,
    }
)


@condition
def fork_lacks_parameter(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.FORK), mismatched)


@condition
def registration_lacks_parameter(situation: Situation) -> Ground | None:
    registrations = situation.direct_of(EvidenceKind.REGISTRATION)
    return touching((one for one in registrations if replaces_changed(one)), mismatched)


@condition
def patch_mismatched_breaking(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.PATCH), _breaking)


@condition
def patch_mismatched(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.PATCH), mismatched)


@condition
def override_mismatched_breaking(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.OVERRIDE), _breaking)


@condition
def override_mismatched(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.OVERRIDE), mismatched)


@condition
def removed_name_used(situation: Situation) -> Ground | None:
    return _gone_name_used(situation, ChangeKind.REMOVED)


@condition
def renamed_name_used(situation: Situation) -> Ground | None:
    return _gone_name_used(situation, ChangeKind.RENAMED)


@condition
def moved_name_used(situation: Situation) -> Ground | None:
    return _gone_name_used(situation, ChangeKind.MOVED)


@condition
def patch_target_gone(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.PATCH), lambda contact: _gone(situation, contact))


@condition
def override_target_gone(situation: Situation) -> Ground | None:
    return touching(situation.direct_of(EvidenceKind.OVERRIDE), lambda contact: _gone(situation, contact))


@condition
def removed_flag_used(situation: Situation) -> Ground | None:
    def removed(contact: Contact) -> Iterable[str]:
        return (one.flag for one in contact.configs if one.kind is ChangeKind.REMOVED)

    return touching(situation.direct_of(EvidenceKind.CONFIG), removed)


@condition
def caller_of_breaking_signature(situation: Situation) -> Ground | None:
    """torch_npu calls a function whose old calls can now fail; whether its own calls do takes a reader."""
    return touching(
        situation.direct_of(EvidenceKind.REFERENCE),
        lambda contact: (
            one.qualname for one in contact.named if any(change.breaking for change in one.signature_changes)
        ),
    )


def replaces_changed(contact: Contact) -> bool:
    """Is what the place registers called where upstream would call the changed implementation?"""
    by, roles = contact.item.detail, [one.role for one in contact.operators]
    return any(replaces(by, role) for role in roles) if roles else is_compiled(by)


def mismatched(contact: Contact) -> tuple[str, ...]:
    """Qualnames of re-signed definitions that the downstream replacement cannot stand for any more.

    Only what this change brought counts: a parameter the replacement never took is no news.
    """
    return tuple(one.qualname for one in contact.named if missing_parameters(contact, one) or _reshaped(contact, one))


def missing_parameters(contact: Contact, definition: DefinitionChange) -> tuple[str, ...]:
    """New or renamed upstream parameters that the downstream signature does not accept."""
    new = [change.name for change in definition.signature_changes if change.kind in _NEW_NAMES]
    return tuple(name for name in new if name in contact.item.detail.lacks)


def _reshaped(contact: Contact, definition: DefinitionChange) -> bool:
    reshaped = any(change.kind in _RESHAPED for change in definition.signature_changes)
    return reshaped and contact.item.detail.signature_matches is False


def _breaking(contact: Contact) -> tuple[str, ...]:
    names = set(mismatched(contact))
    return tuple(
        one.qualname
        for one in contact.named
        if one.qualname in names and any(change.breaking for change in one.signature_changes)
    )


def _gone(situation: Situation, contact: Contact) -> tuple[str, ...]:
    return tuple(one.old_qualname or one.qualname for one in contact.definitions if situation.is_gone(one))


def _gone_name_used(situation: Situation, kind: ChangeKind) -> Ground | None:
    """Names of ``kind`` that are gone and that torch_npu imports, calls or derives from."""
    return touching(
        situation.direct_of(EvidenceKind.REFERENCE, EvidenceKind.IMPORT, EvidenceKind.SUBCLASS),
        lambda contact: (
            one.old_qualname or one.qualname
            for one in contact.definitions
            if one.kind is kind and situation.is_gone(one)
        ),
    )
