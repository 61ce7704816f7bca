"""Bearing: a sentence that cites something says something of it.

An id proves nothing by standing behind a sentence. Whoever cites names what he cites (its path, its scope, what it is
coupled to, what changed or was counted), or says how it is coupled, how many there are, or what that asks of torch_npu.
Advice is free of this: what to run is no statement about a place.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.claims import find_claims
from reviewbot.verification.context import Context
from reviewbot.verification.names import fits
from reviewbot.verification.quantities import find_quantities
from reviewbot.verification.reading import Sentence
from reviewbot.verification.statements import Statements, read_statements
from reviewbot.verification.subject import advises

#: Patterns of the lexicon that say something of a cited place by themselves.
_SAID = (
    "about_places",
    "calls_original",
    "signature_same",
    "signature_differs",
    "copy_carries_old_code",
    "copy_already_synced",
    "copy_diverged",
    "in_contact",
    "unrelated",
)
#: Where a statement may end; behind a colon or an arrow it goes on.
_COMMAS = ("\uff0c", ",")


def bearing(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """UNCITED_CLAIM for a sentence with ids that have nothing to do with what it says, clause by clause."""
    if _asks(sentence, context):
        return
    for unit in _units(sentence, context):
        known = [one for one in unit.cited if one in context.items or one in context.misses]
        if known and not _names(unit, context) and not _states(unit, context):
            yield Finding(kind=FindingKind.UNCITED_CLAIM, sentence=sentence.text, message=words.says_nothing_of(known))


def _units(sentence: Sentence, context: Context) -> Iterator[Sentence]:
    """What stands between commas, read alone; what only points (见 [E3]) belongs to what is before it, bare ids to what
    is behind.
    """
    text = ""
    for clause in sentence.clauses:
        points = context.lexicon["pointers"].match(sentence.masked, clause.start) is not None
        if text.rstrip().endswith(_COMMAS) and not points and not _is_bare(context.read(text)):
            yield context.read(text)
            text = ""
        text += clause.text
    if text:
        yield context.read(text)


def _is_bare(unit: Sentence) -> bool:
    """Nothing but ids and marks."""
    return not any(letter.isalnum() for letter in unit.masked) and not unit.names and not unit.paths


def _asks(sentence: Sentence, context: Context) -> bool:
    """Advice, or a task: 待确认项：比对 [E1] 与上游新实现."""
    if advises(sentence, context):
        return True
    prose = sentence.masked.lstrip()
    lead = context.lexicon["task_leads"].match(prose)
    return lead is not None and context.lexicon["verification_verbs"].search(prose, lead.end()) is not None


def _names(sentence: Sentence, context: Context) -> bool:
    """A path or symbol of what is cited, or of the change."""
    items, misses = context.cited_items(sentence.cited), context.cited_misses(sentence.cited)
    if any(fits(mention.path, item.path) for mention in sentence.paths for item in items):
        return True
    if any(context.in_change(mention.path) for mention in sentence.paths):
        return True
    return any(
        context.known.in_change(mention.name)
        or any(context.item_knows(item, mention.name) for item in items)
        or any(context.miss_knows(miss, mention.name) for miss in misses)
        for mention in sentence.names
        if not context.is_plain(mention.name)
    )


def _states(sentence: Sentence, context: Context) -> bool:
    """A relation, a number, a measured detail, or what the flags say too."""
    if find_claims(sentence) or any(find_quantities(sentence)):
        return True
    if any(context.lexicon[name].search(sentence.masked) for name in _SAID):
        return True
    if all(context.lexicon[name].search(sentence.masked) for name in ("lacks", "parameter_words")):
        return True
    return read_statements(sentence, context) != Statements()
