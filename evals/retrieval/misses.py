"""Why a cited place is not in the ledger: one reason out of a closed list, decided from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evals.change_names import ChangeName, NameSource
from evals.measuring import SHORT, Measured
from evals.recall import Place
from evals.retrieval.oracle import Mentions
from retrieval.symbols import language_of

#: A name that this many downstream files hold tells nothing about any of them.
COMMON_FILES = 50
_MOST_NAMES = 3
_WEAK = frozenset({NameSource.TOUCHED, NameSource.MODULE})


class MissReason(StrEnum):
    """In the order in which they are tried."""

    CUT_BY_TOKENS = "cut_by_tokens"  # among the first items, past the token budget
    RANKED_BELOW = "ranked_below"  # found, further down
    OTHER_LANGUAGE = "other_language"  # no file of the change is in the place's language
    NAME_NOT_COUPLED = "name_not_coupled"  # writes a telling name of the change, yet the index does not feel it
    USED_NAME_NOT_COUPLED = "used_name_not_coupled"  # the same of a name the change uses, or of its module
    ONLY_COMMON_NAMES = "only_common_names"  # writes only names that are everywhere
    NO_NAME = "no_name"  # writes no name of the change


@dataclass(frozen=True, slots=True)
class Missed:
    """``rank`` is given for what was found, ``names`` (most telling first) for what only a search for words reaches.
    ``file_found`` says whether another scope of the file is in the ledger.
    """

    record: str
    place: Place
    reason: MissReason
    rank: int | None
    names: tuple[ChangeName, ...]
    file_found: bool


def misses_of(one: Measured, ranking: Sequence[Place], read: Mentions) -> list[Missed]:
    """The expected places that the default ledger of a record lacks. ``ranking`` is the record's in full."""
    ranks = {place: rank for rank, place in enumerate(ranking, 1)}
    files = {place.path for place in one.ranked.found}
    missed = []
    for place in one.ranked.missed(SHORT):
        names = sorted(
            read.places[place],
            key=lambda name: (name.files >= COMMON_FILES, name.source in _WEAK, name.files, name.word),
        )
        missed.append(
            Missed(
                record=one.ranked.id,
                place=place,
                reason=_reason(one, place, ranks.get(place), names),
                rank=ranks.get(place),
                names=() if place in ranks else tuple(names[:_MOST_NAMES]),
                file_found=place.path in files,
            )
        )
    return missed


def _reason(one: Measured, place: Place, rank: int | None, names: Sequence[ChangeName]) -> MissReason:
    if rank is not None:
        return MissReason.CUT_BY_TOKENS if rank <= SHORT else MissReason.RANKED_BELOW
    if language_of(place.path) not in one.languages:
        return MissReason.OTHER_LANGUAGE
    telling = [name for name in names if name.files < COMMON_FILES]
    if any(name.source not in _WEAK for name in telling):
        return MissReason.NAME_NOT_COUPLED
    if telling:
        return MissReason.USED_NAME_NOT_COUPLED
    return MissReason.ONLY_COMMON_NAMES if names else MissReason.NO_NAME
