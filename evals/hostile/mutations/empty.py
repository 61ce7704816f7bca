"""What says nothing of any place, behind the id of a real one."""

from __future__ import annotations

from evals.hostile import words
from evals.hostile.claims import COUPLINGS, Claim
from evals.hostile.lies import Liar, Lie, lie
from evals.hostile.phrasing import fill


def nonsense(claim: Claim, liar: Liar) -> Lie | None:
    """A sentence of small talk that borrows the id of a true claim."""
    return lie(fill(words.NONSENSE, claim, liar.rng)) if claim.form in COUPLINGS else None
