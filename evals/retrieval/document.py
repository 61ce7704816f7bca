"""The shape of ``--json``: ratios as value, hits, total; times in milliseconds but ``opening_seconds``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from evals.measuring import SHORT, Measured, kind_counts
from evals.recall import Ratio, Recall
from evals.retrieval.ablation import Ablation
from evals.retrieval.misses import Missed
from evals.retrieval.oracle import OracleRow


def document(recalls: Sequence[Recall], measured: Sequence[Measured], opening_seconds: float) -> dict[str, Any]:
    return {
        "recall": [recall_row(recall) for recall in recalls],
        "records": [
            {
                "id": one.ranked.id,
                "expected": len(one.ranked.expected),
                "missed": [place._asdict() for place in one.ranked.missed(SHORT)],
                "tokens": one.tokens,
                "cut_by_tokens": one.cut_by_tokens,
                "delta_ms": round(one.delta_ms, 3),
                "ledger_ms": round(one.ledger_ms, 3),
            }
            for one in measured
        ],
        "kinds": {str(kind): count for kind, count in kind_counts(measured).most_common()},
        "opening_seconds": round(opening_seconds, 3),
    }


def oracle_rows(rows: Sequence[OracleRow]) -> list[dict[str, Any]]:
    return [
        {
            "names": str(row.names),
            "level": str(row.level),
            "oracle": ratio(row.at[SHORT].oracle),
            "at": [{"k": k, "share": ratio(one.share), "both": ratio(one.both)} for k, one in row.at.items()],
        }
        for row in rows
    ]


def ablation_rows(rows: Sequence[Ablation]) -> list[dict[str, Any]]:
    return [
        {
            "without": None if row.part is None else str(row.part),
            "taken": row.taken,
            "scope": ratio(row.recall.scope),
            "file": ratio(row.recall.file),
        }
        for row in rows
    ]


def miss_rows(missed: Sequence[Missed]) -> list[dict[str, Any]]:
    return [
        {
            "id": one.record,
            **one.place._asdict(),
            "reason": str(one.reason),
            "rank": one.rank,
            "names": [{"word": name.word, "source": str(name.source), "files": name.files} for name in one.names],
            "file_found": one.file_found,
        }
        for one in missed
    ]


def recall_row(recall: Recall) -> dict[str, Any]:
    return {
        "k": recall.k,
        "scope": ratio(recall.scope),
        "named_scope": ratio(recall.named_scope),
        "file": ratio(recall.file),
        "macro": {"value": recall.macro, "records": recall.records},
    }


def ratio(one: Ratio) -> dict[str, Any]:
    return {"value": one.value, **asdict(one)}
