"""Symbols: a scope belongs to a cited place, every other name resolves somewhere.

A name may come from a cited place or from the change. A name of an uncited place, or one that merely exists in a tree
while the clause makes a claim, is a wrong scope; one that exists nowhere is unknown.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from retrieval.models import MODULE_SCOPE
from reviewbot.couplings import place_id
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.claims import Polarity, find_claims, ids_beside
from reviewbot.verification.context import Context
from reviewbot.verification.names import part_of
from reviewbot.verification.reading import NameMention, Sentence

_LANGUAGE_WORDS = frozenset(dir(builtins)) | frozenset({"self", "cls", "std", "kwargs", "args", "def", "class"})


def symbols(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_SCOPE and UNKNOWN_NAME of every symbol in the sentence."""
    claimed = [
        (claim.clause_start, claim.clause_end)
        for claim in find_claims(sentence)
        if claim.polarity is Polarity.POSITIVE and context.cited_items(claim.ids)
    ]
    for mention in sentence.names:
        owner = _scope_of_another(mention, sentence, context)
        if owner is not None:
            message = words.scope_of_other(mention.name, owner)
            yield Finding(kind=FindingKind.WRONG_SCOPE, sentence=sentence.text, message=message)
            continue
        if _explained(mention, sentence, context):
            continue
        in_claim = any(start <= mention.start < end for start, end in claimed)
        yield from _judge(mention, sentence, context, in_claim=in_claim)
    yield from _plain_scopes(sentence, context)


def _plain_scopes(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_SCOPE for a scope of another place that is written like a word of prose: graph 引用了 …, graph 属于挂钩点.

    Such words are no symbols anywhere (`Context.vocabulary`), but right before a relation or a kind of place they say
    who has it.
    """
    fillers = context.lexicon["behind_scopes"].pattern
    for start, end, ids in _predicates(sentence, context):
        match = re.search(rf"(?<![A-Za-z0-9_.])([A-Za-z]\w*)(?:{fillers})*$", sentence.masked[start:end], re.ASCII)
        if match is None or match[1] not in context.lexicon.raw.common_words:
            continue
        items = context.cited_items(ids)
        if not items or any(context.item_goes_by(item, match[1]) for item in items):
            continue
        cited = {place_id(one) for one in ids}
        others = (item.id for item in context.ledger.items if item.id not in cited and _ends_in(item.scope, match[1]))
        if (owner := next(others, None)) is not None:
            message = words.scope_of_other(match[1], owner)
            yield Finding(kind=FindingKind.WRONG_SCOPE, sentence=sentence.text, message=message)


def _predicates(sentence: Sentence, context: Context) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each relation and each kind of place: where its clause begins, where its word does, the ids it rests on."""
    for claim in find_claims(sentence):
        yield claim.clause_start, claim.start, claim.ids
    for clause in sentence.clauses:
        for word in context.lexicon["about_places"].finditer(sentence.masked, clause.start, clause.end):
            yield clause.start, word.start(), ids_beside(sentence, word.start())


def _ends_in(scope: str, name: str) -> bool:
    return f".{scope}".endswith(f".{name}")


def _scope_of_another(mention: NameMention, sentence: Sentence, context: Context) -> str | None:
    """The id of a place that goes by this name, when the places of the clause do not.

    That a snippet holds the word says nothing: ``turn`` in the clause of a place that merely calls some ``turn``.
    """
    ids, name = ids_beside(sentence, mention.start), mention.name
    items = context.cited_items(ids)
    is_symbol = any(part_of(name, known) for known in context.known.definitions | context.coupled)
    if not items or (is_symbol and _is_in_claim(mention, sentence)):  # a claim's object is for relation_claims to judge
        return None
    if any(context.item_goes_by(item, name) for item in items):
        return None
    cited = {place_id(one) for one in ids}
    scopes = ((item.id, item.scope) for item in context.ledger.items if item.id not in cited)
    return next((one for one, scope in scopes if _ends_in(scope, name)), None)


def _is_in_claim(mention: NameMention, sentence: Sentence) -> bool:
    return any(one.clause_start <= mention.start < one.clause_end for one in find_claims(sentence))


def _explained(mention: NameMention, sentence: Sentence, context: Context) -> bool:
    """By a cited place or miss, by the change, or as a word of the language."""
    name = mention.name
    if context.is_plain(name) or set(name.split(".")) <= _LANGUAGE_WORDS or (mention.quoted and len(name) == 1):
        return True
    if any(context.item_knows(item, name) for item in context.cited_items(sentence.cited)):
        return True
    if any(context.miss_knows(miss, name) for miss in context.cited_misses(sentence.cited)):
        return True
    if context.known.in_change(name):
        return True
    return "." in name and _dotted_in_change(name, context)


def _dotted_in_change(name: str, context: Context) -> bool:
    """``aten.expand.default`` of a changed ``aten.expand``: an overload behind a name that the change has."""
    base = name.rpartition(".")[0]
    return name.startswith(("aten.", "prims.")) and "." in base and context.known.in_change(base)


def _judge(mention: NameMention, sentence: Sentence, context: Context, *, in_claim: bool) -> Iterator[Finding]:
    name = mention.name
    owner = _other_place(name, sentence, context)
    if owner is not None:
        message = words.scope_of_other(name, owner)
        yield Finding(kind=FindingKind.WRONG_SCOPE, sentence=sentence.text, message=message)
    elif not _exists(name, context):
        message = words.unknown_name(name)
        yield Finding(kind=FindingKind.UNKNOWN_NAME, sentence=sentence.text, message=message)
    elif in_claim:
        message = words.foreign_name(name)
        yield Finding(kind=FindingKind.WRONG_SCOPE, sentence=sentence.text, message=message)


def _other_place(name: str, sentence: Sentence, context: Context) -> str | None:
    """The id of an uncited place whose scope is, or ends in, ``name``."""
    cited = {place_id(one) for one in sentence.cited}
    for item in context.ledger.items:
        if item.id not in cited and item.scope != MODULE_SCOPE and part_of(name, item.scope):
            return item.id
    return None


def _exists(name: str, context: Context) -> bool:
    """As written, or as a dotted chain whose every part exists and whose last part belongs to the change."""
    if context.names.word_exists(name):
        return True
    if "." not in name:
        return False
    *outer, last = name.split(".")
    return context.known.in_change(last) and all(context.names.word_exists(part) for part in outer)
