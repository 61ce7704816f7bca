"""Relations: the word, its polarity and the names it joins must be those of the cited places.

A claim is proved by the ids of its own clause, or of the sentence when the clause has none. A positive claim needs a
cited place of the right kind and none of a wrong one, and kind and name have to meet in one coupling: a place that
patches one function and imports another does not import the first. A negative claim needs a counted miss for each name
it denies, and no cited place that contradicts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.models import EvidenceItem, EvidenceKind, Relation
from reviewbot.models import RELATION_WORDS, Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.claims import Claim, Polarity, find_claims
from reviewbot.verification.context import Context
from reviewbot.verification.names import part_of
from reviewbot.verification.reading import BLANK, NameMention, Sentence
from reviewbot.verification.subject import advises, speaks_of_upstream
from reviewbot.words import EVIDENCE_KIND_WORDS

_PLAIN = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_LISTED = rf"{_PLAIN.pattern}(?:[\s`]*[^\w\s.()\[\]\uff08\uff09\u3010\u3011\uff0c]+[\s`]*{_PLAIN.pattern})*"
_BEFORE_COUNT = re.compile(rf"({_LISTED})[\s`]*(?:0|\u96f6)\s*$", re.ASCII)
_OBJECT_OF = re.compile(rf"\u5bf9[\s`]*({_LISTED})[\s`]*\u7684[\u4e00-\u9fff\s]{{0,4}}$", re.ASCII)
_BEHIND_WORD = re.compile(rf"[\s`]*({_LISTED})", re.ASCII)
_USES = frozenset({EvidenceKind.REFERENCE, EvidenceKind.IMPORT, EvidenceKind.PATCH, EvidenceKind.REGISTRATION})
_HOLDS_MEMBERS = frozenset({EvidenceKind.SUBCLASS, EvidenceKind.OVERRIDE, EvidenceKind.FORK, EvidenceKind.TEST_COPY})
_NEARBY = frozenset(
    {
        *(Relation.SIBLING, Relation.CONSUMER, Relation.HEIR, Relation.AKIN, Relation.ABOUT),
        *(Relation.SAME_MODULE, Relation.SAME_PACKAGE),
    }
)


def relation_claims(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_RELATION and WRONG_POLARITY of every claim in the sentence."""
    claims = find_claims(sentence)
    yield from _chain(sentence, context)
    if not sentence.cited and speaks_of_upstream(sentence, context):
        return
    for claim in claims:
        if not any(one in context.items or one in context.misses for one in claim.ids):
            if advises(sentence, context):
                yield from _in_general(claim, sentence, context)
            continue  # no id to check against: uncited_claims speaks
        if claim.polarity is Polarity.UNCLEAR:
            message = words.unclear_polarity(claim.relation.word)
            yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)
        elif claim.polarity is Polarity.NEGATIVE:
            yield from _denied(claim, sentence, context)
        else:
            yield from _asserted(claim, _same_clause(claim, claims), sentence, context)


def _same_clause(claim: Claim, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Positive claims that share the clause of ``claim``, itself included."""
    return tuple(
        other for other in claims if other.polarity is Polarity.POSITIVE and other.clause_start == claim.clause_start
    )


def _chain(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """耦合链路：symbol → place → effect: the symbol is one that the cited place is about."""
    if not context.lexicon["chain_leads"].match(sentence.masked) or not sentence.ids:
        return
    items = context.cited_items(sentence.cited)
    for name in sentence.names_in(0, sentence.ids[0].start):
        if not context.is_plain(name.name) and not any(_about(name.name, item, context) for item in items):
            message = words.other_symbol(name.name, [item.id for item in items])
            yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


def _in_general(claim: Claim, sentence: Sentence, context: Context) -> Iterator[Finding]:
    """A risk or impact that names a kind of coupling without a place: the ledger has such a place."""
    kinds, word = claim.relation.kinds, claim.relation.word
    if claim.polarity is not Polarity.POSITIVE:
        yield Finding(kind=FindingKind.UNCITED_CLAIM, sentence=sentence.text, message=words.uncited())
    elif kinds is not None and not any(kinds & set(item.kinds) for item in context.ledger.items):
        message = words.no_such_place(word)
        yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


# --- asserted ---------------------------------------------------------------------------------------------------------


def _asserted(claim: Claim, beside: tuple[Claim, ...], sentence: Sentence, context: Context) -> Iterator[Finding]:
    word = claim.relation.word
    items = context.cited_items(claim.ids)
    if not items:
        message = words.positive_without_hit(word)
        yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)
        return
    kinds = claim.relation.kinds
    if kinds is not None and not any(kinds & _kinds(item, context) for item in items):
        message = words.wrong_relation(word, [_found(item, word) for item in items])
        yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)
        return
    said = _kinds_said(beside)
    if kinds is not None:
        for item in items:
            if not said & _kinds(item, context):
                message = words.wrong_relation(word, [_found(item, word)])
                yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)
    couplings = _meant(said, items, context)
    for name in _coupled_names(claim, items, sentence, context):
        if not any(_about(name.name, one, context) for one in couplings):
            message = words.other_symbol(name.name, [item.id for item in items])
            yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


def _meant(
    said: frozenset[EvidenceKind], items: tuple[EvidenceItem, ...], context: Context
) -> tuple[EvidenceItem, ...]:
    """Couplings of the cited places that the clause may speak of: those of the kinds it names, or all of a place."""
    meant: list[EvidenceItem] = []
    for item in items:
        meant += [one for one in context.couplings([item]) if said & _sayable(one)] or [item]
    return tuple(meant)


def _found(item: EvidenceItem, word: str) -> tuple[str, str]:
    """Id and what the place is instead, in Chinese."""
    listed = item.kind is EvidenceKind.REGISTRATION and item.kind in RELATION_WORDS.get(word, ())
    return item.id, words.LISTED if listed else EVIDENCE_KIND_WORDS[item.kind]


def _kinds(item: EvidenceItem, context: Context) -> frozenset[EvidenceKind]:
    """What may be said of a place with all its couplings."""
    return frozenset[EvidenceKind]().union(*(_sayable(one) for one in context.couplings([item])))


def _sayable(coupling: EvidenceItem) -> frozenset[EvidenceKind]:
    """What may be said of one coupling: an operator that only stands in a list is not registered there."""
    return frozenset(coupling.kinds) - ({EvidenceKind.REGISTRATION} if coupling.detail.listed else set())


def _kinds_said(claims: tuple[Claim, ...]) -> frozenset[EvidenceKind]:
    """Kinds that the relation words of one clause may stand for."""
    said: frozenset[EvidenceKind] = frozenset()
    return said.union(*(claim.relation.kinds for claim in claims if claim.relation.kinds is not None))


def _coupled_names(
    claim: Claim, items: tuple[EvidenceItem, ...], sentence: Sentence, context: Context
) -> tuple[NameMention, ...]:
    """Names in the clause that the delta lists or a place is coupled to: a claim that names them is about them.

    The scope of a cited place is the subject, not the object.
    """
    objects = context.known.definitions | context.coupled
    return tuple(
        name
        for name in sentence.names_in(claim.clause_start, claim.clause_end)
        if not context.is_plain(name.name)
        and any(part_of(name.name, known) for known in objects)
        and not any(part_of(name.name, item.scope) for item in items)
        and not context.lexicon["subclass_of"].search(sentence.masked, name.end, claim.clause_end)
    )


def _about(name: str, item: EvidenceItem, context: Context) -> bool:
    """The item is about ``name``, about a member of it, or about the operator it implements; a subclass also about
    each member of its base, while whoever only uses a class does not use all that is in it."""
    if item.relation is Relation.ENCLOSING and item.kind in _USES and _beyond(name, item):
        return False
    if item.relation is Relation.HEIR:  # the cited line holds a downstream subclass of it
        return part_of(name, item.token)
    if context.item_knows(item, name):
        return True
    if any(_ends(name, symbol) for operator in item.detail.operators for symbol in context.implementers(operator)):
        return True
    return any(
        part_of(name, known)
        and (symbol.startswith(f"{known}.") or (item.kind in _HOLDS_MEMBERS and known.startswith(f"{symbol}.")))
        for symbol in (item.symbol, *item.symbols)
        for known in context.known.definitions
    )


def _ends(name: str, symbol: str) -> bool:
    return f".{symbol}".endswith(f".{name}")


def _beyond(name: str, item: EvidenceItem) -> bool:
    """``name`` ends in what a symbol has behind the word that the cited line holds: the member, not its class."""
    last = name.rpartition(".")[2]
    meant = [symbol.split(".") for symbol in item.symbols if part_of(name, symbol)]
    return any(item.token in parts and last in parts[parts.index(item.token) + 1 :] for parts in meant)


# --- denied -----------------------------------------------------------------------------------------------------------


def _denied(claim: Claim, sentence: Sentence, context: Context) -> Iterator[Finding]:
    word = claim.relation.word
    items, misses = context.cited_items(claim.ids), context.cited_misses(claim.ids)
    against = [item.id for item in items if not _may_be_denied(claim, item, context, with_miss=bool(misses))]
    if against:
        message = words.negative_with_hit(word, against)
        yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)
        return
    if not misses:
        yield from _denied_without_miss(claim, items, sentence, context)
        return
    for name in sorted(_denied_names(claim, sentence, context) | _plain_words(claim, sentence, context)):
        known = any(context.miss_counts(miss, name) for miss in misses)
        if not known and not any(context.item_knows(item, name) for item in items):
            message = words.not_counted(name, [miss.id for miss in misses])
            yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)


def _denied_without_miss(
    claim: Claim, items: tuple[EvidenceItem, ...], sentence: Sentence, context: Context
) -> Iterator[Finding]:
    """A near place bears that it does not touch what it is not coupled to; what the whole tree lacks takes a miss."""
    own = bool(sentence.ids_in(claim.clause_start, claim.clause_end))
    for name in sorted(_names_denied_in(claim.clause_start, claim.clause_end, claim, sentence, context)):
        holders = [one.id for one in items if any(part_of(name, symbol) for symbol in one.symbols)]
        if holders:
            message = words.negative_with_hit(claim.relation.word, holders)
            yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)
        elif not own:
            message = words.not_counted(name, [one.id for one in items])
            yield Finding(kind=FindingKind.WRONG_POLARITY, sentence=sentence.text, message=message)


def _may_be_denied(claim: Claim, item: EvidenceItem, context: Context, *, with_miss: bool) -> bool:
    """A cited place in a denial: a neighbour that touches no changed symbol, or the owner of what a miss denies."""
    kinds = claim.relation.kinds
    contradicted = kinds is not None and bool(kinds & _kinds(item, context))
    if not contradicted and all(one.relation in _NEARBY for one in context.couplings([item])):
        return True
    return with_miss and kinds is not None and not contradicted


def _plain_words(claim: Claim, sentence: Sentence, context: Context) -> set[str]:
    """English words of the clause that the denial could be about, and the words right beside it, whatever they are."""
    prose = sentence.masked[claim.clause_start : claim.clause_end]
    common = set(context.lexicon.raw.common_words)
    words_there = {word for word in _PLAIN.findall(prose) if len(word) > 1 and word.islower() and word not in common}
    before = _BEFORE_COUNT.search(sentence.text, claim.clause_start, claim.start)
    after = _BEHIND_WORD.match(sentence.text, claim.end, claim.clause_end)
    spoken_of = _OBJECT_OF.search(sentence.text, claim.clause_start, claim.start)
    beside = [word for match in (before, after, spoken_of) if match for word in _PLAIN.findall(match.group(1))]
    return words_there | {word for word in beside if not context.is_plain(word)}


def _denied_names(claim: Claim, sentence: Sentence, context: Context) -> set[str]:
    """Symbols that the denial names: those of its clause, else those of the nearest clause before it that has some.

    What only says where a symbol lives (Gear 的 turn) is not denied itself.
    """
    clauses = [clause for clause in sentence.clauses if clause.start < claim.clause_end]
    for clause in reversed(clauses):
        named = _names_denied_in(clause.start, min(clause.end, claim.clause_end), claim, sentence, context)
        if named:
            return named
    return set()


def _names_denied_in(start: int, end: int, claim: Claim, sentence: Sentence, context: Context) -> set[str]:
    return {
        name.name
        for name in sentence.names_in(start, end)
        if not context.is_plain(name.name) and not _is_owner(name, claim, sentence, context)
    }


def _is_owner(name: NameMention, claim: Claim, sentence: Sentence, context: Context) -> bool:
    """Something of it is spoken of; 对 foo 的引用 speaks of foo itself."""
    mark = context.lexicon["owner_marks"].match(sentence.masked, name.end)
    return mark is not None and sentence.masked[mark.end() : claim.start].strip(f"{BLANK} ") != ""
