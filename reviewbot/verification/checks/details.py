"""Couplings in detail: signature, call-back, missing parameters and state of copies as the ledger measured them.

A ledger that cannot tell (null) proves neither reading: only the measured value may be stated. Where several couplings
meet in a cited place, the one that the sentence names is the one it speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.models import CopyState, EvidenceItem, EvidenceKind
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.names import part_of
from reviewbot.verification.reading import Sentence, has_word
from reviewbot.verification.sentences import Clause


def details(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_RELATION for a statement on signature, call-back or parameters that no cited place bears out."""
    for clause in sentence.clauses:
        cited = context.cited_items(sentence.ids_in(clause.start, clause.end) or sentence.cited)
        items = tuple(one for item in cited for one in _meant(item, sentence, context))
        if items:
            yield from _signature(sentence, clause, items, context)
            yield from _call_back(sentence, clause, items, context)
            yield from _missing_parameters(sentence, clause, items, context)
        yield from _copy_state(sentence, clause, context)


def _meant(item: EvidenceItem, sentence: Sentence, context: Context) -> tuple[EvidenceItem, ...]:
    """The couplings of a place that the sentence names; its strongest, when it names none or that one as well."""
    said = {_last(name.name) for name in sentence.names if not part_of(name.name, item.scope)}
    strongest, *others = context.couplings([item])
    named = [one for one in others if _last(one.symbol) in said - {_last(strongest.symbol)}]
    return tuple(named) if named and _last(strongest.symbol) not in said else (strongest, *named)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _finding(sentence: Sentence, message: str) -> Finding:
    return Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


def _signature(
    sentence: Sentence, clause: Clause, items: tuple[EvidenceItem, ...], context: Context
) -> Iterator[Finding]:
    prose = sentence.masked[clause.start : clause.end]
    differs = context.lexicon["signature_differs"].search(prose)
    same = context.lexicon["signature_same"].search(prose)
    measured = [item.detail.signature_matches for item in items]
    if differs and not _only(False, measured):
        yield _finding(sentence, words.detail(differs.group()))
    elif same and not differs and not _only(True, measured):
        yield _finding(sentence, words.detail(same.group()))


def _call_back(
    sentence: Sentence, clause: Clause, items: tuple[EvidenceItem, ...], context: Context
) -> Iterator[Finding]:
    prose = sentence.masked[clause.start : clause.end]
    match = context.lexicon["calls_original"].search(prose)
    if match is None:
        return
    denied = any(
        re.fullmatch(r"[^\uff0c\u3002\uff1b]{0,6}", prose[negator.end() : match.start()])
        for negator in context.lexicon["negators"].finditer(prose, 0, match.start())
    )
    if not _only(not denied, [item.detail.calls_original for item in items]):
        yield _finding(sentence, words.detail(match.group()))


def _missing_parameters(
    sentence: Sentence, clause: Clause, items: tuple[EvidenceItem, ...], context: Context
) -> Iterator[Finding]:
    """缺少参数 x: each parameter of the change that the clause names is one the cited place lacks."""
    prose = sentence.masked[clause.start : clause.end]
    said = context.lexicon["lacks"].search(prose)
    if said is None or not context.lexicon["parameter_words"].search(prose):
        return
    measured = [set(item.detail.lacks) for item in items if item.detail.lacks or item.detail.signature_matches]
    text = sentence.text[clause.start + said.end() : clause.end]
    named = {name for name in _parameter_names(context).union(*measured) if has_word(text, name)}
    if not measured or not all(lacks and named <= lacks for lacks in measured):
        yield _finding(sentence, words.detail(said.group()))


def _parameter_names(context: Context) -> set[str]:
    return {
        name
        for definition in context.delta.definitions
        for name in (
            *(parameter.name for parameter in definition.parameters),
            *(change.name for change in definition.signature_changes),
        )
    }


def _copy_state(sentence: Sentence, clause: Clause, context: Context) -> Iterator[Finding]:
    """旧代码, 已同步 and the like of a copy: the state that was measured of each cited copy, and of nothing else."""
    prose = sentence.masked[clause.start : clause.end]
    copies = [
        one.detail.copy_state
        for one in context.couplings(context.cited_items(sentence.ids_in(clause.start, clause.end) or sentence.cited))
        if one.kind in (EvidenceKind.FORK, EvidenceKind.TEST_COPY)
    ]
    speaks_of_copy = context.lexicon["copy_words"].search(prose) is not None
    if not sentence.cited or not (copies or speaks_of_copy) or context.lexicon["conditionals"].search(prose):
        return
    for state in CopyState:
        said = context.lexicon[f"copy_{state.value}"].search(prose)
        if said and (not copies or any(one is not state for one in copies)):
            yield _finding(sentence, words.copy_state(said.group()))


def _only(value: bool, measured: list[bool | None]) -> bool:
    """Some place measured ``value`` and none measured the opposite; null says nothing."""
    return value in measured and (not value) not in measured
