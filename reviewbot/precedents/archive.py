"""The archive: past records behind a cutoff, the nearest of them by BM25, few of any one verdict.

Contract: what the cutoff does not admit never enters, what is the same work as the change at hand never leaves, and the
same records give the same answer in the same order. bm25s and numpy are imported when something is ranked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.models import Delta, UpstreamChange
from reviewbot.models import Verdict
from reviewbot.precedents.cutoff import Cutoff
from reviewbot.precedents.kinship import SameWork
from reviewbot.precedents.models import Archive, PastRecord
from reviewbot.precedents.past import paths_of, symbols_of
from reviewbot.precedents.terms import terms

#: Three examples show a scale; more would drown the rubric. At most two of one verdict, or they would vote.
DEFAULT_K = 3
DEFAULT_PER_VERDICT = 2
#: Scores that agree to this many decimals are a tie: sums of single precision differ beyond.
_DECIMALS = 4


def open_archive(
    records: Iterable[PastRecord], cutoff: Cutoff, k: int = DEFAULT_K, per_verdict: int | None = DEFAULT_PER_VERDICT
) -> Archive:
    """At most ``k`` records a change, at most ``per_verdict`` of each verdict (None: as many as there are)."""
    return _Archive(tuple(past for past in records if cutoff.admits(past)), k, per_verdict)


@dataclass(frozen=True, slots=True)
class _Archive:
    records: tuple[PastRecord, ...]
    k: int
    per_verdict: int | None

    def similar(self, change: UpstreamChange, delta: Delta) -> tuple[PastRecord, ...]:
        same_work = SameWork(change)
        others = [past for past in self.records if not same_work.covers(past)]
        query = terms(change.title, paths_of(change), symbols_of(delta))
        return self._bounded(_ranked(others, list(dict.fromkeys(query))))

    def _bounded(self, ranked: Sequence[PastRecord]) -> tuple[PastRecord, ...]:
        chosen: list[PastRecord] = []
        verdicts: Counter[Verdict] = Counter()
        for past in ranked:
            if len(chosen) == self.k:
                break
            verdict = past.labels.verdict
            if self.per_verdict is None or verdicts[verdict] < self.per_verdict:
                verdicts[verdict] += 1
                chosen.append(past)
        return tuple(chosen)


def _ranked(records: Sequence[PastRecord], query: list[str]) -> list[PastRecord]:
    """Those that share a term with the query, the nearest first; of equals the latest, then by id."""
    documents = [terms(past.title, past.paths, past.symbols, past.summary) for past in records]
    vocabulary = sorted({term for document in documents for term in document})
    numbers = {term: number for number, term in enumerate(vocabulary)}
    asked = [numbers[term] for term in query if term in numbers]
    if not asked:
        return []
    from bm25s import BM25

    bm25 = BM25()
    bm25.index(([[numbers[term] for term in document] for document in documents], numbers), show_progress=False)
    scores = [round(float(score), _DECIMALS) for score in bm25.get_scores(asked)]
    return [
        past
        for score, past in sorted(zip(scores, records, strict=True), key=lambda scored: _order(*scored))
        if score > 0
    ]


def _order(score: float, past: PastRecord) -> tuple[float, int, str]:
    return -score, -(past.date.toordinal() if past.date else 0), past.id
