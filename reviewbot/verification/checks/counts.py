"""Counts: every number of places, lines, files and tests is one that was measured.

What a number may be depends on what it stands beside: the ids of its clause, the counted symbols it names, the files of
the change. A change whose diff is a part allows no statement of size at all. The trap is a true number of something
else, so totals of the whole ledger count only behind 共, and what was cut only behind 另有.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.models import EvidenceItem
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.claims import find_claims, ids_beside
from reviewbot.verification.context import Context
from reviewbot.verification.names import fits, part_of
from reviewbot.verification.quantities import (
    Counted,
    Quantity,
    Size,
    find_percentages,
    find_quantities,
    find_sizes,
)
from reviewbot.verification.reading import Sentence, has_word
from reviewbot.verification.sentences import Clause
from reviewbot.verification.subject import mentions_downstream, speaks_of_upstream


def counts(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_COUNT of every quantity, size and percentage in the sentence."""
    sizes = list(find_sizes(sentence))
    for size in sizes:
        if not context.change.diff_complete:
            yield _finding(sentence, words.no_size(size.text))
        elif not _size_is_measured(size, sentence, context):
            yield _finding(sentence, words.wrong_count(size.text))
    for quantity in find_quantities(sentence):
        if quantity.counted is Counted.LINES and any(_same_text(size, quantity) for size in sizes):
            continue
        if quantity.number not in _allowed(quantity, sentence, context):
            upstream = quantity.counted in (Counted.LINES, Counted.FILES) and not sentence.cited
            partial = upstream and not context.change.diff_complete
            message = words.no_size(quantity.text) if partial else words.wrong_count(quantity.text)
            yield _finding(sentence, message)
    if sentence.cited or mentions_downstream(sentence, context):
        for percentage in find_percentages(sentence):
            yield _finding(sentence, words.wrong_count(percentage))


def _finding(sentence: Sentence, message: str) -> Finding:
    return Finding(kind=FindingKind.WRONG_COUNT, sentence=sentence.text, message=message)


def _same_text(size: Size, quantity: Quantity) -> bool:
    return size.start <= quantity.start < size.start + len(size.text)


# --- sizes of the change ----------------------------------------------------------------------------------------------


def _size_is_measured(size: Size, sentence: Sentence, context: Context) -> bool:
    return any(
        (size.added is None or size.added == added) and (size.removed is None or size.removed == removed)
        for added, removed in _sizes(sentence, context)
    )


def _sizes(sentence: Sentence, context: Context) -> Iterator[tuple[int, int]]:
    """(added, removed) of what the sentence is about: the files or definitions it names, and the change as a whole."""
    change = context.change
    yield change.added, change.removed
    for file in change.files:
        if any(fits(mention.path, file.path) or fits(mention.path, file.base_path) for mention in sentence.paths):
            yield file.added, file.removed
    named = {name.name for name in sentence.names}
    for definition in context.delta.definitions:
        if any(part_of(name, definition.symbol) or part_of(name, definition.old_symbol) for name in named):
            yield definition.added, definition.removed


# --- quantities -------------------------------------------------------------------------------------------------------


def _allowed(quantity: Quantity, sentence: Sentence, context: Context) -> set[int]:
    if quantity.counted is Counted.TESTS:
        return _tests(context)
    clause = next(one for one in sentence.clauses if one.start <= quantity.start < one.end)
    ids = ids_beside(sentence, quantity.start)
    items = context.cited_items(ids)
    allowed = _of_change(quantity, sentence, context) if not sentence.cited else set()
    if quantity.counted is Counted.FILES:
        return allowed | _files(items, ids, sentence, context)
    if quantity.counted is Counted.LINES:
        sizes = [added + removed for added, removed in _sizes(sentence, context)]
        allowed |= set(sizes) if context.change.diff_complete else set()
        return allowed | ({_line_total(items)} if items else set()) | _counted_lines(sentence, context)
    return allowed | _places(items, quantity, clause, sentence, context)


def _places(
    items: tuple[EvidenceItem, ...], quantity: Quantity, clause: Clause, sentence: Sentence, context: Context
) -> set[int]:
    """Cited places, those of the kind the clause names, their lines, counted symbols; totals behind 共 and 另有.

    [E1]、[E2] 共 9 处 counts what it cites; only a 共 that no id stands before counts everything.
    """
    start, end = clause.start, clause.end
    whole = context.lexicon["in_all"].search(sentence.masked, start, end) is not None
    whole = whole and not sentence.ids_in(start, quantity.start)
    allowed = {count.lines for count in context.ledger.counts if whole and has_word(clause.text, count.pattern)}
    before = list(_groups_before(start, sentence, context))
    groups = before if before and not whole else [items, *before]
    for claim in find_claims(sentence):
        if claim.clause_start >= start and claim.clause_end <= end and claim.relation.kinds is not None:
            kinds = claim.relation.kinds
            groups.append(tuple(one for one in context.couplings(items) if kinds & set(one.kinds)))
            if whole:
                allowed.add(sum(number for kind, number in context.ledger.totals.by_kind.items() if kind in kinds))
    for group in groups:
        if group:
            allowed |= {_place_total(group), _line_total(group)}
    totals = context.ledger.totals
    if whole:
        allowed |= {totals.found, totals.shown}
    if context.lexicon["more_than_shown"].search(sentence.masked, start, end):
        allowed |= {totals.cut, totals.found - _place_total(items)}
    if context.cited_misses(sentence.cited) and not items:
        allowed.add(0)
    return allowed


def _groups_before(start: int, sentence: Sentence, context: Context) -> Iterator[tuple[EvidenceItem, ...]]:
    """For a clause without ids the places of the nearest clause before it that has some: 引用见 [E1]、[E2]，计 2 处."""
    if not any(clause.start == start and sentence.ids_in(clause.start, clause.end) for clause in sentence.clauses):
        for clause in reversed(sentence.clauses):
            if clause.end <= start and (ids := sentence.ids_in(clause.start, clause.end)):
                yield context.cited_items(ids)
                return


def _place_total(items: tuple[EvidenceItem, ...]) -> int:
    """Scopes: two couplings of one scope are one place."""
    return len({(item.path, item.scope) for item in items})


def _line_total(items: tuple[EvidenceItem, ...]) -> int:
    return len({(item.path, line) for item in items for line in item.lines})


def _counted_lines(sentence: Sentence, context: Context) -> set[int]:
    return {count.lines for count in context.ledger.counts if sentence.mentions(count.pattern)}


def _files(items: tuple[EvidenceItem, ...], ids: tuple[str, ...], sentence: Sentence, context: Context) -> set[int]:
    allowed = {len({item.path for item in items})} if items else set()
    allowed |= {miss.files for miss in context.cited_misses(ids)}
    allowed |= {count.files for count in context.ledger.counts if sentence.mentions(count.pattern)}
    if context.lexicon["in_all"].search(sentence.masked) or context.cited_misses(ids):
        allowed.add(context.ledger.totals.files_searched)
    return allowed


def _of_change(quantity: Quantity, sentence: Sentence, context: Context) -> set[int]:
    """What an uncited sentence on upstream may count: files, definitions and hunks of the change, names it lists."""
    if not speaks_of_upstream(sentence, context) and mentions_downstream(sentence, context):
        return set()
    change = context.change
    if quantity.counted is Counted.FILES:
        tests = sum(file.nature.value == "test" for file in context.delta.files)
        total = len(change.files)
        return {total, total - tests, tests} if change.diff_complete else set()
    if quantity.counted is Counted.PLACES:
        hunks = sum(len(file.hunks) for file in change.files)
        named = len({name.name for name in sentence.names})
        return {len(context.delta.definitions), named} | ({hunks} if change.diff_complete else set())
    return set()


def _tests(context: Context) -> set[int]:
    added = {test.scope for test in context.delta.tests if test.kind.value == "added"}
    return {len(added), len(context.delta.tests), len(context.change.test_names)}
