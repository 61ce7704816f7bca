"""Classes of false sentences, and what a mutation takes and gives.

Contract: a mutation takes a true claim and a liar, and gives the clause of a false claim. ``None`` means that the
claim has nothing to get wrong in that way, ``LEFT_OUT`` that the outcome may be true after all. Replacements are real
(a path, a test, a scope that exists) unless the class is invention itself. Nothing here knows how a draft is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from evals.hostile.claims import Claim
from evals.hostile.scene import Scene
from evals.hostile.truth import Facts


class Falsehood(StrEnum):
    """One class of false sentence."""

    WRONG_PATH = "wrong_path"
    UPSTREAM_PATH = "upstream_path"
    WRONG_LINE = "wrong_line"
    WRONG_RELATION = "wrong_relation"
    LISTED_AS_REGISTERED = "listed_as_registered"
    NEGATION = "negation"
    WRONG_COUNT = "wrong_count"
    INVENTED_SYMBOL = "invented_symbol"
    OTHER_SCOPE = "other_scope"
    OTHER_SYMBOL = "other_symbol"
    FOREIGN_TEST = "foreign_test"
    SWAPPED_ID = "swapped_id"
    UNKNOWN_ID = "unknown_id"
    FALSE_MISS = "false_miss"
    UNCITED = "uncited"
    WRONG_DETAIL = "wrong_detail"
    WRONG_COPY_STATE = "wrong_copy_state"
    AGAINST_FLAGS = "against_flags"
    FALSE_CLOSENESS = "false_closeness"
    UPSTREAM_ACT = "upstream_act"
    NONSENSE = "nonsense"
    EFFECT = "effect"
    CONDITION = "condition"
    EVERYDAY_WORDS = "everyday_words"


#: What no code of ours can tell: docs/verification.md says why, class by class.
UNCOVERED = frozenset({Falsehood.EFFECT, Falsehood.CONDITION, Falsehood.EVERYDAY_WORDS})


@dataclass(frozen=True)
class Liar:
    """What a mutation may look at."""

    scene: Scene
    facts: Facts
    rng: Random

    def pick(self, choices: Sequence[str]) -> str | None:
        return self.rng.choice(choices) if choices else None


@dataclass(frozen=True, slots=True)
class Lie:
    """A false clause; ``text`` is None for one that may be true and was left out."""

    text: str | None


Mutation = Callable[[Claim, Liar], Lie | None]
LEFT_OUT = Lie(None)


def lie(text: str | None) -> Lie | None:
    """None for a claim that no phrase can word."""
    return Lie(text) if text else None
