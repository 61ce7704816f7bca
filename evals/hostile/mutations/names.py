"""Wrong names: invented, or real ones from elsewhere."""

from __future__ import annotations

from random import Random

from evals.hostile import words
from evals.hostile.claims import COUPLINGS, Claim, Form
from evals.hostile.lies import LEFT_OUT, Liar, Lie, lie
from evals.hostile.phrasing import say
from evals.hostile.scene import Place, Scene, is_module, last
from retrieval.models import EvidenceKind

_ONSETS, _NUCLEI = ("br", "k", "pl", "st", "v", "z", "gr", "m"), ("a", "o", "u", "i", "e")


def invented_symbol(claim: Claim, liar: Liar) -> Lie | None:
    """A name like those around it that occurs in neither tree."""
    key = liar.pick([one for one in ("where", "symbol", "name") if one in claim.fields])
    if key is None or claim.fields[key] == words.AT_MODULE or claim.form in (Form.VERDICT, Form.RISK, Form.MISS):
        return None
    name = invent(claim.fields[key], liar.rng)
    if not liar.facts.is_invented(last(name).strip("`")):
        return LEFT_OUT
    return lie(say(claim.with_fields({key: name}), liar.rng, naming=key))


def invent(like: str, rng: Random) -> str:
    """The last part replaced: in CamelCase, in snake_case, or grown out of the real one."""
    outer, dot, inner = like.rpartition(".")
    stems = ["".join(rng.choice(_ONSETS) + rng.choice(_NUCLEI) for _ in range(3)) for _ in range(2)]
    made = rng.choice([f"{inner}_{stems[0]}", "".join(one.title() for one in stems), "_".join(stems)])
    return f"{outer}{dot}{made}"


def other_scope(claim: Claim, liar: Liar) -> Lie | None:
    """A scope that another place of the ledger has, in a file that does not know the symbol."""
    if claim.place is None or is_module(claim.place.scope) or claim.form is Form.SUBCLASS:
        return None
    others = [one for one in liar.scene.places if one.path != claim.place.path and not is_module(one.scope)]
    other = liar.pick(sorted({one.scope for one in others if not _overlap(one.scope, claim.place.scope)}))
    if other is None:
        return None
    own = {*claim.place.path.removesuffix(".py").split("/"), *".".join(_symbols(claim.place, liar.scene)).split(".")}
    if last(other) in own:
        return LEFT_OUT  # the name of a scope there, and of the module here or of something that it is coupled to
    holders = [one for one in others if one.scope == other]
    if any(liar.facts.holds(one.path, claim.place.target) for one in holders):
        return LEFT_OUT
    return lie(say(claim.but(where=other), liar.rng, naming="where"))


def other_symbol(claim: Claim, liar: Liar) -> Lie | None:
    """A changed definition, what another place is coupled to, or a member that the file uses only the class of."""
    place = claim.place
    if place is None or claim.form not in COUPLINGS:
        return None
    if place.symbol != place.target and liar.rng.random() < 0.3:
        member = place.symbol
        if liar.facts.holds(place.path, member) or place.kind is EvidenceKind.SUBCLASS:
            return LEFT_OUT
        return lie(say(claim.but(symbol=member), liar.rng, naming="symbol"))
    known = {*liar.scene.definitions, *(one.symbol for one in liar.scene.places), *_symbols(place, liar.scene)}
    other = liar.pick(sorted(name for name in known if not _overlap(name, place.target)))
    if other is None:
        return None
    if _implements_an_operator(other, liar.scene) or liar.facts.holds(place.path, other):
        return LEFT_OUT
    written = liar.rng.choice([other, ".".join(other.split(".")[-2:])])
    return lie(say(claim.but(symbol=written), liar.rng, naming="symbol"))


def _implements_an_operator(symbol: str, scene: Scene) -> bool:
    """Said by the definition itself, or by an operator whose implementation it is: who registers that operator may be
    said to register in its place.
    """
    delta = scene.delta
    implemented = {(one.path, one.qualname) for one in delta.operators}
    return any(
        symbol == one.symbol and (one.operators or (one.path, one.qualname) in implemented) for one in delta.definitions
    )


def _symbols(place: Place, scene: Scene) -> tuple[str, ...]:
    return next((item.symbols for item in scene.ledger.items if item.id == place.home), ())


def _overlap(one: str, other: str) -> bool:
    """Equal last parts, or one encloses the other: then both may be meant."""
    return (
        last(one) == last(other) or f".{one}.".find(f".{last(other)}.") >= 0 or f".{other}.".find(f".{last(one)}.") >= 0
    )


def false_miss(claim: Claim, liar: Liar) -> Lie | None:
    """A word that the tree holds is said to have no hit, under the id of a true miss or of its own place."""
    names = sorted({last(one.target) for one in liar.scene.places} | {one.pattern for one in liar.scene.ledger.counts})
    name = liar.pick([one for one in names if liar.facts.occurs(one)])
    if claim.form is not Form.MISS or name is None:
        return None
    return lie(say(claim.but(symbol=name), liar.rng))
