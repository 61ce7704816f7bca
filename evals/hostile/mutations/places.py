"""Wrong places: path, line, id, test."""

from __future__ import annotations

from evals.hostile.claims import COUPLINGS, Claim, Form
from evals.hostile.lies import LEFT_OUT, Liar, Lie, lie
from evals.hostile.phrasing import say


def wrong_path(claim: Claim, liar: Liar) -> Lie | None:
    """A real file of the downstream tree, half of the time one that the ledger cites elsewhere."""
    if claim.place is None:
        return None
    cited = sorted({item.path for item in liar.scene.ledger.items} - {claim.place.path})
    other = liar.pick(cited if cited and liar.rng.random() < 0.5 else liar.scene.pool.downstream_paths)
    if other is None or other.endswith(claim.place.path) or claim.place.path.endswith(other):
        return None
    if liar.facts.holds(other, claim.place.target) or liar.facts.holds(other, claim.place.token):
        return LEFT_OUT
    return lie(say(claim.but(path=other), liar.rng, naming="path"))


def upstream_path(claim: Claim, liar: Liar) -> Lie | None:
    """An upstream file that the change does not touch, said to be changed."""
    if claim.form not in (Form.UPSTREAM_FILE, Form.REWRITTEN, Form.ADDED):
        return None
    other = liar.pick(liar.scene.pool.upstream_paths)
    if other is None or other in liar.scene.change_paths:
        return LEFT_OUT
    return lie(say(claim.but(path=other), liar.rng, naming="path"))


def wrong_line(claim: Claim, liar: Liar) -> Lie | None:
    """Another line of the same file, near or far, that does not hold the word."""
    place = claim.place
    if place is None or not place.lines:
        return None
    length = liar.facts.length(place.path)
    near = [line + step for line in place.lines for step in (-2, -1, 1, 2, 10) if 1 <= line + step <= length]
    line = liar.rng.choice([*near, liar.rng.randint(1, max(1, length))])
    if line in place.lines or line in liar.facts.lines_with(place.path, place.token):
        return LEFT_OUT
    if any(line in item.lines for item in liar.scene.places if item.home == place.home):
        return LEFT_OUT
    return lie(say(claim.but(line=str(line)), liar.rng, naming="line"))


def foreign_test(claim: Claim, liar: Liar) -> Lie | None:
    """A real test that belongs to another change."""
    other = liar.pick(liar.scene.pool.tests)
    if other is None or any(other.partition("::")[0] in one for one in liar.scene.own_tests):
        return None
    return lie(say(Claim(Form.TEST, {"name": other}), liar.rng))


def swapped_id(claim: Claim, liar: Liar) -> Lie | None:
    """The claim of one place under the id of another whose file knows nothing of it."""
    if claim.place is None or claim.form not in COUPLINGS:
        return None
    others = [one for one in liar.scene.ledger.items if one.path != claim.place.path]
    other = liar.rng.choice(others) if others else None
    if other is None:
        return None
    if liar.facts.holds(other.path, claim.place.target) or liar.facts.holds(other.path, claim.place.token):
        return LEFT_OUT
    if any(f"{symbol}.".startswith(f"{claim.place.target}.") for symbol in other.symbols):
        return LEFT_OUT  # it uses a member without naming the class, or inherits it
    return lie(say(claim.citing(other.id), liar.rng))


def unknown_id(claim: Claim, liar: Liar) -> Lie | None:
    if not claim.cites:
        return None
    kind = claim.cites[0][0]
    return lie(say(claim.citing(f"{kind}{liar.rng.randint(400, 999)}"), liar.rng, naming="cite"))
