"""Facts as rows of the cache, and back.

Packing happens where facts are extracted, in the worker processes: plain tuples travel between processes several times
faster than facts do, and one process has to write them all. References are three facts of four; those of one file that
differ in their place alone share a row, which leaves a third of them to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from retrieval.coupling.facts import Fact, Shape
from retrieval.models import CouplingDetail, EvidenceKind, ParameterKind
from retrieval.scope_words import ScopeWords

# name, kind, target, scope, lines, token, owner, shape, detail, first, last: columns of the table, its blob aside.
# `scope` and `lines` are lists of equal length: one scope a line, and the lines in each between semicolons.
FactRow = tuple[str, str, str, str, str, str, str, str | None, str | None, int | None, int | None]

# qualname, number of pieces
ScopeRow = tuple[str, int]
COUNT_BITS = 6
_MOST_TIMES = (1 << COUNT_BITS) - 1  # more often says no more

_LETTER = dict(zip(ParameterKind, "abcde", strict=True))
_KIND = {letter: kind for kind, letter in _LETTER.items()}
_REMEMBERED = 4096  # details and parameters that are read once: many facts have the same
_NOTHING_MORE = ("", None, None, None)  # neither owner, shape, detail nor span


class BlobFacts(NamedTuple):
    """Everything the cache keeps of one blob. ``words`` maps a word to the number of lines that hold it; ``grams``
    are those of the sketches of its definitions, each with the first line of the definition.
    """

    key: str
    facts: Sequence[Fact]
    words: Mapping[str, int]
    grams: Sequence[tuple[int, int]] = ()
    scopes: Sequence[ScopeWords] = ()


class BlobRows(NamedTuple):
    """The same, ready to be written. ``pieces`` map to occurrences by the number of their scope in ``scopes``."""

    key: str
    facts: Sequence[FactRow]
    words: Sequence[tuple[str, int]]
    grams: Sequence[tuple[int, int]] = ()
    scopes: Sequence[ScopeRow] = ()
    pieces: Mapping[str, Sequence[int]] = MappingProxyType({})


def rows_of(blob: BlobFacts) -> BlobRows:
    facts = [_row(shared) for shared in _sharing(blob.facts)]
    scopes = [(scope.qualname, sum(scope.pieces.values())) for scope in blob.scopes]
    return BlobRows(blob.key, facts, list(blob.words.items()), blob.grams, scopes, _postings(blob.scopes))


def occurrence(scope: int, times: int) -> int:
    """A scope's number and how often it has a piece, in one number that sums with an offset of scopes."""
    return scope << COUNT_BITS | min(times, _MOST_TIMES)


def _postings(scopes: Sequence[ScopeWords]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, scope in enumerate(scopes):
        for piece, times in scope.pieces.items():
            held = number << COUNT_BITS | (times if times < _MOST_TIMES else _MOST_TIMES)  # `occurrence`, unrolled
            if piece in found:
                found[piece].append(held)
            else:
                found[piece] = [held]
    return found


def facts_of(row: Sequence[object], scope: str | None = None) -> Iterator[tuple[int, Fact]]:
    """(blob, fact) of a row as the table holds it, of all scopes or of one.

    ``ValueError`` or ``TypeError`` when no `rows_of` made it.
    """
    blob, name, kind, target, scopes, lines, token, owner, shape, detail, first, last = row
    about = _kind(str(kind)), str(name), str(target)
    said, owned = str(token), str(owner)
    parameters = None if shape is None else _shape(str(shape))
    more = None if detail is None else _detail(str(detail))
    span = None if first is None else (int(str(first)), int(str(last)))
    for one, numbers in zip(str(scopes).split("\n"), str(lines).split(";"), strict=True):
        if scope is None or scope == one:
            held = tuple(map(int, numbers.split(",")))
            yield int(str(blob)), Fact(*about, one, held, said, owned, parameters, more, span)


def _sharing(facts: Iterable[Fact]) -> Iterable[Sequence[Fact]]:
    """The facts of each row, in the order of their first. Other kinds have a row each: their order tells something."""
    rows: dict[object, list[Fact]] = {}
    for number, fact in enumerate(facts):
        shares = fact.kind is EvidenceKind.REFERENCE and fact[6:] == _NOTHING_MORE
        rows.setdefault((fact.name, fact.target, fact.token) if shares else number, []).append(fact)
    return rows.values()


def _row(facts: Sequence[Fact]) -> FactRow:
    kind, name, target, _, _, token, owner, shape, detail, span = facts[0]
    first, last = span or (None, None)
    return (
        name,
        kind.value,
        target,
        "\n".join([fact.scope for fact in facts]),
        ";".join([",".join(map(str, fact.lines)) for fact in facts]),
        token,
        owner,
        None if shape is None else ",".join(f"{_LETTER[one.kind]}{one.has_default:d}{one.name}" for one in shape),
        None if detail is None else detail.model_dump_json(exclude_defaults=True),
        first,
        last,
    )


@lru_cache(len(EvidenceKind))
def _kind(text: str) -> EvidenceKind:
    return EvidenceKind(text)


@lru_cache(_REMEMBERED)
def _detail(text: str) -> CouplingDetail:
    return CouplingDetail.model_validate_json(text)


@lru_cache(_REMEMBERED)
def _shape(text: str) -> tuple[Shape, ...]:
    parts = text.split(",") if text else []
    if any(len(part) < 3 or part[0] not in _KIND or part[1] not in "01" for part in parts):
        raise ValueError(f"no parameters: {text!r}")
    return tuple(Shape(part[2:], _KIND[part[0]], part[1] == "1") for part in parts)
