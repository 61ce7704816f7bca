"""What no code of ours can tell: effects, conditions, everyday words."""

from __future__ import annotations

from evals.hostile import words
from evals.hostile.claims import COUPLINGS, FORM_OF, Claim, Form
from evals.hostile.lies import LEFT_OUT, Liar, Lie, lie
from evals.hostile.mutations.relations import has_kind
from evals.hostile.phrasing import fill, say
from retrieval.models import EvidenceKind


def effect(claim: Claim, liar: Liar) -> Lie | None:
    """A failure that cannot be: nothing changed its signature, nothing went away, the place is only near."""
    if claim.form is not Form.NEIGHBOUR:
        return None
    if any(one.signature_changes or one.kind in ("removed", "renamed") for one in liar.scene.delta.definitions):
        return LEFT_OUT
    return lie(say(claim.but(Form.EFFECT), liar.rng))


def condition(claim: Claim, liar: Liar) -> Lie | None:
    """A condition out of thin air before a true place."""
    return lie(say(claim.but(Form.CONDITION), liar.rng)) if claim.form in COUPLINGS else None


def everyday_words(claim: Claim, liar: Liar) -> Lie | None:
    """A wrong kind of coupling, or a contact that is none, in words of everyday speech, which no list can hold."""
    place = claim.place
    if place is not None and claim.form is Form.NEIGHBOUR:
        close = any(liar.facts.holds(place.path, name) for name in liar.scene.definitions)
        return LEFT_OUT if close else lie(fill(words.EVERYDAY["close"], claim, liar.rng))
    if place is None or claim.form is not Form.REFERENCE:
        return None
    kind = liar.rng.choice([one for one in FORM_OF if FORM_OF[one] in words.EVERYDAY])
    if has_kind(place, kind, liar.scene) or (kind is not EvidenceKind.FORK and liar.facts.may_show(kind, place)):
        return LEFT_OUT
    return lie(fill(words.EVERYDAY[FORM_OF[kind]], claim, liar.rng))
