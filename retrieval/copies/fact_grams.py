"""The sketches of the functions of one file, as the fact cache keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from retrieval.copies.sketch import sketch
from retrieval.coupling.facts import Fact
from retrieval.models import EvidenceKind, Language
from retrieval.syntax import normalise


def grams_of(data: bytes, facts: Iterable[Fact], language: Language) -> Sequence[tuple[int, int]]:
    """(gram, first line) of every function that a `fork` fact lists with its lines; a class is its own owner."""
    spans = [fact.span for fact in facts if fact.kind is EvidenceKind.FORK and fact.span is not None and not fact.owner]
    if not spans:
        return ()
    text = normalise(data)
    starts = [0, *accumulate(len(line) + 1 for line in text.split(b"\n"))]
    return [(gram, first) for first, last in spans for gram in sketch(text[starts[first - 1] : starts[last]], language)]
