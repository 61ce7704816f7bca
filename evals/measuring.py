"""Runs the retrieval part of the product on labelled records and keeps what it found and what it cost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evals import words
from evals.change_names import ChangeName, change_names
from evals.errors import EvalsError
from evals.places import existing_places
from evals.ranking import Found, ask, order, shipped_scoring
from evals.real_data import RealData
from evals.recall import Place, RankedRecord
from evals.records import LabelledRecord
from evals.workbench import Workbench, change_of, open_workbench
from retrieval.change import sides
from retrieval.delta import compute_delta
from retrieval.delta.texts import changed_texts
from retrieval.evidence import build_ledger
from retrieval.models import EvidenceKind, Language, Ledger
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.settings_sources import load_settings

#: How many items a ledger has by default, and how many it may have for the deepest recall asked for.
SHORT, LONG = 20, 50


@dataclass(frozen=True, slots=True)
class Measured:
    """One record. Both ledgers keep to the product's token budget: ``ranked`` is the one it shows, ``deep`` the same
    with room for `LONG` items. ``found`` is everything the index answered, unranked; ``names`` and ``languages`` are
    those of the change. ``tokens``, ``cut_by_tokens`` and ``kinds`` belong to ``ranked``; times are wall clock
    milliseconds.
    """

    ranked: RankedRecord
    deep: RankedRecord
    kinds: Counter[EvidenceKind]
    tokens: int
    delta_ms: float
    ledger_ms: float
    cut_by_tokens: bool = False
    batch: str = ""
    found: Found = field(default_factory=Found)
    names: tuple[ChangeName, ...] = ()
    languages: frozenset[Language] = frozenset()

    def ledger(self, k: int) -> RankedRecord:
        """The ledger whose first ``k`` items count."""
        return self.ranked if k <= SHORT else self.deep


def measure_all(real: RealData, records: Sequence[LabelledRecord]) -> tuple[list[Measured], float]:
    """What was measured, and the seconds it took to open trees and index. Shows a progress bar."""
    if not records:
        raise EvalsError(words.NO_USABLE_RECORDS)
    cache = load_settings().settings.cache.dir
    with (
        progress_bar(Output(), words.MEASURING) as report,
        open_workbench(real.base, real.downstream, cache, report) as bench,
    ):
        measured = []
        for one in measure_records(records, real.diffs, bench, real.downstream):
            measured.append(one)
            report(len(measured), len(records))
        return measured, bench.opening_seconds


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
        shown = build_ledger(delta, change, bench.index, texts=texts, upstream=bench.upstream)
        ended = time.perf_counter()
        deep = build_ledger(delta, change, bench.index, texts=texts, upstream=bench.upstream, limit=LONG)
        expected = existing_places(record, downstream)
        found = ask(delta, change, texts, bench.index, bench.upstream)
        room = min(SHORT, len(order(found, shipped_scoring())))
        yield Measured(
            ranked=_ranked(record, expected, shown),
            deep=_ranked(record, expected, deep),
            kinds=Counter(item.kind for item in shown.items),
            tokens=shown.totals.tokens,
            delta_ms=1000 * (between - began),
            ledger_ms=1000 * (ended - between),
            cut_by_tokens=len(shown.items) < room,
            batch=record.batch,
            found=found,
            names=change_names(delta, bench.index.files_with),
            languages=frozenset(file.language for file in delta.files),
        )


def kind_counts(measured: Sequence[Measured]) -> Counter[EvidenceKind]:
    """Items of each kind over all records, in the ledgers as cut by default."""
    counts: Counter[EvidenceKind] = Counter()
    for one in measured:
        counts.update(one.kinds)
    return counts


def _ranked(record: LabelledRecord, expected: frozenset[Place], ledger: Ledger) -> RankedRecord:
    return RankedRecord(record.id, expected, tuple(Place(item.path, item.scope) for item in ledger.items))
