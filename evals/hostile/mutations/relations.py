"""Wrong relations: kind, polarity, closeness, what upstream did."""

from __future__ import annotations

from evals.hostile import words
from evals.hostile.claims import COUPLINGS, FORM_OF, Claim, Form, claim_of
from evals.hostile.lies import LEFT_OUT, Liar, Lie, lie
from evals.hostile.mutations.names import invent
from evals.hostile.phrasing import fill, say
from evals.hostile.scene import Place, Scene, last
from retrieval.models import EvidenceKind


def wrong_relation(claim: Claim, liar: Liar) -> Lie | None:
    """A kind of coupling that no line of the file shows. Of a fork nothing but the ledger can tell."""
    place = claim.place
    if place is None or claim.form not in {*COUPLINGS, Form.NEIGHBOUR}:
        return None
    kind = liar.rng.choice([kind for kind in FORM_OF if FORM_OF[kind] is not claim.form])
    if kind is EvidenceKind.REFERENCE or has_kind(place, kind, liar.scene):
        return LEFT_OUT
    if kind is not EvidenceKind.FORK and liar.facts.may_show(kind, place):
        return LEFT_OUT
    return lie(say(claim_of(FORM_OF[kind], place), liar.rng))


def has_kind(place: Place, kind: EvidenceKind, scene: Scene) -> bool:
    """The ledger has such a coupling in the same scope, or knows the file as a copy."""
    near = [one for one in scene.places if one.path == place.path and (one.scope == place.scope or kind == "fork")]
    derived = {EvidenceKind.OVERRIDE} if kind is EvidenceKind.SUBCLASS else set()
    return any(one.kind in {kind, *derived} for one in near) or _item_has(place, kind, scene)


def _item_has(place: Place, kind: EvidenceKind, scene: Scene) -> bool:
    return any(kind in item.kinds for item in scene.ledger.items if item.id == place.home)


def listed_as_registered(claim: Claim, liar: Liar) -> Lie | None:
    """What only stands in a list is said to be registered."""
    if claim.form is not Form.LISTED or claim.place is None:
        return None
    return lie(say(claim_of(Form.REGISTRATION, claim.place), liar.rng))


def negation(claim: Claim, liar: Liar) -> Lie | None:
    if claim.form not in COUPLINGS:
        return None
    return lie(say(claim.but(denied=True), liar.rng))


def uncited(claim: Claim, liar: Liar) -> Lie | None:
    """A denial, or an invented coupling, that cites nothing."""
    if claim.form not in COUPLINGS:
        return None
    phrase = liar.rng.choice(words.UNCITED)
    lied = claim if phrase != words.UNCITED[-1] else claim.but(where=invent(claim.fields["where"], liar.rng))
    return lie(fill((phrase,), lied, liar.rng))


def false_closeness(claim: Claim, liar: Liar) -> Lie | None:
    """A neighbour is said to be in direct contact with what changed."""
    if claim.form is not Form.NEIGHBOUR or claim.place is None or not claim.place.alone:
        return None
    if any(liar.facts.holds(claim.place.path, name) for name in liar.scene.definitions):
        return LEFT_OUT
    return lie(say(claim.but(Form.CLOSE), liar.rng))


def upstream_act(claim: Claim, liar: Liar) -> Lie | None:
    """What upstream added is said to be removed, and so on."""
    acts = (Form.ADDED, Form.REMOVED, Form.REWRITTEN)
    if claim.form not in acts:
        return None
    named = last(claim.fields["symbol"])
    if sum(named in (one.name, one.old_name) for one in liar.scene.delta.definitions) > 1:
        return LEFT_OUT
    return lie(say(claim.but(liar.rng.choice([one for one in acts if one is not claim.form])), liar.rng))
