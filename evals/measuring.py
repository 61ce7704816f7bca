"""Runs the retrieval part of the product on labelled records and keeps what it found and what it cost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.places import existing_places
from evals.recall import Place, RankedRecord
from evals.records import LabelledRecord
from evals.workbench import Workbench, change_of
from retrieval.change import sides
from retrieval.delta import compute_delta
from retrieval.delta.texts import changed_texts
from retrieval.evidence import build_ledger
from retrieval.models import EvidenceKind

#: Long enough for the deepest recall asked for, and a budget that cuts nothing: recall asks for the ranking alone.
LEDGER_LENGTH = 50
UNLIMITED = 10_000_000


@dataclass(frozen=True, slots=True)
class Measured:
    """``tokens`` and ``kinds`` are those of the ledger as cut by default; times are wall clock milliseconds."""

    ranked: RankedRecord
    kinds: Counter[EvidenceKind]
    tokens: int
    delta_ms: float
    ledger_ms: float


def measure_records(
    records: Iterable[LabelledRecord], diffs: Path, bench: Workbench, downstream: Path
) -> Iterator[Measured]:
    """One by one, in order. ``downstream`` is the folder that the workbench's index was built from."""
    for record in records:
        change = change_of(record, diffs / f"{record.id}.diff")
        began = time.perf_counter()
        both_sides = sides(change, bench.base, None)
        delta = compute_delta(change, both_sides)
        texts = changed_texts(delta, both_sides)
        between = time.perf_counter()
        cut = build_ledger(delta, change, bench.index, texts=texts)
        ended = time.perf_counter()
        whole = build_ledger(delta, change, bench.index, texts=texts, limit=LEDGER_LENGTH, token_budget=UNLIMITED)
        yield Measured(
            ranked=RankedRecord(
                id=record.id,
                expected=existing_places(record, downstream),
                found=tuple(Place(item.path, item.scope) for item in whole.items),
            ),
            kinds=Counter(item.kind for item in cut.items),
            tokens=cut.totals.tokens,
            delta_ms=1000 * (between - began),
            ledger_ms=1000 * (ended - between),
        )


def kind_counts(measured: Sequence[Measured]) -> Counter[EvidenceKind]:
    """Items of each kind over all records, in the ledgers as cut by default."""
    counts: Counter[EvidenceKind] = Counter()
    for one in measured:
        counts.update(one.kinds)
    return counts
