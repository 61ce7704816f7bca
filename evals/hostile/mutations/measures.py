"""Wrong measures: counts, details of a coupling, state of a copy, flags."""

from __future__ import annotations

from collections.abc import Mapping

from evals.hostile import words
from evals.hostile.claims import COUPLINGS, FORM_OF, Claim, Form
from evals.hostile.lies import LEFT_OUT, Liar, Lie, lie
from evals.hostile.phrasing import say
from evals.hostile.scene import Scene

_REVERSED: Mapping[Form, Form] = {
    Form.CALLS: Form.SKIPS,
    Form.SKIPS: Form.CALLS,
    Form.ACCEPTS: Form.REFUSES,
    Form.REFUSES: Form.ACCEPTS,
}
_COPY_STATES = (Form.STALE, Form.SYNCED, Form.DIVERGED)


def wrong_count(claim: Claim, liar: Liar) -> Lie | None:
    """One, two or five more or less than was counted, and no other reading of the same ids."""
    if "number" not in claim.fields or not claim.cites:
        return None
    number = int(claim.fields["number"]) + liar.rng.choice((-2, -1, 1, 2, 5))
    if number < 1 or number in _other_readings(claim, liar.scene):
        return LEFT_OUT
    return lie(say(claim.but(number=str(number)), liar.rng, naming="number"))


def _other_readings(claim: Claim, scene: Scene) -> set[int]:
    items = [item for item in scene.ledger.items if item.id in {one.partition(".")[0] for one in claim.cites}]
    spread = len({item.path for item in items})
    if claim.form is Form.FILES:
        return {spread}
    lines = [len(item.lines) + sum(len(one.lines) for one in item.further) for item in items]
    couplings = [(item.path, one) for item in items for one in scene.places if one.home == item.id]
    by_kind = {
        len({(path, line) for path, one in couplings if one.kind is kind for line in one.lines}) for kind in FORM_OF
    }
    own = {(item.path, line) for item in items for line in item.lines}
    return {len({(item.path, item.scope) for item in items}), sum(lines), len(own), spread, *by_kind}


def wrong_detail(claim: Claim, liar: Liar) -> Lie | None:
    """Call-back or signature reversed, or another parameter of the changed signature said to be lacking."""
    if claim.form in _REVERSED:
        return lie(say(claim.but(_REVERSED[claim.form]), liar.rng))
    if claim.form is not Form.LACKS or claim.place is None:
        return None
    known = {one.name for definition in liar.scene.delta.definitions for one in definition.parameters}
    other = liar.pick(sorted(known - set(claim.place.detail.lacks) - {"self", "cls"}))
    return lie(say(claim.but(name=other), liar.rng)) if other else None


def wrong_copy_state(claim: Claim, liar: Liar) -> Lie | None:
    if claim.form not in _COPY_STATES:
        return None
    return lie(say(claim.but(liar.rng.choice([one for one in _COPY_STATES if one is not claim.form])), liar.rng))


def against_flags(claim: Claim, liar: Liar) -> Lie | None:
    """A sentence that contradicts the labels of its own draft."""
    if claim.form not in COUPLINGS:
        return None
    flags = liar.scene.flags
    needs = flags["needs_adaptation"]
    said = [
        claim.but(Form.MUST if needs == words.NO else Form.NEED_NOT),
        claim.but(Form.REACHES if flags["npu_affected"] == words.NO else Form.REACHES_NOT),
        claim.but(Form.VERDICT, name=liar.rng.choice([one for one in words.VERDICTS if one != flags["verdict"]])),
        claim.but(Form.RISK, name=liar.rng.choice([said for one, said in words.RISKS.items() if one != flags["risk"]])),
    ]
    said += [] if liar.scene.change.reverted else [claim.but(Form.REVERTED)]
    return lie(say(liar.rng.choice(said), liar.rng))
