"""Second part of the paragraph: what was found, each place by its ledger id, and what was searched in vain."""

from __future__ import annotations

from retrieval.models import Relation
from reviewbot.couplings import place_id
from reviewbot.drafting.brief import Brief
from reviewbot.drafting.lines import Line, is_near, line_of
from reviewbot.drafting.phrases import placeholders
from reviewbot.drafting.piece import ESSENTIAL, Piece
from reviewbot.rubric.situation import Contact

_MOST_DIRECT = 4
_MOST_NEAR = 2
_MOST_IDS = 3
_MOST_FAR_IDS = 2
_FAR = frozenset({Relation.TOUCHED, Relation.SAME_NAME, Relation.AKIN, Relation.ABOUT, Relation.SAME_PACKAGE})
_MOST_MISSES = 5
_MOST_MISSES_BESIDE_HITS = 3
_KEY_WEIGHTS = (88, 76)
_DIRECT_WEIGHT = 54
_NEAR_WEIGHT = 10
#: Of places that are only near, the ones to tell first stand last.
_NEARNESS = (
    Relation.ABOUT,
    Relation.TOUCHED,
    Relation.SAME_NAME,
    Relation.SAME_PACKAGE,
    Relation.AKIN,
    Relation.SAME_MODULE,
    Relation.SIBLING,
    Relation.CONSUMER,
    Relation.HEIR,
    Relation.ENCLOSING,
    Relation.REPLACEMENT,
    Relation.SAME_FLAG,
    Relation.MEMBER,
    Relation.SAME_OPERATOR,
    Relation.SAME_SYMBOL,
)
#: A second sentence on what is only near is worth its room from here on.
_CLOSE = _NEAR_WEIGHT + _NEARNESS.index(Relation.SAME_MODULE)

_Places = list[tuple[Line, Contact]]


def findings(brief: Brief) -> list[Piece]:
    """The hit sentences in the order of the ledger and one sentence of counted misses, first when no hit is direct.

    A place is told by its strongest coupling, and by another where the verdict rests on that one. Where there are too
    many, the top item and the places the verdict rests on are told before others.
    """
    groups: dict[tuple[object, ...], _Places] = {}
    key = _key_ids(brief)
    for contact in brief.situation.contacts:
        if contact.item.id in key or contact.item.id == place_id(contact.item.id):
            line = line_of(brief, contact)
            groups.setdefault(line.shared, []).append((line, contact))
    told = _chosen(brief, list(groups.values()))
    pieces = [Piece(_sentence(brief, places), weight) for places, weight in told]
    beside_hits = any(not is_near(places[0][1]) for places, _ in told)
    misses = _misses(brief, beside_hits=beside_hits, alone=not pieces)
    return pieces + misses if beside_hits else misses + pieces


def _key_ids(brief: Brief) -> set[str]:
    """What the verdict rests on. A rule without an effect only lists what is near and rests on none of it."""
    return {contact.item.id for contact in brief.key} if brief.consequence.effect else set()


def _chosen(brief: Brief, groups: list[_Places]) -> list[tuple[_Places, int]]:
    """The groups to tell with their weights, in the order of the ledger."""
    key = _key_ids(brief)
    top = brief.ledger.items[0].id if brief.ledger.items else ""
    direct: list[tuple[_Places, int]] = []
    near: list[tuple[_Places, int]] = []
    keys = iter(_KEY_WEIGHTS)
    for places in groups:
        ids = {contact.item.id for _, contact in places}
        first = places[0][1]
        if top in ids:
            weight = ESSENTIAL + 7
        elif ids & key:
            weight = next(keys, _DIRECT_WEIGHT)
        else:
            weight = _NEAR_WEIGHT + _NEARNESS.index(first.item.relation) if is_near(first) else _DIRECT_WEIGHT
        (near if is_near(first) else direct).append((places, weight))
    kept = sorted(direct, key=lambda told: -told[1])[:_MOST_DIRECT]
    near.sort(key=lambda told: -told[1])
    kept += [told for at, told in enumerate(near[:_MOST_NEAR]) if told[1] >= (_CLOSE if at or direct else 0)]
    return sorted(kept, key=lambda told: groups.index(told[0]))


def _sentence(brief: Brief, places: _Places) -> str:
    """One sentence for places that share a line: their ids, and their scopes or names as far as the phrase asks."""
    line = places[0][0]
    shown = places[: _MOST_IDS if places[0][1].item.relation not in _FAR else _MOST_FAR_IDS]
    given = {
        "ids": brief.bracketed([contact for _, contact in shown], _MOST_IDS),
        "scopes": brief.phrases.joined([one.scope for one, _ in shown]),
        "names": brief.phrases.joined([one.name for one, _ in shown]),
        **dict(line.values),
    }
    asked = placeholders(brief.phrases.phrases[line.phrase])
    said = brief.phrases.say(line.phrase, **{name: text for name, text in given.items() if name in asked})
    return brief.clauses([said, *line.tail])


def _misses(brief: Brief, *, beside_hits: bool, alone: bool) -> list[Piece]:
    misses = brief.ledger.misses[: _MOST_MISSES_BESIDE_HITS if beside_hits else _MOST_MISSES]
    if not misses:
        return []
    ids = brief.comma.join(f"[{miss.id}]" for miss in misses)
    told = brief.phrases.say("misses" if beside_hits else "misses_alone", ids=ids)
    return [Piece(told, ESSENTIAL + 6 if alone else 50)]
