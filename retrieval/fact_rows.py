"""Facts as rows of the cache, and back.

Packing happens where facts are extracted, in the worker processes: plain tuples travel between processes several times
faster than facts do, and one process has to write them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from retrieval.coupling.facts import Fact, Shape
from retrieval.models import CouplingDetail, EvidenceKind, ParameterKind

# name, kind, target, scope, lines, token, owner, shape, detail, first, last: columns of the table, its blob aside
FactRow = tuple[str, str, str, str, str, str, str, str | None, str | None, int | None, int | None]

_LETTER = dict(zip(ParameterKind, "abcde", strict=True))
_KIND = {letter: kind for kind, letter in _LETTER.items()}


class BlobFacts(NamedTuple):
    """Everything the cache keeps of one blob. ``words`` maps a word to the number of lines that hold it."""

    key: str
    facts: Sequence[Fact]
    words: Mapping[str, int]


class BlobRows(NamedTuple):
    """The same, ready to be written."""

    key: str
    facts: Sequence[FactRow]
    words: Sequence[tuple[str, int]]


def rows_of(blob: BlobFacts) -> BlobRows:
    return BlobRows(blob.key, [_row(fact) for fact in blob.facts], list(blob.words.items()))


def fact_of(row: Sequence[object]) -> tuple[int, Fact]:
    """(blob, fact) of a row as the table holds it. ``ValueError`` or ``TypeError`` when no `rows_of` made it."""
    blob, name, kind, target, scope, lines, token, owner, shape, detail, first, last = row
    fact = Fact(
        EvidenceKind(str(kind)),
        str(name),
        str(target),
        str(scope),
        tuple(map(int, str(lines).split(","))),
        str(token),
        str(owner),
        None if shape is None else _shape(str(shape)),
        None if detail is None else CouplingDetail.model_validate_json(str(detail)),
        None if first is None else (int(str(first)), int(str(last))),
    )
    return int(str(blob)), fact


def _row(fact: Fact) -> FactRow:
    kind, name, target, scope, lines, token, owner, shape, detail, span = fact
    first, last = span or (None, None)
    return (
        name,
        kind.value,
        target,
        scope,
        ",".join(map(str, lines)),
        token,
        owner,
        None if shape is None else ",".join(f"{_LETTER[one.kind]}{one.has_default:d}{one.name}" for one in shape),
        None if detail is None else detail.model_dump_json(exclude_defaults=True),
        first,
        last,
    )


def _shape(text: str) -> tuple[Shape, ...]:
    parts = text.split(",") if text else []
    if any(len(part) < 3 or part[0] not in _KIND or part[1] not in "01" for part in parts):
        raise ValueError(f"no parameters: {text!r}")
    return tuple(Shape(part[2:], _KIND[part[0]], part[1] == "1") for part in parts)
