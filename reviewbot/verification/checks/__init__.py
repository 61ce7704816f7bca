"""The checks of one sentence, in the order in which their objections are listed.

Each is a pure function ``(sentence, context) -> iterable of Finding``; each kind of finding comes from one module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reviewbot.models import Finding
from reviewbot.verification.checks.acts import acts
from reviewbot.verification.checks.bearing import bearing
from reviewbot.verification.checks.citations import uncited_claims, unknown_ids
from reviewbot.verification.checks.contact import contact
from reviewbot.verification.checks.counts import counts
from reviewbot.verification.checks.details import details
from reviewbot.verification.checks.flags import against_flags
from reviewbot.verification.checks.instructions import repeated_instructions
from reviewbot.verification.checks.language import not_chinese
from reviewbot.verification.checks.places import lines, paths
from reviewbot.verification.checks.relations import relation_claims
from reviewbot.verification.checks.symbols import symbols
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence

Check = Callable[[Sentence, Context], Iterable[Finding]]

SENTENCE_CHECKS: tuple[Check, ...] = (
    not_chinese,
    repeated_instructions,
    unknown_ids,
    uncited_claims,
    bearing,
    paths,
    lines,
    symbols,
    counts,
    relation_claims,
    contact,
    details,
    acts,
    against_flags,
)
