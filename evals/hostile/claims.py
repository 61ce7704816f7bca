"""True claims about one ledger, each a form and the values that its phrases are filled with.

Contract: ``true_claims`` lists every claim that the ledger bears out, in the ledger's order; nothing in it is chosen by
what a verifier would accept. A claim is data, so that a mutation changes one value and the wording stays free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby

from evals.hostile import words
from evals.hostile.scene import Place, Scene, is_module, last
from retrieval.models import ChangeKind, CopyState, EvidenceKind, Relation


class Form(StrEnum):
    """What a clause says. Values name their phrases in ``words.PHRASES``."""

    REFERENCE = "reference"
    IMPORT = "import"
    SUBCLASS = "subclass"
    OVERRIDE = "override"
    PATCH = "patch"
    REGISTRATION = "registration"
    LISTED = "listed"
    FORK = "fork"
    NEIGHBOUR = "neighbour"  # a hook on the same module or package
    APART = "apart"  # such a hook, and nothing else in its scope
    LINES = "lines"  # how many places one scope has
    PLACES = "places"  # how many places were cited
    FILES = "files"  # over how many files they spread
    MISS = "miss"
    CALLS = "calls"  # calls the original back
    SKIPS = "skips"
    ACCEPTS = "accepts"  # its signature takes every call of the new one
    REFUSES = "refuses"
    LACKS = "lacks"  # a parameter
    STALE = "stale"  # a copy that holds the old code
    SYNCED = "synced"
    DIVERGED = "diverged"
    ADDED = "added"  # what upstream did
    REMOVED = "removed"
    REWRITTEN = "rewritten"
    UPSTREAM_FILE = "upstream_file"
    TEST = "test"
    MUST = "must"  # the flags, in words
    NEED_NOT = "need_not"
    REACHES = "reaches"
    REACHES_NOT = "reaches_not"
    REVERTED = "reverted"
    VERDICT = "verdict"
    RISK = "risk"
    EFFECT = "effect"
    CONDITION = "condition"
    CLOSE = "close"


#: How a coupling of each kind is said; hooks have no word of their own but 挂钩点.
FORM_OF: Mapping[EvidenceKind, Form] = {
    EvidenceKind.REFERENCE: Form.REFERENCE,
    EvidenceKind.IMPORT: Form.IMPORT,
    EvidenceKind.SUBCLASS: Form.SUBCLASS,
    EvidenceKind.OVERRIDE: Form.OVERRIDE,
    EvidenceKind.PATCH: Form.PATCH,
    EvidenceKind.REGISTRATION: Form.REGISTRATION,
    EvidenceKind.FORK: Form.FORK,
}
COUPLINGS = frozenset(FORM_OF.values())
_COPIES = {
    CopyState.CARRIES_OLD_CODE: Form.STALE,
    CopyState.ALREADY_SYNCED: Form.SYNCED,
    CopyState.DIVERGED: Form.DIVERGED,
}
_ACTS = {ChangeKind.ADDED: Form.ADDED, ChangeKind.REMOVED: Form.REMOVED, ChangeKind.REWRITTEN: Form.REWRITTEN}


@dataclass(frozen=True)
class Claim:
    """``fields`` fill the phrases; ``cites`` are the ids it rests on, ``place`` the coupling it is about, if one."""

    form: Form
    fields: Mapping[str, str] = field(default_factory=dict)
    cites: tuple[str, ...] = ()
    place: Place | None = None
    denied: bool = False

    def but(self, form: Form | None = None, *, denied: bool | None = None, **fields: str) -> Claim:
        """The same claim with some of it replaced."""
        given = self.denied if denied is None else denied
        return replace(self.with_fields(fields), form=form or self.form, denied=given)

    def with_fields(self, fields: Mapping[str, str]) -> Claim:
        return replace(self, fields={**self.fields, **fields})

    def citing(self, *ids: str) -> Claim:
        return replace(self, cites=ids, fields={**self.fields, "cite": words.cite(ids)})


def true_claims(scene: Scene) -> tuple[Claim, ...]:
    """Everything sayable about couplings, then numbers, misses, the change itself and the flags."""
    places = [claim for place in scene.places for claim in _of_place(place)]
    return (*places, *_places_counted(scene), *_misses(scene), *_of_change(scene), *_of_flags(scene))


def claim_of(form: Form, place: Place) -> Claim:
    fields = {
        "where": words.AT_MODULE if is_module(place.scope) else place.scope,
        "symbol": place.target,
        "path": place.path,
        "line": str(place.lines[0]) if place.lines else "",
    }
    by = place.detail.replacement if form is Form.PATCH else place.detail.registrar
    fields |= {"name": last(by)} if by else {}
    return Claim(form, {key: value for key, value in fields.items() if value}, place=place).citing(place.id)


def _of_place(place: Place) -> Iterator[Claim]:
    if place.kind is EvidenceKind.REGISTRATION and place.detail.listed:
        yield claim_of(Form.LISTED, place)
    elif place.kind in FORM_OF:
        yield claim_of(FORM_OF[place.kind], place)
    elif place.kind is EvidenceKind.HOOK and place.relation in (Relation.SAME_MODULE, Relation.SAME_PACKAGE):
        yield claim_of(Form.NEIGHBOUR, place)
        if place.alone:
            yield claim_of(Form.APART, place)
    if place.kind is EvidenceKind.REFERENCE and place.alone and len(place.lines) > 1:
        yield claim_of(Form.LINES, place).but(number=str(len(place.lines)))
    yield from _details(place)


def _details(place: Place) -> Iterator[Claim]:
    detail = place.detail
    if place.kind is EvidenceKind.HOOK:
        return
    if detail.calls_original is not None:
        yield claim_of(Form.CALLS if detail.calls_original else Form.SKIPS, place)
    if detail.signature_matches is not None:
        yield claim_of(Form.ACCEPTS if detail.signature_matches else Form.REFUSES, place)
    for parameter in detail.lacks:
        yield claim_of(Form.LACKS, place).but(name=parameter)
    if detail.copy_state is not None:
        yield claim_of(_COPIES[detail.copy_state], place)


def _places_counted(scene: Scene) -> Iterator[Claim]:
    """Couplings of one kind, taken two to four at a time, strongest of their scope each."""
    firm = [one for one in scene.places if one.kind in FORM_OF and "." not in one.id and not one.detail.listed]
    own = sorted(firm, key=lambda one: one.kind)
    for kind, group in groupby(own, key=lambda one: one.kind):
        taken = list(group)[:4]
        for size in range(2, len(taken) + 1):
            cited = taken[:size]
            fields = {"verb": words.VERBS[FORM_OF[kind]], "number": str(len({(one.path, one.scope) for one in cited}))}
            yield Claim(Form.PLACES, fields).citing(*(one.id for one in cited))
            spread = str(len({one.path for one in cited}))
            yield Claim(Form.FILES, {"number": spread}).citing(*(one.id for one in cited))


def _misses(scene: Scene) -> Iterator[Claim]:
    for miss in scene.ledger.misses:
        yield Claim(Form.MISS, {"symbol": miss.pattern, "number": str(miss.files)}).citing(miss.id)


def _of_change(scene: Scene) -> Iterator[Claim]:
    for file in scene.change.files:
        yield Claim(Form.UPSTREAM_FILE, {"path": file.path})
    for one in scene.delta.definitions:
        if one.kind in _ACTS:
            yield Claim(_ACTS[one.kind], {"symbol": one.qualname, "path": one.path})
    for test in sorted(scene.own_tests):
        yield Claim(Form.TEST, {"name": test})


def _of_flags(scene: Scene) -> Iterator[Claim]:
    flags = scene.flags
    top = scene.ledger.items[0].id if scene.ledger.items else ""
    if flags["needs_adaptation"] == words.NO:
        yield Claim(Form.NEED_NOT)
    elif flags["needs_adaptation"] == words.YES and top:
        yield Claim(Form.MUST).citing(top)
    if flags["npu_affected"] == words.YES:
        yield Claim(Form.REACHES)
    yield Claim(Form.VERDICT, {"name": flags["verdict"]})
    yield Claim(Form.RISK, {"name": words.RISKS[flags["risk"]]})
    if scene.change.reverted:
        yield Claim(Form.REVERTED)
