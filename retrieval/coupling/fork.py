"""`fork` fork 副本: a downstream function or class that is a copy of the changed upstream one.

Candidates are found without a list: functions of the same name, functions that downstream registers for the operator
whose upstream function changed, and functions that share rare grams with the old text, whatever they are called. A
candidate counts when its tokens, aligned with the old ones, are alike enough for what its name says
(`retrieval.copies`). The copy then still carries the old code, has the new one already, or has diverged. Classes are
looked for by name alone: a copy under another name is found by its methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from retrieval.copies.alignment import Alignment, Piece, align
from retrieval.copies.candidates import of_like_size, worth_aligning
from retrieval.copies.names import AKIN_BAR, bar, gave_its_name, is_special
from retrieval.copies.sketch import ASKED, sketch
from retrieval.copies.state import copy_state
from retrieval.coupling.coupling import Coupling, couple_fact, known_detail
from retrieval.coupling.facts import OWN, Fact
from retrieval.coupling.lookup import FactLookup, Located
from retrieval.coupling.placed_code import PlacedCode
from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.question import Question, Target
from retrieval.coupling.signatures import compared
from retrieval.delta.texts import ChangedText
from retrieval.models import AlignedBlock, CouplingDetail, DefinitionKind, EvidenceKind, Relation
from retrieval.symbols import language_of

KIND = EvidenceKind.FORK

_MOST_BLOCKS = 5
_MOST_NAMESAKES = 24  # of a name that more functions have, most have nothing to do with each other


def extract(file: PythonFile) -> Iterator[Fact]:
    """Every function and class; ``span`` are its first and last line, decorators included. A class is its own owner."""
    source = file.source
    for index, scope in enumerate(source.scopes):
        named = scope.node.child_by_field_name("name")
        if named is None:
            continue
        name, target = scope.qualname.rpartition(".")[2], f"{OWN}.{scope.qualname}"
        yield Fact(
            KIND,
            name,
            target,
            scope.qualname,
            (source.line_at(named.start_byte),),
            name,
            owner=target if scope.is_class else "",
            shape=None if scope.is_class else file.shape(index),
            span=(source.line_at(scope.start), source.line_at(max(scope.start, scope.end - 1))),
        )


class _Copy(NamedTuple):
    located: Located
    alignment: Alignment
    text: str


def couple(question: Question, lookup: FactLookup) -> Iterable[Coupling]:
    placed = PlacedCode(lookup)
    for target in question.targets:
        if target.change.definition is DefinitionKind.VARIABLE:
            continue
        text = question.texts.get(target.change.symbol)
        if text is not None and text.old is not None:
            registered = _registered(target, lookup)
            for copy in _copies(target, text.old, registered, lookup, placed):
                yield _coupling(copy, target, text, registered.get(copy.located.target))


def _registered(target: Target, lookup: FactLookup) -> Mapping[str, Located]:
    """Downstream functions that are registered for an operator of the changed function, and how."""
    found = lookup.named(target.change.operators, EvidenceKind.REGISTRATION)
    return {located.owner: located for located in found if located.owner}


def _namesakes(target: Target, lookup: FactLookup) -> Sequence[Located]:
    """Definitions of the same name, sort and language. Special methods are too many, and found by their code."""
    names, is_class = [name for name in target.own_names if not is_special(name)], _is_class(target)
    found = [
        one
        for one in _in_language(target, lookup.named(names, KIND))
        if bool(one.fact.owner) is is_class and one.fact.name in names
    ]
    return found if len(found) <= _MOST_NAMESAKES else [one for one in found if _is_akin(one, target)]


def _candidates(
    target: Target, old: str, registered: Mapping[str, Located], lookup: FactLookup
) -> Mapping[tuple[str, tuple[int, int]], Located]:
    """What may be a copy of ``old``, by path and lines: definitions in its language, of like size."""
    language, size = target.change.language, old.count("\n") + 1
    names = {owner.rpartition(".")[2] for owner in registered}
    named = _in_language(target, lookup.named(names, KIND)) if names else ()
    by_operator = [one for one in named if one.target in registered]
    grams = () if _is_class(target) else sketch(old.encode(), language, ASKED)
    return {
        (one.path, span): one
        for one in (*_namesakes(target, lookup), *by_operator, *lookup.resembling(grams, language))
        if (span := one.fact.span) is not None and of_like_size(size, span[1] - span[0] + 1)
    }


def _in_language(target: Target, found: Iterable[Located]) -> Iterator[Located]:
    """Tokens of C++ and of Python are not compared: a loop in one is like most loops in the other."""
    return (one for one in found if language_of(one.path) is target.change.language)


def _copies(
    target: Target, old: str, registered: Mapping[str, Located], lookup: FactLookup, placed: PlacedCode
) -> Sequence[_Copy]:
    """Copies of ``old``, of nested ones the most alike."""
    original = Piece(old, target.change.language)
    found: list[_Copy] = []
    for (path, span), located in _candidates(target, old, registered, lookup).items():
        text, piece = placed.at(path, span)
        if not worth_aligning(original, piece):
            continue
        alignment = align(original, piece)
        sizes = min(len(original), len(piece)), len(original.telling & piece.telling)
        least = AKIN_BAR if located.target in registered else bar(_old_scope(target), located.fact.scope, *sizes)
        if alignment.similarity >= least:
            found.append(_Copy(located, alignment, text))
    found.sort(key=lambda copy: -copy.alignment.similarity)
    return [copy for at, copy in enumerate(found) if not any(_nested(copy, better) for better in found[:at])]


def _nested(one: _Copy, other: _Copy) -> bool:
    (first, last), (start, end) = one.located.fact.span or (0, 0), other.located.fact.span or (0, 0)
    around = first <= start and end <= last
    return one.located.path == other.located.path and (around or (start <= first and last <= end))


def _coupling(copy: _Copy, target: Target, text: ChangedText, registration: Located | None) -> Coupling:
    located, alignment = copy.located, copy.alignment
    by = known_detail(registration) if registration is not None else CouplingDetail()
    detail = CouplingDetail(
        similarity=round(alignment.similarity, 2),
        copy_state=copy_state(text.old or "", text.new or "", copy.text, target.change.language),
        original=target.change.old_symbol,
        aligned=_aligned(copy, target),
        registrar=by.registrar,
        operators=by.operators,
    )
    detail = compared(detail, located.fact.shape, target.change.parameters)
    return couple_fact(located, Relation.SAME_SYMBOL, target.symbol, target.weight, detail=detail)


def _aligned(copy: _Copy, target: Target) -> tuple[AlignedBlock, ...]:
    """The largest blocks, in order and in lines of their files; none where the upstream file is not known."""
    old, own = target.change.old_lines, copy.located.fact.span
    if old is None or own is None:
        return ()
    blocks = sorted(copy.alignment.blocks, key=lambda block: block.upstream[0] - block.upstream[1])[:_MOST_BLOCKS]
    return tuple(
        AlignedBlock(upstream=_moved(block.upstream, old[0]), downstream=_moved(block.downstream, own[0]))
        for block in sorted(blocks, key=lambda block: block.upstream)
    )


def _moved(lines: tuple[int, int], start: int) -> tuple[int, int]:
    return lines[0] + start - 1, lines[1] + start - 1


def _is_class(target: Target) -> bool:
    return target.change.definition is DefinitionKind.CLASS


def _old_scope(target: Target) -> str:
    return target.change.old_qualname or target.change.qualname


def _is_akin(located: Located, target: Target) -> bool:
    return gave_its_name(_old_scope(target), located.fact.scope)
