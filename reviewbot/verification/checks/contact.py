"""Contact: who says that a place touches what was changed cites a place that does.

A hook on the same module is near and touches nothing of the change: 命中被改符号 would turn a neighbour into a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.closeness import DIRECT
from retrieval.models import Relation
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence

#: Who runs in the place of upstream's body stands for the changed symbol, too.
_CONTACT = DIRECT | {Relation.REPLACEMENT}
_DENIED = r"[^\uff0c\u3002\uff1b]{0,4}"


def contact(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_RELATION for 命中被改符号 and the like, where the places of the clause are only near."""
    for clause in sentence.clauses:
        prose = sentence.masked[clause.start : clause.end]
        said = context.lexicon["in_contact"].search(prose)
        if said is None or _is_denied(prose[: said.start()], context):
            continue
        touching = _CONTACT | ({Relation.ENCLOSING} if context.lexicon["whole_class"].search(said.group()) else set())
        near = [
            item.id
            for item in context.cited_items(sentence.ids_in(clause.start, clause.end) or sentence.cited)
            if not any(one.relation in touching for one in context.couplings([item]))
        ]
        if near:
            message = words.not_in_contact(said.group(), near)
            yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


def _is_denied(before: str, context: Context) -> bool:
    negators = context.lexicon["negators"].finditer(before)
    return any(re.fullmatch(_DENIED, before[negator.end() :]) for negator in negators)
