"""Puts claims into words: one of the phrases that the claim has values for, by a seeded choice.

Contract: ``say`` returns a clause without its end mark, ``None`` when no phrase of the form can be filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random
from string import Formatter

from evals.hostile import words
from evals.hostile.claims import Claim

_BETWEEN_HAN = re.compile(r"(?<=[\u4e00-\u9fff\uff0c\uff08\uff09]) +(?=[\u4e00-\u9fff\uff0c\uff08\uff09])")


def fields_of(phrase: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(phrase) if name)


def say(claim: Claim, rng: Random, *, naming: str = "") -> str | None:
    """The claim in one of its wordings; with ``naming`` in one that holds that field."""
    phrases = words.DENIALS if claim.denied else words.PHRASES[claim.form]
    return fill(phrases, claim, rng, naming=naming)


def fill(phrases: Sequence[str], claim: Claim, rng: Random, *, naming: str = "") -> str | None:
    given = {"verb": words.VERBS.get(claim.form, ""), **claim.fields}
    fit = [one for one in phrases if fields_of(one) <= given.keys() and (not naming or naming in fields_of(one))]
    return rng.choice(fit).format(**given) if fit else None


def sentence(clauses: Iterable[str], rng: Random) -> str:
    """Clauses joined to one sentence with its end mark; no blank between two Chinese characters."""
    first, *others = clauses
    joined = first + "".join(rng.choice(words.JOINTS) + one for one in others) + words.END
    return _BETWEEN_HAN.sub("", joined)
